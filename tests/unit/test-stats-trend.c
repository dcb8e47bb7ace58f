// SPDX-License-Identifier: GPL-3.0-or-later
/* One benchmark over commits: what makes a row, its numbers, its order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bench/stats/trend.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

#define STR(s) ((char *)(uintptr_t)(s))
#define SAMPLE(id, boot, number)                                           \
	{                                                                  \
		.token = STR(boot), .commit = { id }, .l0 = STR("npt"),    \
		.l1 = STR("npt"), .value = (number), .unit = STR("/s"),    \
		.clock = STR("host"), .path = STR("kexec"), .proven = true \
	}
#define BOOT(id, name, build, env)                                            \
	{                                                                     \
		.commit = { id }, .token = STR(name), .build_id = STR(build), \
		.environment = STR(env), .accel = STR("kvm")                  \
	}

static void rows_and_intervals(void **state)
{
	struct sample v[] = { SAMPLE(B, "b1", 200), SAMPLE(A, "a1", 100),
			      SAMPLE(A, "a1", 121), SAMPLE(A, "a2", 110),
			      SAMPLE(B, "b1", 200) };
	struct boot_record boots[] = { BOOT(A, "a1", "1", "l0.smt=on\n"),
				       BOOT(A, "a2", "1", "l0.smt=on\n"),
				       BOOT(B, "b1", "2", "l0.smt=off\n") };
	const struct samples samples = { v, 5 };
	const struct oid order[] = { { A }, { B } };
	_cleanup_trend_ struct trend seen = { 0 }, asked = { 0 };

	(void)state;
	trend_of(&(struct trend_query){ &samples, boots, 3, NULL, 0, 0.95 }, &seen);
	assert_int_equal(seen.nr, 2);
	assert_string_equal(seen.v[0].commit.hex, B); /* first measured */
	assert_true(isnan(seen.v[0].change) && isnan(seen.v[0].lo));
	assert_int_equal(seen.v[0].boots, 1);
	assert_int_equal(seen.v[0].runs, 2);
	trend_of(&(struct trend_query){ &samples, boots, 3, order, 2, 0.95 }, &asked);
	assert_int_equal(asked.nr, 2);
	assert_string_equal(asked.v[0].commit.hex, A);
	/* sqrt(100 * 121) = 110 in one boot, 110 in the other */
	assert_float_equal(asked.v[0].value, 110, 1e-9);
	assert_float_equal(asked.v[0].lo, 110, 1e-6);
	assert_int_equal(asked.v[0].boots, 2);
	assert_int_equal(asked.v[0].runs, 3);
	assert_float_equal(asked.v[1].change, 200.0 / 110 - 1, 1e-9);
	assert_int_equal(asked.v[0].likeness, ENVIRONMENT_ALIKE);
	assert_int_equal(asked.v[1].likeness, ENVIRONMENT_UNLIKE);
	assert_string_equal(asked.v[1].why, "l0.smt is 'on', then 'off'");
}

/* t(0.975, 1) = 12.7062: logs 0 and 0.02, mean 0.01, standard error 0.01. */
static void the_interval_is_students(void **state)
{
	struct sample v[] = { SAMPLE(A, "a1", 1.0), SAMPLE(A, "a2", exp(0.02)) };
	const struct samples samples = { v, 2 };
	_cleanup_trend_ struct trend t = { 0 };

	(void)state;
	trend_of(&(struct trend_query){ &samples, NULL, 0, NULL, 0, 0.95 }, &t);
	assert_int_equal(t.nr, 1);
	assert_float_equal(log(t.v[0].value), 0.01, 1e-12);
	assert_float_equal(log(t.v[0].hi), 0.01 + 0.127062, 1e-6);
	assert_float_equal(log(t.v[0].lo), 0.01 - 0.127062, 1e-6);
}

static void what_does_not_belong_together_is_apart(void **state)
{
	struct sample v[] = { SAMPLE(A, "a1", 100), SAMPLE(A, "a2", 100),
			      SAMPLE(A, "a3", 100), SAMPLE(A, "a4", 100),
			      SAMPLE(A, "a5", 100), SAMPLE(A, "a6", -1) };
	struct boot_record boots[] = { BOOT(A, "a1", "1", "x=1\n"),
				       BOOT(A, "a2", "2", "x=1\n") };
	const struct samples samples = { v, 6 };
	const struct oid other = { B };
	_cleanup_trend_ struct trend t = { 0 }, none = { 0 };

	(void)state;
	v[2].clock = STR("virtual");
	v[3].l1 = STR("shadow");
	v[4].proven = false;
	trend_of(&(struct trend_query){ &samples, boots, 2, NULL, 0, 0.95 }, &t);
	assert_int_equal(t.nr, 4); /* two builds, the other clock, the other cell */
	for (size_t i = 0; i < t.nr; i++)
		assert_int_equal(t.v[i].runs, 1);
	trend_of(&(struct trend_query){ &samples, boots, 2, &other, 1, 0.95 }, &none);
	assert_int_equal(none.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_intervals),
		cmocka_unit_test(the_interval_is_students),
		cmocka_unit_test(what_does_not_belong_together_is_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
