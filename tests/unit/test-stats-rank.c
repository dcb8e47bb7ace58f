// SPDX-License-Identifier: GPL-3.0-or-later
/* Hodges-Lehmann and Mann-Whitney against an enumeration of all orders, and known
 * figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "bench/stats/rank.h"
#include "core/base/base.h"

static struct rank_shift shift(const double *a, size_t na, const double *b, size_t nb)
{
	struct rank_shift r;

	rank_shift_of(&(struct boot_means){ a, na }, &(struct boot_means){ b, nb }, 0.95,
		      &r);
	return r;
}

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.12g is not %.12g", got, want);
}

static void test_golden(void **state)
{
	double base[] = { 256100, 257000, 256621, 255800, 256900 };
	double patched[] = { 300500, 301113, 302000, 299800, 301700 };
	struct rank_shift r;

	(void)state;
	near(shift(base, 5, patched, 5).shift, 44700, 1e-9);
	for (int i = 0; i < 5; i++) {
		base[i] = log(base[i]);
		patched[i] = log(patched[i]);
	}
	r = shift(base, 5, patched, 5);
	near(r.shift, 0.160357, 1e-6);
	near(expm1(r.shift), 0.17393, 1e-5);
	near(r.p, 0.007936507936507936, 1e-12);
	assert_true(r.enough && r.lo < r.shift && r.shift < r.hi);
}

/* P(U <= u) of n1 + n2 distinct values, by going through all ways to deal them. */
static double enumerated(unsigned int n1, unsigned int n2, unsigned int u)
{
	unsigned int all = 0, hit = 0;

	for (unsigned int set = 0; set < 1u << (n1 + n2); set++) {
		unsigned int seen = 0, below = 0;

		if ((unsigned int)__builtin_popcount(set) != n1)
			continue;
		for (unsigned int i = 0; i < n1 + n2; i++) {
			if (set >> i & 1)
				seen++;
			else
				below += seen;
		}
		all++;
		hit += below <= u;
	}
	return (double)hit / all;
}

/* Two sides that overlap so that exactly u pairs speak against a rise. */
static struct rank_shift with_pairs_against(unsigned int n1, unsigned int n2,
					    unsigned int u)
{
	double base[8], patched[8];

	for (unsigned int i = 0; i < n1; i++)
		base[i] = 2.0 * i;
	for (unsigned int k = 0; k < n2; k++, u -= u < n1 ? u : n1) {
		unsigned int below = u < n1 ? u : n1; /* of base above this one */

		patched[k] = 2.0 * (n1 - below) - 1;
	}
	return shift(base, n1, patched, n2);
}

static void test_exact(void **state)
{
	(void)state;
	for (unsigned int n1 = 1; n1 <= 5; n1++)
		for (unsigned int n2 = 1; n2 <= 6; n2++)
			for (unsigned int u = 0; 2 * u < n1 * n2; u++)
				near(with_pairs_against(n1, n2, u).p,
				     fmin(1, 2 * enumerated(n1, n2, u)), 1e-12);
}

/* The interval is the set of shifts that the test does not refuse. */
static void test_inversion(void **state)
{
	static const double a[] = { 1, 4, 9, 16, 25 }, b[] = { 3, 5, 8, 30, 41, 2 };
	struct rank_shift r = shift(a, 5, b, 6);
	double moved[6];

	(void)state;
	for (double by = -40; by < 45; by += 0.25) {
		struct rank_shift at;

		for (int i = 0; i < 6; i++)
			moved[i] = b[i] - by;
		at = shift(a, 5, moved, 6);
		assert_int_equal(by < r.lo || by > r.hi, at.p <= 0.05);
	}
}

static void test_few(void **state)
{
	static const double a[] = { 1, 2, 3, 4 }, b[] = { 11, 12, 13, 14 };

	(void)state;
	for (size_t n = 1; n <= 3; n++) {
		struct rank_shift r = shift(a, n, b, n);

		assert_true(!r.enough && isinf(r.lo) && isinf(r.hi));
		near(r.shift, 10, 1e-12);
		near(r.p, rank_least_p(n, n), 1e-12);
	}
	assert_true(shift(a, 4, b, 4).enough);
	near(shift(a, 4, b, 4).lo, 7, 1e-12);
	near(rank_least_p(4, 4), 2.0 / 70, 1e-12);
	near(rank_least_p(1, 1), 1, 0);
	assert_int_equal(rank_needs(0.05), 4);
	assert_int_equal(rank_needs(0.01), 5);
	assert_int_equal(rank_needs(0.05 / 3), 5);
}

static void test_degenerate(void **state)
{
	static const double same[] = { 5, 5, 5, 5, 5 }, one[] = { 6 };
	struct rank_shift r = shift(same, 5, same, 5);

	(void)state;
	assert_true(r.shift == 0 && r.p == 1 && r.lo == 0 && r.hi == 0);
	r = shift(same, 0, same, 5);
	assert_true(r.shift == 0 && r.p == 1 && isinf(r.hi) && !r.enough);
	r = shift(same, 5, one, 1);
	assert_true(r.shift == 1 && !r.enough && r.p > 0.3);
}

/* Beyond what is computed exactly the figures go on as before. */
static void test_many(void **state)
{
	double a[RANK_EXACT + 1], b[RANK_EXACT + 1];
	struct rank_shift exact, normal;

	(void)state;
	for (int i = 0; i <= RANK_EXACT; i++) {
		a[i] = (i * 37) % 101;
		b[i] = (i * 53) % 103 + 9.5;
	}
	exact = shift(a, RANK_EXACT, b, RANK_EXACT);
	normal = shift(a, RANK_EXACT, b, RANK_EXACT + 1);
	near(normal.shift, exact.shift, 1);
	near(normal.lo, exact.lo, 1.5);
	near(normal.p, exact.p, 0.06);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),	   cmocka_unit_test(test_exact),
		cmocka_unit_test(test_inversion),  cmocka_unit_test(test_few),
		cmocka_unit_test(test_degenerate), cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
