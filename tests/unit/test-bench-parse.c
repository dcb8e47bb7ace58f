// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of a benchmark program to samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/bench.h"
#include "core/base/alloc.h"

/* One line is dropped. */
static const struct benchmark *cpuid(void)
{
	static const struct benchmark row = {
		.name = "cpuid_rate",
		.metric = "cpuid_rate",
		.unit = "/s",
		.warmup = 1,
		.higher_is_better = true,
	};

	return &row;
}

static void test_good(void **state)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	samples_add(&s)->value = 7; /* what is there stays */
	strv_addl(&lines, "cpuid_rate 18400.5 /s", "exits 12 1", "cpuid_rate 18531 /s",
		  "cpuid_rate 1.8529e4 /s", NULL);
	assert_int_equal(bench_parse(cpuid(), &lines, &s, &e), 0);
	assert_int_equal(s.nr, 3);
	assert_true(s.v[0].value == 7 && s.v[1].value == 18531 && s.v[2].value == 18529);
	assert_int_equal(s.v[1].ordinal, 0);
	assert_int_equal(s.v[2].ordinal, 1);
	assert_string_equal(s.v[1].benchmark, "cpuid_rate");
	assert_string_equal(s.v[1].unit, "/s");
	assert_null(s.v[1].token);
	assert_false(s.v[1].proven);
}

/* The third line, behind a warm-up and a good one, is bad: no sample may come out. */
static void bad(const char *line, const char *why)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };

	strv_addl(&lines, "cpuid_rate 1 /s", "cpuid_rate 2 /s", line, NULL);
	assert_int_equal(bench_parse(cpuid(), &lines, &s, &e), -ERR_TOOL_FAILED);
	assert_int_equal(s.nr, 0);
	assert_non_null(strstr(e.frame[0], "line 3 "));
	assert_non_null(strstr(e.frame[0], why));
	for (const char *p = e.frame[0]; *p; p++)
		assert_true(*p >= 0x20 && *p < 0x7f);
}

static void test_hostile(void **state)
{
	char longest[300];

	(void)state;
	bad("", "form");
	bad("cpuid_rate", "form");
	bad("cpuid_rate 18531", "form");
	bad("cpuid_rate 18531 ", "form");
	bad("cpuid_rate 18531 /s ", "form");
	bad("cpuid_rate 18531 /s /s", "form");
	bad("cpuid_rate  18531 /s", "form");
	bad(" cpuid_rate 18531 /s", "form");
	bad("cpuid_rate\t18531\t/s", "form");
	bad("\033[2J\xff\xc2\x9b panic", "form");
	bad("cpuid_rate nan /s", "number");
	bad("cpuid_rate inf /s", "number");
	bad("cpuid_rate 1e999 /s", "number");
	bad("cpuid_rate 12,5 /s", "number");
	bad("cpuid_rate 0 /s", "not positive");
	bad("cpuid_rate -0 /s", "not positive");
	bad("cpuid_rate 1e-999 /s", "not positive");
	bad("cpuid_rate -18531 /s", "not positive");
	bad("cpuid_rate 18531 /h", "unit");
	memset(longest, '1', sizeof(longest));
	memcpy(longest, "cpuid_rate ", 11);
	memcpy(longest + sizeof(longest) - 4, " /s", 4);
	bad(longest, "too long");
}

static void test_warmup_is_checked_too(void **state)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	strv_addl(&lines, "cpuid_rate 0 /s", "cpuid_rate 2 /s", NULL);
	assert_int_equal(bench_parse(cpuid(), &lines, &s, &e), -ERR_TOOL_FAILED);
	assert_non_null(strstr(e.frame[0], "line 1 "));
}

static void none(struct strv *lines)
{
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(bench_parse(cpuid(), lines, &s, &e), -ERR_TOOL_FAILED);
	assert_non_null(strstr(e.frame[0], "no sample of cpuid_rate"));
	assert_non_null(e.hint);
	assert_int_equal(s.nr, 0);
}

static void test_no_sample(void **state)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;

	(void)state;
	none(&lines);
	strv_add(&lines, "other 5 /s");
	none(&lines);
	strv_add(&lines, "cpuid_rate 5 /s"); /* warm-up only */
	none(&lines);
}

/* One number says nothing of its spread, and a flood is no benchmark. */
static void test_how_many(void **state)
{
	enum { FLOOD = 1000000 };
	_cleanup_free_ char **same = xcalloc(FLOOD + 1, sizeof(*same));
	struct strv one = { same, 2 }, many = { same, FLOOD };
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct err flood = { 0 };

	(void)state;
	for (size_t i = 0; i < FLOOD; i++)
		same[i] = (char *)(uintptr_t) "cpuid_rate 7 /s";
	assert_int_equal(bench_parse(cpuid(), &one, &s, &e), -ERR_TOOL_FAILED);
	assert_non_null(strstr(e.frame[0], "only one sample of cpuid_rate"));
	assert_int_equal(bench_parse(cpuid(), &many, &s, &flood), -ERR_TOOL_FAILED);
	assert_non_null(strstr(flood.frame[0], "one sample too many"));
	assert_int_equal(s.nr, 0);
	err_release(&flood);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_warmup_is_checked_too),
		cmocka_unit_test(test_no_sample),
		cmocka_unit_test(test_how_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
