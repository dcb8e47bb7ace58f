// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/build/config.h"

static const char final[] = "#\n# Automatically generated file; DO NOT EDIT.\n#\n"
			    "CONFIG_64BIT=y\n"
			    "CONFIG_KVM=y\n"
			    "CONFIG_KVM_AMD=m\n"
			    "# CONFIG_VT is not set\n"
			    "CONFIG_LOCALVERSION=\"-kiln x\"\n"
			    "CONFIG_NR_CPUS=4\n";

static void test_value(void **state)
{
	static const struct {
		const char *symbol, *value;
	} cases[] = {
		{ "CONFIG_KVM", "y" },	   { "CONFIG_KVM_AMD", "m" },
		{ "CONFIG_VT", "n" },	   { "CONFIG_ABSENT", "n" },
		{ "CONFIG_NR_CPUS", "4" }, { "CONFIG_LOCALVERSION", "\"-kiln x\"" },
		{ "CONFIG_KV", "n" },	   { "CONFIG_64BIT", "y" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *v = config_value(final, cases[i].symbol);

		assert_string_equal(v, cases[i].value);
	}
}

static void test_kept(void **state)
{
	static const char *const fragments[] = {
		"",
		"# only a comment\n\n",
		"CONFIG_KVM=y\nCONFIG_NR_CPUS=4",
		"# CONFIG_VT is not set\nCONFIG_ABSENT=n\n",
		"CONFIG_LOCALVERSION=\"-kiln x\"\n",
		"CONFIG_KVM=n\nCONFIG_KVM=y\n", /* the last one counts */
		"CONFIG_KVM=y  \r\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fragments); i++) {
		struct config_lost lost = { 0 };

		assert_int_equal(config_check(fragments[i], final, &lost), 0);
	}
}

static void test_lost(void **state)
{
	static const struct {
		const char *fragment, *symbol, *wanted, *now;
	} cases[] = {
		{ "CONFIG_KVM=y\nCONFIG_9P_FS=y\n", "CONFIG_9P_FS", "y", "n" },
		{ "CONFIG_KVM_AMD=y\n", "CONFIG_KVM_AMD", "y", "m" },
		{ "CONFIG_VT=y\n", "CONFIG_VT", "y", "n" },
		{ "# CONFIG_KVM is not set\n", "CONFIG_KVM", "n", "y" },
		{ "CONFIG_KVM=n\n", "CONFIG_KVM", "n", "y" },
		{ "CONFIG_NR_CPUS=40\n", "CONFIG_NR_CPUS", "40", "4" },
		{ "CONFIG_LOCALVERSION=\"-kiln\"\n", "CONFIG_LOCALVERSION", "\"-kiln\"",
		  "\"-kiln x\"" },
		{ "CONFIG_KVM=y\nCONFIG_KVM=n\n", "CONFIG_KVM", "n", "y" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct config_lost lost = { 0 };

		assert_int_equal(config_check(cases[i].fragment, final, &lost), 1);
		assert_string_equal(lost.symbol, cases[i].symbol);
		assert_string_equal(lost.wanted, cases[i].wanted);
		assert_string_equal(lost.now, cases[i].now);
		config_lost_release(&lost);
	}
}

static void test_validate(void **state)
{
	static const char *const good[] = { "", "\n\n", "CONFIG_A=y\n",
					    "#x\nCONFIG_A=\"\"",
					    "# CONFIG_A is not set\n" };
	static const char *const bad[] = { "A=y\n",	     "CONFIG_A\n",
					   "CONFIG_A=\n",    "CONFIG_=y\n",
					   "CONFIG_A-B=y\n", "CONFIG_A y\n",
					   " CONFIG_A=y\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(config_validate(good[i], "f", &e), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };

		assert_true(config_validate(bad[i], "f", &e) < 0);
		assert_int_equal(e.code, ERR_CONFIG);
		assert_non_null(strstr(e.frame[0], "line 1"));
	}
}

static void test_unaffected(void **state)
{
	static const char code[] = "arch/x86/kvm/svm/nested.c\0include/linux/kvm.h\0"
				   "Documentation/virt/kvm/api.rst";
	static const char *const no[] = {
		"arch/x86/kvm/Kconfig",
		"init/Kconfig.cpu",
		"Makefile",
		"arch/x86/Makefile",
		"scripts/kconfig/conf.c",
		"scripts/cc-version.sh",
		"tools/objtool/check.c",
		"arch/x86/configs/tiny.config",
		"a.c.bak",
		".c",
	};

	(void)state;
	assert_true(config_unaffected("", 0));
	assert_true(config_unaffected(code, sizeof(code)));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		assert_false(config_unaffected(no[i], strlen(no[i]) + 1));
}

static void check_diff(const char *old, const char *new, const char *expected)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_free_ char *joined = NULL;

	config_diff(old, new, &lines);
	joined = strv_join(&lines, "|");
	assert_string_equal(joined, expected);
}

static void test_diff(void **state)
{
	(void)state;
	check_diff("", "", "");
	check_diff("CONFIG_A=y\n", "CONFIG_A=y\n# CONFIG_B is not set\n", "");
	check_diff("CONFIG_B=y\nCONFIG_A=m\n", "# CONFIG_A is not set\nCONFIG_C=7\n",
		   "# CONFIG_A is not set|# CONFIG_B is not set|CONFIG_C=7");
	check_diff("CONFIG_A=y\nCONFIG_A=m\n", "CONFIG_A=m\n", "");
	check_diff("CONFIG_AB=y\n", "CONFIG_A=y\nCONFIG_AB=y\n", "CONFIG_A=y");
	check_diff("CONFIG_A=\"x\"\n", "CONFIG_A=\"x y\"", "CONFIG_A=\"x y\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value),	   cmocka_unit_test(test_kept),
		cmocka_unit_test(test_lost),	   cmocka_unit_test(test_validate),
		cmocka_unit_test(test_unaffected), cmocka_unit_test(test_diff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
