// SPDX-License-Identifier: GPL-3.0-or-later
/* What a task's command needs to come along, and the words that start it there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/target/carry.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static int setup(void **state)
{
	char *dir = xstrdup("/tmp/kiln-carry-XXXXXX");

	*state = mkdtemp(dir);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

/* A script of that text; its path, owned by the caller. */
static char *script(void **state, const char *text)
{
	_cleanup_err_ struct err e = { 0 };
	char *path = fs_path(*state, "script");

	assert_int_equal(fs_write(path, text, strlen(text), &e), 0);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

/* The words of a command, joined by blanks. Owned by the caller. */
static char *words(const struct carry *c)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	carry_words(c, "/boot/", "x-", &b);
	for (size_t i = 0; i + 1 < b.len; i++)
		if (!b.data[i])
			b.data[i] = ' ';
	return xstrdup(buf_str(&b));
}

static void test_script(void **state)
{
	_cleanup_free_ char *path = script(state, "#! /bin/sh  -e x\necho\n"), *w = NULL;
	_cleanup_strv_ struct strv from = STRV_INIT, to = STRV_INIT;
	_cleanup_carry_ struct carry c = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(carry_make(path, &c, &e), 0);
	w = words(&c);
	assert_string_equal(w, "/boot/x-ld.so --library-path /boot/x-lib /boot/x-program "
			       "-e x /boot/x-script");
	carry_files(&c, "x-", &from, &to);
	assert_int_equal(from.nr, to.nr);
	assert_true(strv_has(&from, path) && strv_has(&to, "x-script"));
	assert_true(strv_has(&to, "x-lib/libc.so.6"));
	for (size_t i = 0; i < to.nr; i++)
		assert_true(fs_exists(from.v[i]) && !strncmp(to.v[i], "x-", 2));
}

static void test_dynamic_program(void **state)
{
	_cleanup_carry_ struct carry c = { 0 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *w = NULL;

	(void)state;
	assert_int_equal(carry_make("/bin/ls", &c, &e), 0);
	w = words(&c);
	assert_string_equal(w,
			    "/boot/x-ld.so --library-path /boot/x-lib /boot/x-program");
}

static void test_bad(void **state)
{
	static const char *const bad[] = { "echo no line\n", "#!\n",	     "#!sh\n",
					   "#! \t\n",	     "#!/no/such\n", "" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_free_ char *path = script(state, bad[i]);
		_cleanup_carry_ struct carry c = { 0 };
		_cleanup_err_ struct err e = { 0 };

		assert_true(carry_make(path, &c, &e) < 0);
		assert_true(e.nr > 0);
		assert_null(c.binary.path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script),
		cmocka_unit_test(test_dynamic_program),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
