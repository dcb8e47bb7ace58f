// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The posterior against vectors computed independently: 8 commits, boot sd 1 %, run sd
 * 2 %, build sd 0.3 %, levels flat over 0.5.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "core/bisect/posterior.h"

#define N 8
#define TAU 0.01
#define SIG 0.02
#define LAM 0.003

struct boot {
	size_t commit;
	double y;
	int runs;
};

static const struct boot g1[] = {
	{ 0, 0, 5 },	 { 0, .004, 5 },  { 8, -.101, 5 },
	{ 8, -.098, 5 }, { 4, -.003, 3 }, { 6, -.097, 3 },
};

/* One entry a commit: boots weighted by their precision. */
static size_t combine(const struct boot *b, size_t nr, struct tested *ret)
{
	size_t n = 0;

	for (size_t k = 0; k <= N; k++) {
		double w = 0, s = 0;

		for (size_t i = 0; i < nr; i++) {
			double s2 = TAU * TAU + SIG * SIG / b[i].runs;

			if (b[i].commit != k)
				continue;
			w += 1 / s2;
			s += b[i].y / s2;
		}
		if (w > 0)
			ret[n++] = (struct tested){ k, s / w, LAM * LAM + 1 / w };
	}
	return n;
}

static void check(const struct boot *b, size_t nr, const double *weight,
		  const double *want, double want_bf)
{
	struct tested t[N + 1];
	struct chain c = { N + 1, weight, t, combine(b, nr, t) };
	double p[N + 1], sum = 0;

	posterior(&c, p);
	for (int k = 1; k <= N; k++) {
		assert_true(fabs(p[k] - want[k]) < 1.5e-6);
		sum += p[k];
	}
	assert_true(fabs(sum - 1) < 1e-9);
	assert_true(p[0] == 0);
	if (want_bf > 0)
		assert_true(fabs(posterior_log_bf10(&c) - want_bf) < 1e-5);
}

static void golden_1(void **state)
{
	static const double want[N + 1] = { [5] = .499999, [6] = .499999 };

	(void)state;
	check(g1, ARRAY_SIZE(g1), NULL, want, 30.881026);
}

static void golden_2_to_4(void **state)
{
	static const double want2[N + 1] = { 0,	      4e-6,    4e-6, 4e-6, 4e-6,
					     .714498, .285484, 1e-6, 1e-6 };
	static const double want3[N + 1] = { [6] = .999998, [7] = 1e-6, [8] = 1e-6 };
	static const double want4[N + 1] = {
		[5] = 1e-6, [6] = .999997, [7] = 1e-6, [8] = 1e-6
	};
	static const double weight[N + 1] = { 0, 1, 1, 1, 1, 10, 1, 1, 1 };
	struct boot b[ARRAY_SIZE(g1) + 2];
	size_t n = ARRAY_SIZE(g1);

	(void)state;
	for (size_t i = 0; i < n; i++)
		b[i] = g1[i];
	b[n] = (struct boot){ 5, -.052, 3 };
	check(b, n + 1, NULL, want2, 26.980162);
	b[n + 1] = (struct boot){ 5, -.004, 12 };
	check(b, n + 2, NULL, want3, 31.557602);
	check(b, n + 2, weight, want4, 0);
}

/* Two steps are told from one, and the smaller of them is found. */
static void two_changes(void **state)
{
	struct tested t[] = { { 0, 0, 1e-6 },
			      { 2, .001, 1e-6 },
			      { 3, -.05, 1e-6 },
			      { 5, -.051, 1e-6 },
			      { 8, -.1, 1e-6 } };
	struct chain c = { N + 1, NULL, t, ARRAY_SIZE(t) };
	double step;

	(void)state;
	assert_true(posterior_log_bf21(&c, &step) > 20);
	assert_true(fabs(step - .0495) < .001);
	t[4].y = -.0505;
	assert_true(posterior_log_bf21(&c, &step) < 0);
}

/* Large rates with little noise: no cancellation. */
static void shift_changes_nothing(void **state)
{
	struct tested t[] = { { 0, 0, 1e-10 }, { 4, 0, 1e-10 }, { 8, -1e-4, 1e-10 } };
	struct chain c = { N + 1, NULL, t, ARRAY_SIZE(t) };
	double p[N + 1], q[N + 1];

	(void)state;
	posterior(&c, p);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		t[i].y += 20;
	posterior(&c, q);
	for (int k = 0; k <= N; k++)
		assert_true(fabs(p[k] - q[k]) < 1e-6);
	assert_true(fabs(p[5] - .25) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_1),
		cmocka_unit_test(golden_2_to_4),
		cmocka_unit_test(two_changes),
		cmocka_unit_test(shift_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
