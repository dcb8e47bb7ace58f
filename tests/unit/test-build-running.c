// SPDX-License-Identifier: GPL-3.0-or-later
/* The running kernel's configuration, from a root folder made for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/build/running.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static void put(const char *dir, const char *name, const char *text)
{
	_cleanup_free_ char *path = fs_path(dir, name);
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_mkdirs(dir, &e), 0);
	assert_int_equal(fs_write(path, text, strlen(text), &e), 0);
}

static void expect(const char *text)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(running_config(".", &b, &e), 0);
	assert_string_equal(buf_str(&b), text);
}

static void test_order(void **state)
{
	_cleanup_free_ char *name = NULL;
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv gzip = STRV_INIT;
	struct utsname u;

	(void)state;
	assert_int_equal(uname(&u), 0);
	name = xasprintf("config-%s", u.release);
	assert_true(running_config(".", &b, &e) < 0);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_non_null(e.hint);
	put("boot", "config-0.0.0-other", "CONFIG_OTHER=y\n");
	err_release(&e);
	assert_true(running_config(".", &b, &e) < 0);
	err_release(&e);
	put("boot", name, "CONFIG_BOOT=y\n");
	expect("CONFIG_BOOT=y\n");
	put("proc", "config", "CONFIG_PROC=y\n");
	strv_addl(&gzip, "gzip", "proc/config", NULL);
	assert_int_equal(
		spawn_check(&(struct spawn){ .argv = &gzip, .timeout_ms = 20000 }, &e),
		0);
	expect("CONFIG_PROC=y\n");
	put("proc", "config.gz", "no gzip");
	assert_true(running_config(".", &b, &e) < 0);
}

static int enter(void **state)
{
	char dir[] = "/tmp/kiln-running-XXXXXX";

	*state = mkdtemp(dir) && chdir(dir) == 0 ? xstrdup(dir) : NULL;
	return *state ? 0 : -1;
}

static int leave(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *dir = *state;

	return chdir("/") < 0 || fs_remove_tree(dir, &e) < 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };

	return cmocka_run_group_tests(tests, enter, leave);
}
