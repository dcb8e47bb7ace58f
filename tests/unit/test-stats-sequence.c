// SPDX-License-Identifier: GPL-3.0-or-later
/* Pairs looked at one by one, against the engine's e-value and its own inversion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "bench/stats/plan.h"
#include "bench/stats/sequence.h"
#include "core/base/base.h"
#include "core/bisect/evalue.h"

static const double golden[] = { .012, .018, .009, .015, .011 };

static struct sequence sequence(const double *d, size_t nr, struct known_noise k)
{
	struct sequence s;

	sequence_of(d, nr, &k, 0.95, &s);
	return s;
}

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.12g is not %.12g", got, want);
}

static void test_golden(void **state)
{
	struct sequence s = sequence(golden, 5, (struct known_noise){ 0 });
	double best = 1;

	(void)state;
	near(1 / s.p, 19.446720502911326, 1e-5);
	near(s.mean, 0.013, 1e-15);
	assert_true(s.lo <= 0 && !s.drifts); /* 19.4 is not 20 */
	for (size_t n = 0; n <= 5; n++) {
		best = fmax(best, e_value(golden, n, 1));
		near(1 / sequence(golden, n, (struct known_noise){ 0 }).p, best, 1e-9);
	}
}

/* The ends of the interval are where the e-value of the pairs less them is 20. */
static void test_inversion(void **state)
{
	static const double d[] = { .011, .014, .012, .013, .0125, .0135, .0131 };
	struct sequence s = sequence(d, 7, (struct known_noise){ 0 });
	double off[7];

	(void)state;
	for (int i = 0; i < 7; i++)
		off[i] = d[i] - s.hi;
	near(e_value(off, 7, 1), 20, 1e-6);
	for (int i = 0; i < 7; i++)
		off[i] = d[i] - s.lo;
	near(e_value(off, 7, 1), 20, 1e-6);
	assert_true(s.lo > 0 && s.p < 0.05);
}

static void test_known(void **state)
{
	static const double two[] = { .002, .002 };
	struct known_noise k = { .boot_sd = .0002, .boot_df = 12 };
	struct sequence s = sequence(two, 2, k);

	(void)state;
	assert_true(s.lo > 0 && s.p < 0.05);
	assert_true(sequence(two, 1, k).p == 1);
	k.boot_df = 4; /* five boots are too few to be so sure with two pairs */
	assert_true(sequence(two, 2, k).lo == -INFINITY);
	k.boot_df = 0;
	s = sequence(two, 2, k);
	assert_true(s.lo > 0 && s.p < 1e-5);
	k.build_sd = .001; /* the layouts of two builds may do as much */
	k.build_df = 2;
	s = sequence(two, 2, k);
	assert_true(s.lo < 0 && s.p > 0.05);
	/* No target repeats better than measured, however well pairs agree. */
	k = (struct known_noise){ .boot_sd = .01, .boot_df = 12 };
	assert_true(sequence(two, 2, k).p == 1);
	/* Nor is one that was told to be quiet believed when it is not. */
	s = sequence((double[]){ .05, -.04, .06, .01 }, 4,
		     (struct known_noise){ .boot_sd = .0002 });
	assert_true(s.lo < 0 && s.hi > 0);
}

static void test_degenerate(void **state)
{
	static const double same[] = { .01, .01, .01, .01, .01, .01 };
	static const double zero[] = { 0, 0, 0 };
	struct sequence s = sequence(NULL, 0, (struct known_noise){ 0 });

	(void)state;
	assert_true(s.p == 1 && s.lo == -INFINITY && s.hi == INFINITY);
	s = sequence(same, 6, (struct known_noise){ 0 }); /* noise not seen is not zero */
	assert_true(s.p == 1 && isinf(s.lo));
	s = sequence(zero, 3, (struct known_noise){ 0 });
	assert_true(s.p == 1 && s.mean == 0);
	s = sequence(zero, 3, (struct known_noise){ .boot_sd = .0002 });
	assert_true(s.p == 1 && s.lo < 0 && s.hi > 0 && s.hi < .001);
}

/* Pairs of two kinds leave no difference that both allow: nothing is said of it. */
static void test_drift(void **state)
{
	double d[20];
	struct sequence s;

	(void)state;
	for (int i = 0; i < 20; i++)
		d[i] = i < 10 ? .1 + .0001 * (i % 3) : -.1 - .0001 * (i % 3);
	s = sequence(d, 20, (struct known_noise){ .boot_sd = .0002, .boot_df = 100 });
	assert_true(s.drifts);
}

static void test_plan(void **state)
{
	struct known_noise none = { 0 }, told = { .boot_sd = .0002 };
	struct known_noise layout = { .boot_sd = .0002, .build_sd = .01 };

	(void)state;
	assert_int_equal(plan_pairs(.01, .03, &none, .95), 8);
	assert_true(plan_pairs(.01, .01, &none, .95) > 20);
	assert_int_equal(plan_pairs(.0002, .002, &told, .95), 2);
	assert_int_equal(plan_pairs(.0002, .002, &layout, .95), 0);
	assert_int_equal(plan_pairs(0, .002, &none, .95), 0);
	assert_true(isinf(sequence_half(4, .01, &none, .95)));
	assert_true(isfinite(sequence_half(5, .01, &none, .95)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden), cmocka_unit_test(test_inversion),
		cmocka_unit_test(test_known),  cmocka_unit_test(test_degenerate),
		cmocka_unit_test(test_drift),  cmocka_unit_test(test_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
