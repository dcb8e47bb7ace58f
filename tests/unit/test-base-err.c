// SPDX-License-Identifier: GPL-3.0-or-later
/* The error value: codes, frames, hints, and hostile text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/err.h"
#include "core/base/safe.h"

static int inner(struct err *e)
{
	return err_set(e, ERR_HUNK, "hunk %d at line %d does not match", 3, 4411);
}

static void frames_innermost_first(void **state)
{
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(inner(&e), -ERR_HUNK);
	assert_int_equal(err_wrap(&e, "patch %d/%d '%s'", 3, 12, "KVM: x"), -ERR_HUNK);
	assert_int_equal(e.nr, 2);
	assert_string_equal(e.frame[0], "hunk 3 at line 4411 does not match");
	assert_string_equal(e.frame[1], "patch 3/12 'KVM: x'");
	assert_int_equal(err_hint(&e, "first"), -ERR_HUNK);
	err_hint(&e, "second");
	assert_string_equal(e.hint, "first");
}

static void set_replaces_everything(void **state)
{
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	inner(&e);
	err_wrap(&e, "outer");
	err_hint(&e, "hint");
	err_set(&e, ERR_USAGE, "new");
	assert_int_equal(e.code, ERR_USAGE);
	assert_int_equal(e.nr, 1);
	assert_null(e.hint);
}

static void too_many_frames_keep_the_root(void **state)
{
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	inner(&e);
	for (int i = 0; i < 20; i++)
		err_wrap(&e, "frame %d", i);
	assert_int_equal(e.nr, ARRAY_SIZE(e.frame));
	assert_non_null(strstr(e.frame[0], "hunk 3"));
	assert_string_equal(e.frame[e.nr - 1], "frame 19");
}

static void system_errors(void **state)
{
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(err_sys(&e, ENOENT, "cannot open '%s'", "x"), -ERR_IO);
	assert_string_equal(e.frame[0], "cannot open 'x': No such file or directory");
	assert_int_equal(e.sys, ENOENT);
	assert_int_equal(err_sys(&e, ENOSPC, "x"), -ERR_DISK_FULL);
	assert_int_equal(err_sys(&e, EDQUOT, "x"), -ERR_DISK_FULL);
}

static void controls_never_reach_the_terminal(void **state)
{
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	err_set(&e, ERR_IO, "%s",
		"a\x1b[31m\nb\x7f\xc2\x9b"
		"1mc \xc3\xa9");
	assert_string_equal(e.frame[0], "a?[31m?b???1mc \xc3\xa9");
	err_hint(&e, "%s", "x\x07\xc2");
	assert_string_equal(e.hint, "x??");
}

static void made_safe(const char *in, bool lines, const char *want)
{
	_cleanup_free_ char *s = xstrdup(in);

	assert_ptr_equal(safe_text(s, lines), s);
	assert_string_equal(s, want);
}

static void text_is_made_safe(void **state)
{
	(void)state;
	made_safe("", false, "");
	made_safe("a\nb\tc\r", true, "a\nb\tc?");
	made_safe("a\nb\tc", false, "a?b?c");
	made_safe("\xc2\x85 \xc2\xa0", false, "?? \xc2\xa0"); /* C1, no-break space */
	made_safe("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7", false,
		  "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7");
	made_safe("\xe2\x80\xae"
		  "evil\xe2\x81\xa9",
		  false, "???evil???"); /* bidi */
	made_safe("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80", false, "?? ??? ????");
	made_safe("cut \xe2\x82", false, "cut ??");
}

static void words_are_unique_and_come_back(void **state)
{
	(void)state;
	for (int code = ERR_USAGE; code <= ERR_NO_DIFFERENCE; code++) {
		const char *word = err_word((enum err_code)code);
		int exit_code = err_exit_code((enum err_code)code);

		assert_int_equal(err_from_word(word), code);
		assert_true(exit_code == 1 || exit_code == 125 || exit_code == 128 ||
			    exit_code == 129);
	}
	assert_int_equal(err_from_word("no such word"), ERR_NONE);
	assert_int_equal(err_exit_code(ERR_USAGE), 129);
	assert_int_equal(err_exit_code(ERR_HUNK), 1);
	assert_int_equal(err_exit_code(ERR_PANIC), 125);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_innermost_first),
		cmocka_unit_test(set_replaces_everything),
		cmocka_unit_test(too_many_frames_keep_the_root),
		cmocka_unit_test(system_errors),
		cmocka_unit_test(controls_never_reach_the_terminal),
		cmocka_unit_test(text_is_made_safe),
		cmocka_unit_test(words_are_unique_and_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
