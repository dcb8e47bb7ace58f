// SPDX-License-Identifier: GPL-3.0-or-later
/* Marks of the agent to events an operation; what is not known is never zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/counters.h"

static const struct counter_row *row(const char *name)
{
	for (size_t i = 0; counter_at(NULL, i); i++)
		if (!strcmp(counter_at(NULL, i)->name, name))
			return counter_at(NULL, i);
	fail_msg("no counter %s", name);
	return NULL;
}

/* Three marks of one counter, NULL where it is absent. */
static bool per_op(const char *name, const char *const v[3], uint64_t ops, double *ret)
{
	struct strv marks[3] = { STRV_INIT, STRV_INIT, STRV_INIT };
	bool known;

	for (int i = 0; i < 3; i++) {
		strv_addl(&marks[i], "stat:other", "7", NULL);
		if (v[i])
			strv_addl(&marks[i], name, v[i], NULL);
	}
	known = counter_per_op(row("kvm:kvm_nested_vmenter"), marks, ops, ret);
	for (int i = 0; i < 3; i++)
		strv_release(&marks[i]);
	return known;
}

static void test_known(void **state)
{
	double v = -1;

	(void)state;
	/* two marks cost 10 events, which are not the work's */
	assert_true(per_op("kvm:kvm_nested_vmenter",
			   (const char *const[]){ "100", "110", "2120" }, 1000, &v));
	assert_true(v == 2);
	/* a kernel of before the name was changed */
	assert_true(per_op("kvm:kvm_nested_vmrun",
			   (const char *const[]){ "0", "0", "500" }, 1000, &v));
	assert_true(v == 0.5);
	/* nothing happened: that is zero, and known */
	assert_true(per_op("kvm:kvm_nested_vmenter",
			   (const char *const[]){ "5", "9", "9" }, 1000, &v));
	assert_true(v == 0);
}

static void test_missing(void **state)
{
	static const char *const bad[][3] = {
		{ NULL, NULL, NULL },
		{ "1", "2", NULL },
		{ NULL, "1", "2" },
		{ "3", "2", "9" },
		{ "1", "9", "8" },
		{ "", "1", "2" },
		{ "1", "-1", "2" },
		{ "1", "2", "1e3" },
		{ "1", "2", "99999999999999999999" },
	};
	double v = -1;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(per_op("kvm:kvm_nested_vmenter", bad[i], 1000, &v));
	assert_false(per_op("kvm:kvm_nested_vmenter",
			    (const char *const[]){ "1", "2", "3" }, 0, &v));
	assert_false(per_op("kvm:kvm_nested_vmentry",
			    (const char *const[]){ "1", "2", "3" }, 9, &v));
	assert_true(v == -1);
}

static void test_names(void **state)
{
	_cleanup_strv_ struct strv names = STRV_INIT;

	(void)state;
	counter_names(NULL, &names);
	assert_true(strv_has(&names, "kvm:kvm_exit"));
	assert_true(strv_has(&names, "kvm:kvm_nested_vmrun"));
	assert_null(counter_at(NULL, SIZE_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
