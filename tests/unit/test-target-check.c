// SPDX-License-Identifier: GPL-3.0-or-later
/* What a check makes of what a target says, a finding at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/check.h"
#include "boot/target/remote.h"
#include "core/base/alloc.h"

#define BOOT "11111111-2222-3333-4444-555555555555"
#define HEALTHY                                                                          \
	"kiln-probe 1\nuid 0\narch x86_64\ndisabled 0\nloaded 0\ncmdline ro\n"           \
	"kexec kexec-tools 2.0.25\nguests 0\ncpu svm\nkvm yes\nwatchdog yes\npstore 1\n" \
	"free 1000000\ntar yes\n"

static struct target lab = { .kind = TARGET_SSH, .watchdog_s = 60 };

/* The level of the first finding of that word; -1: there is none. */
static int level(const char *text, const char *what)
{
	_cleanup_target_findings_ struct target_findings f = { 0 };

	check_judge(&lab, text, &f);
	for (size_t i = 0; i < f.nr; i++)
		if (!strcmp(f.v[i].what, what) && f.v[i].level != FINDING_OK)
			return (int)f.v[i].level;
	return -1;
}

static void nothing_is_wrong(void **state)
{
	_cleanup_target_findings_ struct target_findings f = { 0 };

	(void)state;
	check_judge(&lab, HEALTHY, &f);
	assert_true(f.nr >= 4);
	for (size_t i = 0; i < f.nr; i++)
		assert_int_equal(f.v[i].level, FINDING_OK);
}

/* The healthy answer with one line put before it: the first value counts. */
static void one_thing_is_wrong(void **state)
{
	static const struct {
		const char *line, *what;
		enum finding_level level;
	} table[] = {
		{ "uid 1000", "root", FINDING_ERROR },
		{ "arch aarch64", "arch", FINDING_ERROR },
		{ "disabled 1", "kexec", FINDING_ERROR },
		{ "lockdown none [integrity] confidentiality", "lockdown",
		  FINDING_ERROR },
		{ "kexec kexec-tools 2.0.7 released", "kexec-tools", FINDING_WARN },
		{ "LOAD_KEXEC true", "load-kexec", FINDING_ERROR },
		{ "LOAD_KEXEC \"true\"", "load-kexec", FINDING_ERROR },
		{ "cmdline ro kiln.token=00", "base", FINDING_WARN },
		{ "grubfs btrfs", "grubenv", FINDING_WARN },
		{ "guests 2", "kvm-in-use", FINDING_ERROR },
		{ "nested N", "nested", FINDING_WARN },
		{ "cmdline ro kvm_amd.nested=0", "nested", FINDING_WARN },
		{ "cmdline kvm_intel.nested=N ro", "nested", FINDING_WARN },
		{ "cpu avx", "kvm", FINDING_WARN },
		{ "free 1024", "space", FINDING_ERROR },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_free_ char *text = xasprintf("%s\n" HEALTHY, table[i].line);

		assert_int_equal(level(HEALTHY, table[i].what), -1);
		assert_int_equal(level(text, table[i].what), (int)table[i].level);
	}
}

static void what_is_missing(void **state)
{
	(void)state;
	assert_int_equal(level("", "shell"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "root"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "kexec"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "kexec-tools"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "watchdog"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "tar"), FINDING_ERROR);
	assert_int_equal(level("kiln-probe 1\n", "console"), FINDING_WARN);
}

static void facts(void **state)
{
	struct remote_facts f = { 0 };

	(void)state;
	assert_true(remote_facts_parse("motd\n" BOOT "\nx86_64\n0\nro quiet\n", &f));
	assert_string_equal(f.boot_id, BOOT);
	assert_string_equal(f.cmdline, "ro quiet");
	remote_facts_release(&f);
	assert_false(remote_facts_parse("", &f));
	assert_false(remote_facts_parse(BOOT "\n", &f));
	assert_false(remote_facts_parse(BOOT "\nx86_64\nroot\nro\n", &f));
	assert_false(remote_facts_parse("no-boot-id\nx86_64\n0\nro\n", &f));
}

static void greetings(void **state)
{
	char *boot = NULL;
	enum wire_role role;

	(void)state;
	assert_true(wire_parse("kiln-at " BOOT " candidate", &boot, &role));
	assert_string_equal(boot, BOOT);
	assert_int_equal(role, WIRE_CANDIDATE);
	free(boot);
	assert_false(wire_parse("kiln-at " BOOT " emperor", &boot, &role));
	assert_false(wire_parse("kiln-at " BOOT, &boot, &role));
	assert_false(wire_parse("kiln-at x base", &boot, &role));
	assert_false(wire_parse("hello", &boot, &role));
}

/* A dump is the run's kernel's unless it shows another command line. */
static void whose_remains(void **state)
{
	(void)state;
	assert_true(
		remote_remains_ours("Panic#1\nCommand line: ro kiln.token=ab\n", "ab"));
	assert_false(remote_remains_ours("Command line: ro kiln.token=cd\n", "ab"));
	assert_false(remote_remains_ours("Command line: ro\n", "ab"));
	assert_true(remote_remains_ours("Panic#1\nthe end of a long log\n", "ab"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_wrong), cmocka_unit_test(one_thing_is_wrong),
		cmocka_unit_test(what_is_missing),  cmocka_unit_test(facts),
		cmocka_unit_test(greetings),	    cmocka_unit_test(whose_remains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
