// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables of benchmarks and cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/bench.h"
#include "bench/spec.h"

static void test_benchmarks(void **state)
{
	size_t nr = 0;

	(void)state;
	for (const struct benchmark *b; (b = bench_at(nr)); nr++) {
		assert_ptr_equal(bench_find(b->name), b);
		assert_string_equal(b->program,
				    b->brings_kernel ? "guest-linux" : "guest-payload");
		/* there is no level below L0's that has a kernel to start */
		assert_true(!b->brings_kernel || b->levels == BENCH_L2);
		assert_non_null(b->payload);
		assert_string_equal(b->name, b->metric);
		assert_true(b->levels & 1u << b->level);
		assert_true(b->windows > 1 && b->warmup > 0 && b->count);
		assert_null(strchr(b->unit, ' '));
	}
	assert_true(nr >= 15);
	assert_null(bench_at(nr));
	assert_null(bench_at(SIZE_MAX));
	assert_null(bench_find("cpuid_rate "));
	assert_null(bench_find(""));
	assert_string_equal(bench_find("cpuid_rate")->unit, "/s");
	assert_int_equal(bench_find("cpuid_rate")->warmup, 11);
}

static void test_cells(void **state)
{
	static const char *const spelled[][2] = {
		{ "npt/npt", "npt/npt" },
		{ "NPT/Shadow", "npt/shadow" },
		{ "Shadow/SHADOW", "shadow/shadow" },
		{ "ept/ept", "npt/npt" },
		{ "EPT/shadow", "npt/shadow" },
		{ "ept/-", "npt/-" },
		{ "shadow/-", "shadow/-" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spelled); i++) {
		_cleanup_err_ struct err e = { 0 };
		const struct cell *c = NULL;

		assert_int_equal(cell_parse(NULL, spelled[i][0], &c, &e), 0);
		assert_string_equal(c->name, spelled[i][1]);
	}
	assert_string_equal(cell_at(NULL, 1)->l0_append, "kvm_amd.npt=1 kvm_intel.ept=1");
	assert_string_equal(cell_at(NULL, 1)->l1_append, "kvm_amd.npt=0 kvm_intel.ept=0");
	assert_string_equal(cell_direct(cell_at(NULL, 1))->name, "npt/-");
	assert_string_equal(cell_direct(cell_at(NULL, 2))->name, "shadow/-");
	assert_ptr_equal(cell_direct(cell_direct(cell_at(NULL, 2))),
			 cell_direct(cell_at(NULL, 2)));
	assert_non_null(cell_at(NULL, 2));
	assert_null(cell_at(NULL, 3));
}

static void test_no_cells(void **state)
{
	static const char *const bad[] = { "",	       "/",	   "npt",
					   "npt/",     "/npt",	   "npt/npt/npt",
					   " npt/npt", "npt/npt ", "nptx/npt",
					   "sha/npt",  "npt\\npt", "npt/n\033[31mpt",
					   "-/-",      "-/npt" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		const struct cell *c = NULL;

		assert_int_equal(cell_parse(NULL, bad[i], &c, &e), -ERR_USAGE);
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
	assert_int_equal(cell_parse(NULL, "Shadow/NPT", &c, &e), -ERR_USAGE);
	assert_null(c);
	assert_string_equal(e.frame[0], "cell 'Shadow/NPT' is impossible: L1 gets nested "
					"paging only from an L0 that uses it");
	assert_non_null(e.hint);
}

/* What is asked for, and the name it is known by: one for equal work. */
static void test_specs(void **state)
{
	static const char *const spelled[][2] = {
		{ "cpuid_rate", "cpuid_rate" },
		{ "cpuid_rate:leaf=0", "cpuid_rate" },
		{ "cpuid_rate:leaf=0x0,subleaf=0", "cpuid_rate" },
		{ "cpuid_rate:leaf=1073741824", "cpuid_rate:leaf=0x40000000" },
		{ "cpuid_rate:leaf=0X40000000", "cpuid_rate:leaf=0x40000000" },
		{ "cpuid_rate:subleaf=2,leaf=4", "cpuid_rate:leaf=0x4,subleaf=0x2" },
		{ "cpuid_rate:leaf=4,leaf=5", "cpuid_rate:leaf=0x5" },
		{ "cpuid_rate:level=1,windows=9", "cpuid_rate:level=1,windows=9" },
		{ "cpuid_rate:warmup=1,windows=4", "cpuid_rate:warmup=1" },
		{ "touch_rate:ws=65536", "touch_rate:ws=64K" },
		{ "touch_rate:ws=64M", "touch_rate:ws=64M" },
		{ "touch_rate:ws=256K,level=2", "touch_rate" },
		{ "vmrun_rate:level=1", "vmrun_rate" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spelled); i++) {
		_cleanup_err_ struct err e = { 0 };
		_cleanup_bench_ struct benchmark *b = NULL;

		assert_int_equal(bench_open(spelled[i][0], NULL, &b, &e), 0);
		assert_string_equal(b->name, spelled[i][1]);
		assert_string_equal(b->args[0], b->payload);
		assert_null(strchr(b->metric, 0x3a));
	}
}

static void test_arguments(void **state)
{
	static const char *const want[] = { "touch", "ws=65536", "windows=10",
					    "count=30" };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bench_ struct benchmark *b = NULL;

	(void)state;
	assert_int_equal(
		bench_open("touch_rate:count=30,ws=64K,level=1,windows=7,warmup=3", NULL,
			   &b, &e),
		0);
	assert_int_equal(b->level, 1);
	assert_int_equal(b->warmup, 3);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(b->args[i], want[i]);
	assert_null(b->args[ARRAY_SIZE(want)]);
}

static void test_bad_specs(void **state)
{
	static const char *const bad[][2] = {
		{ "", "no benchmark ''" },
		{ ":leaf=0", "no benchmark ''" },
		{ "nonsense", "no benchmark 'nonsense'" },
		{ "cpuid_rate:", "no parameter of the form" },
		{ "cpuid_rate:leaf", "no parameter of the form" },
		{ "cpuid_rate:leaf=", "no leaf" },
		{ "cpuid_rate:leaf=-1", "no leaf" },
		{ "cpuid_rate:leaf=1.5", "no leaf" },
		{ "cpuid_rate:leaf=0x", "no leaf" },
		{ "cpuid_rate:leaf=0x100000000", "no leaf" },
		{ "cpuid_rate:leaf=0x1ffffffffffffffff", "no leaf" },
		{ "cpuid_rate:leaf=1 ", "no leaf" },
		{ "cpuid_rate:leaf=1,", "no parameter of the form" },
		{ "cpuid_rate:,leaf=1", "no parameter of the form" },
		{ "cpuid_rate:ws=4K", "has no parameter 'ws'" },
		{ "cpuid_rate:level=3", "no level" },
		{ "cpuid_rate:windows=1", "no windows" },
		{ "cpuid_rate:warmup=0", "no warmup" },
		{ "cpuid_rate:count=0", "no count" },
		{ "vmrun_rate:level=2", "cannot be L2" },
		{ "touch_rate:ws=5K", "no ws" },
		{ "touch_rate:ws=2K", "no ws" },
		{ "touch_rate:ws=128M", "no ws" },
		{ "touch_rate:ws=99999999999999999999G", "no ws" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		struct benchmark *b = NULL;

		assert_int_equal(bench_open(bad[i][0], NULL, &b, &e), -ERR_USAGE);
		assert_null(b);
		assert_non_null(strstr(e.frame[0], bad[i][1]));
		assert_non_null(e.hint);
	}
}

/* Samples that differ in what they rest on have nothing to do with one another. */
static void test_unlike_samples(void **state)
{
	struct sample a = { .clock = (char *)"virtual",
			    .setup = (char *)"",
			    .payload = (char *)"p1" };
	struct sample b = a;

	(void)state;
	assert_null(samples_unlike(&a, &b));
	b.setup = (char *)"vcpus=2";
	assert_string_equal(samples_unlike(&a, &b), "setups");
	b.setup = NULL; /* of an older kiln: who knows */
	assert_string_equal(samples_unlike(&b, &a), "setups");
	b = a;
	b.qemu = (char *)"q";
	assert_string_equal(samples_unlike(&a, &b), "QEMUs");
	b = a;
	b.payload = (char *)"p2";
	assert_string_equal(samples_unlike(&a, &b), "payloads");
	b = a;
	b.guest = (char *)"";
	assert_string_equal(samples_unlike(&a, &b), "kernels of L1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_benchmarks), cmocka_unit_test(test_cells),
		cmocka_unit_test(test_no_cells),   cmocka_unit_test(test_impossible_cell),
		cmocka_unit_test(test_specs),	   cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_bad_specs),  cmocka_unit_test(test_unlike_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
