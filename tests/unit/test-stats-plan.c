// SPDX-License-Identifier: GPL-3.0-or-later
/* Boots to a decision, and p values of a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "bench/stats/fdr.h"
#include "bench/stats/plan.h"
#include "core/base/base.h"

/* Figures from a search with quantiles of the t distribution by numeric integration. */
static void test_plan(void **state)
{
	(void)state;
	assert_int_equal(plan_boots(0.1, 1, 0, 0.95), 2);
	assert_int_equal(plan_boots(0.25, 1, 0, 0.95), 3);
	assert_int_equal(plan_boots(0.5, 1, 0, 0.95), 6);
	assert_int_equal(plan_boots(1, 1, 0, 0.95), 19);
	/* The known example: 1 % at a boot variance of 1.5 %^2 takes 27 by the normal
	 * quantile. */
	assert_int_equal(plan_boots(sqrt(1.5) / 100, 0.01, 2, 0.95), 28);
	assert_int_equal(plan_boots(0.1, 1, 2, 0.95), 3); /* always one more */
	assert_int_equal(plan_boots(0.1, 1, 40, 0.95), 41);
	assert_int_equal(plan_boots(20, 1, 0, 0.95), 7184);
}

static void test_no_plan(void **state)
{
	(void)state;
	assert_int_equal(plan_boots(0, 0.01, 2, 0.95), 0);
	assert_int_equal(plan_boots(0.01, 0, 2, 0.95), 0);
	assert_int_equal(plan_boots(0, 0, 2, 0.95), 0);
	assert_int_equal(plan_boots(0.01, INFINITY, 2, 0.95), 0);
	assert_int_equal(plan_boots(100, 0.01, 2, 0.95), 0); /* a billion boots */
	assert_int_equal(plan_boots(0.01, 0.01, 10000, 0.95), 0);
	assert_int_equal(plan_boots(0.01, 0.01, UINT32_MAX, 0.95), 0);
}

static void test_fdr(void **state)
{
	double p[] = { .03, .001, .2, .04, .012 };
	static const double want[] = { .05, .005, .2, .05, .03 };
	double capped[] = { .9, .95 }, one[] = { .04 };

	(void)state;
	fdr_adjust(p, ARRAY_SIZE(p));
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		assert_true(fabs(p[i] - want[i]) < 1e-12);
	fdr_adjust(capped, 2);
	assert_true(capped[0] == .95 && capped[1] == .95);
	fdr_adjust(one, 1);
	assert_true(one[0] == .04);
	fdr_adjust(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_no_plan),
		cmocka_unit_test(test_fdr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
