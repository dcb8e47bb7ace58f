// SPDX-License-Identifier: GPL-3.0-or-later
/* Architectures: what each row has, and that none is asked for what it has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "bench/bench.h"
#include "bench/counters.h"
#include "bench/report/report.h"
#include "bench/spec.h"
#include "boot/target/qemu-args.h"
#include "core/arch/arch.h"
#include "core/base/crc32.h"

static const struct arch *power(void)
{
	const struct arch *a = arch_find("powerpc64le");

	assert_non_null(a);
	return a;
}

static void rows_are_whole(void **state)
{
	const struct arch *a;
	unsigned int nr = 0;

	(void)state;
	for (; (a = arch_at(nr)); nr++) {
		assert_ptr_equal(arch_find(a->name), a);
		assert_true(*a->image && *a->fragment && *a->source && a->elf);
		if (!a->qemu)
			continue;
		assert_true(*a->qemu->program && *a->qemu->package && *a->qemu->params);
		assert_non_null(cell_at(a, 0));
		assert_non_null(counter_at(a, 0));
		for (const char *const *name = a->benchmarks; *name; name++)
			assert_non_null(bench_find(*name));
		for (size_t i = 0; cell_at(a, i); i++)
			assert_ptr_equal(arch_of_cell(cell_at(a, i)), a);
	}
	assert_int_equal(nr, 3);
	assert_ptr_equal(arch_find(NULL), arch_at(0));
	assert_null(arch_find("vax"));
}

static void paths_name_their_architecture(void **state)
{
	(void)state;
	assert_ptr_equal(arch_of_path("arch/powerpc/kvm/book3s_hv.c"), power());
	assert_ptr_equal(arch_of_path("arch/x86/kvm/x86.c"), arch_find(NULL));
	assert_null(arch_of_path("arch/powerpc"));
	assert_null(arch_of_path("arch/powerpcx/kvm/a.c"));
	assert_null(arch_of_path("drivers/arch/x86/a.c"));
	assert_null(arch_of_path("virt/kvm/kvm_main.c"));
	assert_null(arch_of_path(""));
}

static void cells_are_of_one(void **state)
{
	const struct cell *c = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(cell_parse(power(), "Radix/-", &c, &e), 0);
	assert_string_equal(c->name, "radix/-");
	assert_ptr_equal(cell_direct(c), c);
	assert_ptr_equal(cell_of("radix", "-"), c);
	assert_null(cell_at(power(), 1));
	assert_int_equal(cell_parse(NULL, "radix/-", &c, &e), 0);
	c = NULL;
	assert_int_equal(cell_parse(power(), "npt/npt", &c, &e), -ERR_USAGE);
	assert_non_null(strstr(e.hint, "radix/-"));
	err_release(&e);
	assert_int_equal(cell_parse(arch_find(NULL), "radix/-", &c, &e), -ERR_USAGE);
	assert_non_null(strstr(e.hint, "npt/npt"));
	err_release(&e);
	assert_null(c);
	assert_null(cell_of("radix", "radix"));
}

/* A report names the cell that was measured, whatever architecture it is of. */
static void reports_name_the_cell(void **state)
{
	struct comparison row = { .benchmark = "spin_rate",
				  .unit = "/s",
				  .cell = cell_at(power(), 0),
				  .base = { .value = 2000, .boots = 2, .runs = 8 },
				  .patched = { .value = 1000, .boots = 2, .runs = 8 },
				  .change = -0.5 };
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	report_table(&row, 1, true, &b);
	assert_non_null(strstr(buf_str(&b), "| Radix | -  |"));
	assert_null(strstr(buf_str(&b), "Shadow"));
}

static void benchmarks_are_of_one(void **state)
{
	_cleanup_bench_ struct benchmark *b = NULL, *two = NULL, *dec = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(bench_open_for(power(), NULL, NULL, &b, &e), 0);
	assert_string_equal(b->name, "hypercall_rate");
	assert_int_equal(b->level, 1);
	assert_int_equal(
		bench_open_for(arch_find(NULL), "hypercall_rate", NULL, &two, &e), 0);
	assert_string_equal(two->name, "hypercall_rate");
	assert_int_equal(two->level, 2);
	assert_int_equal(bench_open("dec_rate", NULL, &dec, &e), 0);
	assert_int_equal(bench_open_for(power(), "cpuid_rate", NULL, &dec, &e),
			 -ERR_USAGE);
	assert_non_null(strstr(e.hint, "dec_rate"));
	err_release(&e);
}

static bool has(const struct strv *argv, const char *part)
{
	for (size_t i = 0; i < argv->nr; i++)
		if (strstr(argv->v[i], part))
			return true;
	return false;
}

static void machine_without_shares(void **state)
{
	struct target t = { .kind = TARGET_QEMU };
	struct machine_opts o = { .arch = power(),
				  .target = &t,
				  .accel = "tcg",
				  .kernel = "/k",
				  .initrd = "/i",
				  .append = "quiet",
				  .boot_dir = "/shared" };
	_cleanup_strv_ struct strv argv = STRV_INIT, usual = STRV_INIT;

	(void)state;
	qemu_args(&o, &argv);
	assert_string_equal(argv.v[0], "qemu-system-ppc64");
	assert_true(has(&argv, "cap-nested-hv=on") && has(&argv, "POWER9"));
	assert_false(has(&argv, "/shared") || has(&argv, "9p") || has(&argv, "esb"));
	o.arch = NULL;
	qemu_args(&o, &usual);
	assert_string_equal(usual.v[0], "qemu-system-x86_64");
	assert_true(has(&usual, "/shared") && has(&usual, "i6300esb"));
}

/* What both ends of the channel check messages by is the sum that it always was. */
static void crc_is_that_of_zlib(void **state)
{
	unsigned char bytes[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 37 + i / 7);
	for (size_t n = 0; n <= sizeof(bytes); n += 111) {
		uint32_t want = (uint32_t)crc32(0, bytes, (unsigned int)n);

		assert_int_equal(crc32_add(0, bytes, n), want);
		assert_int_equal(crc32_add(crc32_add(0, bytes, n / 3), bytes + n / 3,
					   n - n / 3),
				 want);
	}
	assert_int_equal(crc32_add(0, "123456789", 9), 0xcbf43926);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(paths_name_their_architecture),
		cmocka_unit_test(cells_are_of_one),
		cmocka_unit_test(reports_name_the_cell),
		cmocka_unit_test(benchmarks_are_of_one),
		cmocka_unit_test(machine_without_shares),
		cmocka_unit_test(crc_is_that_of_zlib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
