// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables of benchmarks and cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/bench.h"

static void test_benchmarks(void **state)
{
	size_t nr = 0;

	(void)state;
	for (const struct benchmark *b; (b = bench_at(nr)); nr++) {
		assert_ptr_equal(bench_find(b->name), b);
		assert_int_equal(strncmp(b->program, "guest-", 6), 0);
		assert_non_null(b->args);
		assert_true(b->warmup >= 0);
		assert_null(strchr(b->unit, ' '));
	}
	assert_true(nr >= 1);
	assert_null(bench_at(nr));
	assert_null(bench_at(SIZE_MAX));
	assert_null(bench_find("cpuid_rate "));
	assert_null(bench_find(""));
	assert_string_equal(bench_find("cpuid_rate")->unit, "/s");
	assert_int_equal(bench_find("cpuid_rate")->warmup, 1);
}

static void test_cells(void **state)
{
	static const char *const spelled[][2] = {
		{ "npt/npt", "npt/npt" },
		{ "NPT/Shadow", "npt/shadow" },
		{ "Shadow/SHADOW", "shadow/shadow" },
		{ "ept/ept", "npt/npt" },
		{ "EPT/shadow", "npt/shadow" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spelled); i++) {
		_cleanup_err_ struct err e = { 0 };
		const struct cell *c = NULL;

		assert_int_equal(cell_parse(spelled[i][0], &c, &e), 0);
		assert_string_equal(c->name, spelled[i][1]);
	}
	assert_string_equal(cell_at(1)->l0_append, "kvm_amd.npt=1 kvm_intel.ept=1");
	assert_string_equal(cell_at(1)->l1_append, "kvm_amd.npt=0 kvm_intel.ept=0");
	assert_non_null(cell_at(2));
	assert_null(cell_at(3));
}

static void test_no_cells(void **state)
{
	static const char *const bad[] = { "",	       "/",	   "npt",
					   "npt/",     "/npt",	   "npt/npt/npt",
					   " npt/npt", "npt/npt ", "nptx/npt",
					   "sha/npt",  "npt\\npt", "npt/n\033[31mpt" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		const struct cell *c = NULL;

		assert_int_equal(cell_parse(bad[i], &c, &e), -ERR_USAGE);
		assert_null(c);
		assert_non_null(strstr(e.frame[0], "l0/l1"));
		assert_non_null(strstr(e.hint, "npt/shadow"));
		assert_null(strchr(e.frame[0], '\033'));
	}
}

static void test_impossible_cell(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	const struct cell *c = NULL;

	(void)state;
	assert_int_equal(cell_parse("Shadow/NPT", &c, &e), -ERR_USAGE);
	assert_null(c);
	assert_string_equal(e.frame[0], "cell 'Shadow/NPT' is impossible: L1 gets nested "
					"paging only from an L0 that uses it");
	assert_non_null(e.hint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_benchmarks),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_no_cells),
		cmocka_unit_test(test_impossible_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
