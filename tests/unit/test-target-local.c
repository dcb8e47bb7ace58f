// SPDX-License-Identifier: GPL-3.0-or-later
/* What is arranged before this machine is rebooted, and how often it may happen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/target/local.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define OTHER "11111111-2222-3333-4444-555555555555"

static int setup(void **state)
{
	char dir[] = "/var/tmp/kiln-test.XXXXXX";

	if (!mkdtemp(dir) || setenv("KILN_HOME", dir, 1) < 0)
		return -1;
	*state = xstrdup(dir);
	return 0;
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

static struct target here(char *resume)
{
	static char name[] = "here", dir[] = "/var/tmp/kiln";

	return (struct target){ .name = name,
				.kind = TARGET_LOCAL,
				.dir = dir,
				.reboot = true,
				.resume = resume };
}

/* This machine is no candidate: the script does its work, and leaves nothing. */
static void script(void **state)
{
	struct target t = here(NULL);
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT, run = STRV_INIT;
	struct local_again again = { &argv, &env, "/bin/false" };
	_cleanup_free_ char *text = NULL;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &run, .timeout_ms = 60000, .out = &out };
	int status;

	(void)state;
	strv_addl(&argv, "/bin/sh", "-c", "echo \"$KILN_HOME|$1\"; exit 7", "sh",
		  "it's $HOME", NULL);
	strv_addl(&env, "KILN_HOME", "/a b/'c'\n;`d`", NULL);
	text = local_script(&t, &again);
	strv_addl(&run, "/bin/sh", "-c", text, NULL);
	assert_int_equal(spawn_run(&s, &status, NULL, &e), 0);
	assert_int_equal(status, 7);
	assert_string_equal(buf_str(&out), "/a b/'c'\n;`d`|it's $HOME\n");
}

static void unit(void **state)
{
	_cleanup_free_ char *path = fs_path(*state, "kiln-resume-here.service");
	_cleanup_free_ char *tool = fs_find_program("systemd-analyze");
	_cleanup_free_ char *text = local_unit("/var/lib/kiln/here.resume");
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf said = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv, .timeout_ms = 60000 };
	int status;

	assert_non_null(strstr(text, "\nExecStart=/bin/sh /var/lib/kiln/here.resume\n"));
	assert_non_null(
		strstr(text, "\nConditionPathExists=/var/lib/kiln/here.resume\n"));
	if (!tool) {
		print_message("systemd-analyze is not installed\n");
		skip();
	}
	assert_int_equal(fs_write(path, text, strlen(text), &e), 0);
	assert_int_equal(chmod(path, 0644), 0);
	strv_addl(&argv, tool, "verify", "--man=no", path, NULL);
	assert_int_equal(spawn_run(&s, &status, &said, &e), 0);
	/* it warns of units of this system too */
	assert_null(strstr(buf_str(&said), "kiln-resume-here"));
	assert_int_equal(status, 0);
}

static char *content(const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	return fs_exists(path) && fs_read(path, 4096, &b, &e) == 0 ? buf_take(&b) : NULL;
}

static void arming(void **state)
{
	_cleanup_free_ char *log = fs_path(*state, "log"), *said = NULL, *want = NULL;
	_cleanup_free_ char *command = xasprintf("echo >>'%s'", log), *path = NULL;
	struct target t = here(command);
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT;
	struct local_again again = { &argv, &env, "/bin/true" };
	_cleanup_err_ struct err e = { 0 };
	char failing[] = "false";

	path = local_script_path(&t);
	strv_add(&argv, "/bin/true");
	assert_int_equal(local_disarm(&t, &e), 0);
	assert_false(fs_exists(log));
	assert_int_equal(local_count(&t, &e), 0); /* and makes the folder */
	assert_int_equal(local_arm(&t, &again, &e), 0);
	assert_true(fs_exists(path));
	assert_int_equal(local_disarm(&t, &e), 0);
	assert_int_equal(local_disarm(&t, &e), 0);
	assert_false(fs_exists(path));
	said = content(log);
	want = xasprintf("on %s\noff\n", path);
	assert_string_equal(said, want);
	/* what cannot be arranged is not half arranged */
	t.resume = failing;
	assert_int_equal(local_arm(&t, &again, &e), -ERR_TOOL_FAILED);
	assert_false(fs_exists(path));
}

static void write_count(const struct target *t, const char *text)
{
	_cleanup_free_ char *script_path = local_script_path(t);
	_cleanup_free_ char *path = xstrndup(script_path, strlen(script_path) - 6);
	_cleanup_free_ char *file = xasprintf("%sstarts", path);
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_write(file, text, strlen(text), &e), 0);
}

static int count(const struct target *t)
{
	_cleanup_err_ struct err e = { 0 };

	return local_count(t, &e);
}

static void starts_are_counted(void **state)
{
	struct target t = here(NULL);
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(count(&t), 0);
	assert_int_equal(count(&t), -ERR_POLICY); /* in the same boot */
	write_count(&t, "2 " OTHER);
	assert_int_equal(count(&t), 0);
	write_count(&t, "3 " OTHER);
	assert_int_equal(count(&t), -ERR_POLICY);
	write_count(&t, "moon");
	assert_int_equal(count(&t), -ERR_POLICY);
	write_count(&t, "-1 " OTHER);
	assert_int_equal(count(&t), -ERR_POLICY);
	assert_int_equal(local_disarm(&t, &e), 0);
	assert_int_equal(count(&t), 0);
}

static void refuse(const struct target *t, const char *text)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(local_check(t, &e), -ERR_POLICY);
	assert_non_null(strstr(e.frame[0], text));
	assert_non_null(e.hint);
}

static void refused(void **state)
{
	char command[] = "true", dir[] = "/dev/shm/kiln";
	struct target t = here(command);
	_cleanup_err_ struct err e = { 0 };

	if (geteuid() != 0) {
		refuse(&t, "only root");
		skip();
	}
	assert_int_equal(local_check(&t, &e), 0);
	t.reboot = false;
	refuse(&t, "may not reboot it");
	t = here(NULL);
	if (!local_has_systemd())
		refuse(&t, "systemd does not run here");
	t = here(command);
	t.dir = dir;
	if (local_is_volatile(dir))
		refuse(&t, "in memory");
	t = here(command);
	assert_int_equal(setenv("KILN_HOME", "/var/tmp/a b", 1), 0);
	refuse(&t, "cannot be given the path");
	assert_int_equal(setenv("KILN_HOME", *state, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(script),
		cmocka_unit_test_setup_teardown(unit, setup, teardown),
		cmocka_unit_test_setup_teardown(arming, setup, teardown),
		cmocka_unit_test_setup_teardown(starts_are_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
