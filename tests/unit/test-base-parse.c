// SPDX-License-Identifier: GPL-3.0-or-later
/* Text to numbers, and times to text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/parse.h"

static void whole_numbers(void **state)
{
	static const char *const bad[] = { "",
					   " 1",
					   "1 ",
					   "+1",
					   "-1",
					   "0x10",
					   "1.",
					   "1e3",
					   "٣",
					   "18446744073709551616",
					   "99999999999999999999999" };
	uint64_t v = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(parse_u64(bad[i], &v));
		assert_int_equal(v, 42);
	}
	assert_true(parse_u64("0", &v) && v == 0);
	assert_true(parse_u64("007", &v) && v == 7);
	assert_true(parse_u64("18446744073709551615", &v) && v == UINT64_MAX);
}

static void bounded_numbers(void **state)
{
	int v = 42;

	(void)state;
	assert_true(parse_int("5", 5, 5, &v) && v == 5);
	assert_false(parse_int("4", 5, 9, &v));
	assert_false(parse_int("10", 5, 9, &v));
	assert_false(parse_int("4294967297", 0, INT_MAX, &v));
	assert_true(parse_int("2147483647", 0, INT_MAX, &v) && v == INT_MAX);
	v = 42;
	assert_false(parse_int("2147483648", 0, INT_MAX, &v));
	assert_int_equal(v, 42);
}

static void real_numbers(void **state)
{
	static const char *const bad[] = { "",	    " 1",  "1 ", "nan",	  "inf", "-inf",
					   "1e999", "1,5", "x",	 "1.5.2", "\t1" };
	double v = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(parse_double(bad[i], &v));
		assert_true(v == 42);
	}
	assert_true(parse_double("18531.5", &v) && v == 18531.5);
	assert_true(parse_double("1e3", &v) && v == 1000);
	assert_true(parse_double("-0.2", &v) && v == -0.2);
}

static void durations(void **state)
{
	static const char *const bad[] = { "",	 "s",	"1.5h", "-1s",
					   "1w", "1hh", "1 h",	"18446744073709551615d",
					   "1sx" };
	uint64_t v = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(parse_duration(bad[i], &v));
		assert_int_equal(v, 42);
	}
	assert_true(parse_duration("90", &v) && v == 90);
	assert_true(parse_duration("90s", &v) && v == 90);
	assert_true(parse_duration("15m", &v) && v == 900);
	assert_true(parse_duration("2h", &v) && v == 7200);
	assert_true(parse_duration("1d", &v) && v == 86400);
}

static void hex(void **state)
{
	(void)state;
	assert_true(parse_is_hex("0123456789abcdefABCDEF", 22));
	assert_true(parse_is_hex("xyz", 0));
	assert_false(parse_is_hex("abcg", 4));
	assert_false(parse_is_hex("ab", 3)); /* stops at the end of the string */
}

static void times(void **state)
{
	char *s = clock_iso(0);
	uint64_t now = clock_ms();

	(void)state;
	assert_string_equal(s, "1970-01-01T00:00:00Z");
	free(s);
	s = clock_iso(1777896000);
	assert_string_equal(s, "2026-05-04T12:00:00Z");
	free(s);
	s = clock_iso(-1);
	assert_string_equal(s, "1969-12-31T23:59:59Z");
	free(s);
	assert_true(clock_ms() >= now);
	assert_int_equal(clock_left(0), 0);
	assert_int_equal(clock_left(now > 0 ? now - 1 : 0), 0);
	assert_in_range(clock_left(now + 5000), 1, 5000);
	assert_int_equal(clock_left(UINT64_MAX), INT_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers), cmocka_unit_test(bounded_numbers),
		cmocka_unit_test(real_numbers),	 cmocka_unit_test(durations),
		cmocka_unit_test(hex),		 cmocka_unit_test(times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
