// SPDX-License-Identifier: GPL-3.0-or-later
/* What a machine measures with: gathered from a tree of files, read from a message, and
 * held against another's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/environment.h"
#include "boot/environment.h"
#include "cli/shots.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static void put(const char *root, const char *path, const char *text)
{
	_cleanup_free_ char *full = xasprintf("%s%s", root, path);
	_cleanup_free_ char *dir = xstrdup(full);
	_cleanup_err_ struct err e = { 0 };

	*strrchr(dir, '/') = '\0';
	assert_int_equal(fs_mkdirs(dir, &e), 0);
	assert_int_equal(fs_write(full, text, strlen(text), &e), 0);
}

static void files_become_facts(void **state)
{
	char root[] = "/tmp/kiln-environment-XXXXXX";
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_free_ char *text = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "/proc/cpuinfo",
	    "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nmicrocode\t: 0x1\n"
	    "processor\t: 1\nmodel name\t: other\n");
	put(root, "/proc/meminfo", "MemTotal:  2048 kB\nMemFree: 1 kB\n");
	put(root, "/proc/loadavg", "0.25 0.10 0.05 1/2 3\n");
	put(root, "/sys/devices/system/cpu/online", "0-3\n");
	put(root, "/sys/devices/system/cpu/vulnerabilities/spectre_v2",
	    "Mitigation: Retpolines\n");
	put(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	    "tsc-early\n");
	put(root, "/sys/module/kvm_amd/parameters/npt", "Y\n");
	put(root, "/sys/module/kvm_amd/parameters/empty", "");
	put(root, "/sys/kernel/mm/transparent_hugepage/enabled",
	    "always [madvise] never\n");
	environment_gather(root, "l0", &words);
	text = environment_text(&words);
	assert_string_equal(text, "l0.clocksource=tsc\n"
				  "l0.cpu=AMD EPYC\n"
				  "l0.cpus=0-3\n"
				  "l0.kvm_amd.npt=Y\n"
				  "l0.load=0.25\n"
				  "l0.memory=2048 kB\n"
				  "l0.microcode=0x1\n"
				  "l0.thp=madvise\n"
				  "l0.vulnerability.spectre_v2=Mitigation: Retpolines\n");
	assert_int_equal(fs_remove_tree(root, &e), 0);
}

static void foreign_words_are_bounded(void **state)
{
	_cleanup_frame_ struct frame f = { 0 };
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_free_ char *text = NULL;

	(void)state;
	strv_addl(&f.words, "hello", "l0.b=a\nl0.c=x\033[31m", "UPPER=1", "no-value",
		  "=1", "l0 a=1", NULL);
	for (int i = 0; i < 1000; i++)
		strv_addf(&f.words, "k%d=%0500d", i, i);
	environment_read(&f, 1, &words);
	assert_int_equal(words.nr, 1 + 256 - 5);
	assert_string_equal(words.v[0], "l0.b=a?l0.c=x?[31m");
	for (size_t i = 0; i < words.nr; i++)
		assert_true(strlen(words.v[i]) <= 80 + 1 + 200);
	text = environment_text(&words);
	assert_non_null(text);
}

static void expect(const char *a, const char *b, const char *accel, enum likeness want,
		   const char *why)
{
	_cleanup_free_ char *got = NULL;

	assert_int_equal(environment_alike(a, b, accel, &got), want);
	if (why)
		assert_string_equal(got, why);
	else
		assert_null(got);
}

static void unlike_keys_are_named(void **state)
{
	(void)state;
	expect("l0.smt=on\n", "l0.smt=on\n", "kvm", ENVIRONMENT_ALIKE, NULL);
	expect("", "", "kvm", ENVIRONMENT_ALIKE, NULL);
	expect("l0.smt=on\n", "l0.smt=off\n", "kvm", ENVIRONMENT_UNLIKE,
	       "l0.smt is 'on', then 'off'");
	expect("l0.a=1\nl0.c=3\n", "l0.b=2\nl0.c=3\n", "kvm", ENVIRONMENT_FLAGGED,
	       "only the first has l0.a; only the second has l0.b");
	expect("l0.a=1\n", NULL, "kvm", ENVIRONMENT_FLAGGED,
	       "it was not recorded for every boot");
	/* a key that begins like another is another */
	expect("l0.a=1\nl0.ab=2\n", "l0.a=1\nl0.abc=2\n", "kvm", ENVIRONMENT_FLAGGED,
	       "only the first has l0.ab; only the second has l0.abc");
	expect("k1=1\nk2=1\nk3=1\nk4=1\nk5=1\nk6=1\nk7=1\n",
	       "k1=2\nk2=2\nk3=2\nk4=2\nk5=2\nk6=2\nk7=2\n", "kvm", ENVIRONMENT_UNLIKE,
	       "k1 is '1', then '2'; k2 is '1', then '2'; k3 is '1', then '2'; "
	       "k4 is '1', then '2'; k5 is '1', then '2'; and 2 more");
}

static void numbers_have_room(void **state)
{
	(void)state;
	expect("host.load=0.10\n", "host.load=1.05\n", "kvm", ENVIRONMENT_ALIKE, NULL);
	expect("host.load=0.10\n", "host.load=3.00\n", "kvm", ENVIRONMENT_FLAGGED,
	       "host.load is '0.10', then '3.00'");
	expect("l0.memory=1000000 kB\n", "l0.memory=1004000 kB\n", "kvm",
	       ENVIRONMENT_ALIKE, NULL);
	expect("l0.memory=1000000 kB\n", "l0.memory=500000 kB\n", "kvm",
	       ENVIRONMENT_FLAGGED, "l0.memory is '1000000 kB', then '500000 kB'");
	expect("l0.load=x\n", "l0.load=y\n", "kvm", ENVIRONMENT_FLAGGED,
	       "l0.load is 'x', then 'y'");
}

static void emulation_does_not_see_the_host(void **state)
{
	(void)state;
	expect("host.cpu=a\nl0.cpu=c\nqemu=7.2.1\n", "host.cpu=b\nl0.cpu=c\nqemu=7.2.1\n",
	       "tcg", ENVIRONMENT_ALIKE, NULL);
	expect("host.cpu=a\n", "host.cpu=b\n", "kvm", ENVIRONMENT_UNLIKE,
	       "host.cpu is 'a', then 'b'");
	expect("host.cpu=a\nqemu=7.2.1\n", "host.cpu=b\nqemu=8.0.0\n", "tcg",
	       ENVIRONMENT_UNLIKE, "qemu is '7.2.1', then '8.0.0'");
}

/* Cells differ on purpose; boots of one cell must not. */
static void only_one_cell_is_compared(void **state)
{
	struct measured_with v[] = {
		{ "l0.kvm_amd.npt=Y\n", "tcg", "npt", "base" },
		{ "l0.kvm_amd.npt=N\n", "tcg", "shadow", "base" },
		{ "l0.kvm_amd.npt=Y\n", "tcg", "npt", "patched" },
		{ "l0.kvm_amd.npt=N\n", "tcg", "shadow", "patched" },
	};
	_cleanup_free_ char *why = NULL;

	(void)state;
	assert_int_equal(environments_alike(v, ARRAY_SIZE(v), &why), ENVIRONMENT_ALIKE);
	assert_null(why);
	v[3].environment = "l0.kvm_amd.npt=Y\n";
	assert_int_equal(environments_alike(v, ARRAY_SIZE(v), &why), ENVIRONMENT_UNLIKE);
	assert_string_equal(why, "base, patched: l0.kvm_amd.npt is 'N', then 'Y'");
}

/* What decides whether a campaign may compare. */
static void shots_of_a_campaign(void **state)
{
	const struct kernel base = { 0 }, patched = { 0 };
	const struct cell *npt, *shadow;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *why = NULL, *again = NULL;
	struct shot v[4] = { 0 };
	const struct shots shots = { v, ARRAY_SIZE(v) };

	(void)state;
	assert_int_equal(cell_parse(NULL, "npt/npt", &npt, &e), 0);
	assert_int_equal(cell_parse(NULL, "shadow/shadow", &shadow, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		v[i].kernel = i % 2 ? &patched : &base;
		v[i].cells[0] = i < 2 ? npt : shadow;
		v[i].nr_cells = 1;
		v[i].boot.accel = (char *)(uintptr_t) "kvm";
		v[i].boot.environment = (char *)(uintptr_t)(i < 2 ? "p=Y\n" : "p=N\n");
	}
	assert_int_equal(shots_likeness(&shots, &base, &why), ENVIRONMENT_ALIKE);
	v[1].boot.environment = NULL;
	assert_int_equal(shots_likeness(&shots, &base, &why), ENVIRONMENT_FLAGGED);
	v[3].boot.environment = (char *)(uintptr_t) "p=Y\n";
	assert_int_equal(shots_likeness(&shots, &base, &again), ENVIRONMENT_UNLIKE);
	assert_string_equal(again, "base, patched: p is 'N', then 'Y'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_become_facts),
		cmocka_unit_test(foreign_words_are_bounded),
		cmocka_unit_test(unlike_keys_are_named),
		cmocka_unit_test(numbers_have_room),
		cmocka_unit_test(emulation_does_not_see_the_host),
		cmocka_unit_test(only_one_cell_is_compared),
		cmocka_unit_test(shots_of_a_campaign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
