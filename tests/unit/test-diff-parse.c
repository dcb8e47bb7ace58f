// SPDX-License-Identifier: GPL-3.0-or-later
/* Which texts are diffs, of which files; what is corrupt and what is unsafe. */
#include "core/git/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"

#define NAMES(a, b) "diff --git a/" a " b/" b "\n"
#define PAIR(a, b) "--- a/" a "\n+++ b/" b "\n"
#define HUNK "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"

struct good {
	const char *text;
	const char *paths; /* joined by '|' */
	size_t hunks;	   /* of all files */
};

static const struct good good[] = {
	{ NAMES("x", "x") "index 1..2 100644\n" PAIR("x", "x") HUNK, "x", 1 },
	/* mail text around, a signature behind */
	{ "Hello,\n\nsee below\n---\n x | 2 +-\n\n" NAMES("x", "x") PAIR("x", "x") HUNK
	  "-- \n2.39\n",
	  "x", 1 },
	/* a list footer directly behind the hunk */
	{ NAMES("x", "x") PAIR("x", "x") HUNK "_____\nlist mailing list\n", "x", 1 },
	/* a quoted "diff --git" with nothing behind it is text */
	{ NAMES("q", "q") "is what I meant\n" NAMES("x", "x") PAIR("x", "x") HUNK, "x",
	  1 },
	{ PAIR("x", "x") HUNK, "x", 1 },
	{ "--- x.orig\n+++ x\n" HUNK, "x", 1 },
	{ "--- a/x\t2026-01-02 03:04:05.000000000 +0100\n+++ b/x\t2026-01-02 "
	  "03:04:06 +0100\n" HUNK,
	  "x", 1 },
	{ "--- a/x 2026-01-02 03:04:05\n+++ b/x 2026-01-02 03:04:06\n" HUNK, "x", 1 },
	{ "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "n", 1 },
	{ "--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "d", 1 },
	/* two diffs of one file */
	{ NAMES("x", "x") PAIR("x", "x") HUNK NAMES("x", "x") PAIR("x", "x") HUNK, "x",
	  2 },
	{ NAMES("a b", "a b") "--- a/a b\t\n+++ b/a b\t\n" HUNK, "a b", 1 },
	{ "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ "
	  "\"b/\\303\\244\"\n" HUNK,
	  "\303\244", 1 },
	{ "diff --git \"a/t\\tq\\\"\" \"b/t\\tq\\\"\"\nold mode 100644\nnew mode "
	  "100755\n",
	  "t\tq\"", 0 },
	{ NAMES("o", "n") "similarity index 100%\nrename from o\nrename to n\n", "o|n",
	  0 },
	{ NAMES("o", "n") "similarity index 80%\ncopy from o\ncopy to n\n" PAIR("o", "n")
		  HUNK,
	  "o|n", 1 },
	{ NAMES("e", "e") "new file mode 100644\nindex 0..e69de29\n", "e", 0 },
	{ NAMES("e", "e") "deleted file mode 100644\nindex e69de29..0\n", "e", 0 },
	{ NAMES("l", "l") "new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n"
			  "+to\n\\ No newline at end of file\n",
	  "l", 1 },
	{ NAMES("s", "s") "index 1..2 160000\n" PAIR(
		  "s", "s") "@@ -1 +1 @@\n-Subproject "
			    "commit 1\n+Subproject commit 2\n",
	  "s", 1 },
	/* blanks at line ends got lost */
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1,3 +1,3 @@\n\n-b\n+c\n\n", "x", 1 },
	{ NAMES("b", "b") "index 1..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n",
	  "b", 0 },
	{ NAMES("b", "b") "index 1..2\nBinary files a/b and b/b differ\n", "b", 0 },
	{ NAMES("m", "m") "old mode 100644\nnew mode 100755\n" NAMES("x", "x")
		  PAIR("x", "x") HUNK,
	  "m|x", 1 },
	/* two names without a word about a rename are one */
	{ NAMES("x", "x") PAIR("x", "y") HUNK, "x|y", 1 },
	/* CRLF */
	{ "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", "x", 1 },
	{ NAMES("x", "x") "unknown header line\n" PAIR("x", "x") HUNK, "x", 1 },
};

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		_cleanup_diff_ struct diff *d = NULL;
		_cleanup_err_ struct err e = { 0 };
		_cleanup_strv_ struct strv paths = STRV_INIT;
		_cleanup_free_ char *joined = NULL;
		size_t hunks = 0;

		if (diff_parse(good[i].text, strlen(good[i].text), &d, &e) < 0)
			fail_msg("case %zu: %s", i, e.frame[0]);
		diff_paths(d, &paths);
		joined = strv_join(&paths, "|");
		assert_string_equal(joined, good[i].paths);
		for (size_t k = 0; k < d->nr; k++)
			hunks += d->files[k].nr_hunks;
		assert_int_equal(hunks, good[i].hunks);
	}
}

struct bad {
	const char *text;
	enum err_code code;
	const char *says;
};

static const struct bad bad[] = {
	{ "", ERR_BAD_PATCH, "no diff" },
	{ "only text\n", ERR_BAD_PATCH, "no diff" },
	{ "@@ -1 +1 @@\n-a\n+b\n", ERR_BAD_PATCH, "line 1" },
	{ NAMES("x", "x") PAIR("x", "x") HUNK "\n@@ -9 +9 @@\n-a\n+b\n", ERR_BAD_PATCH,
	  "line 10" },
	/* counts larger than the body */
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n",
	  ERR_BAD_PATCH, "ends inside a hunk" },
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\nfoot\n",
	  ERR_BAD_PATCH, "line 9" },
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1,2 +1 @@\n+c\n+d\n", ERR_BAD_PATCH,
	  "does not fit" },
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1 +1 @@\n a\n", ERR_BAD_PATCH,
	  "without a change" },
	{ NAMES("x", "x") PAIR("x", "x") "@@ -1,99999999999 +1 @@\n-a\n", ERR_BAD_PATCH,
	  "header" },
	{ NAMES("o", "n") "rename from o\nrename to n\n" PAIR("o", "x") HUNK,
	  ERR_BAD_PATCH, "contradicting" },
	{ NAMES("o", "n") "rename from o\n", ERR_BAD_PATCH, "no file name" },
	{ NAMES("x", "x") "index 1..2 100644\n", ERR_BAD_PATCH, "changes nothing" },
	{ NAMES("x", "x") "new file mode 100644\ndeleted file mode 100644\n",
	  ERR_BAD_PATCH, "contradicting" },
	{ NAMES("x", "x") "old mode 100644\nnew mode 040000\n", ERR_BAD_PATCH, "mode" },
	{ NAMES("n", "n") "new file mode 100644\n--- /dev/null\n+++ b/n\n" HUNK,
	  ERR_BAD_PATCH, "has old lines" },
	{ NAMES("b", "b") "index 1..2\nGIT binary patch\nliteral 99\nzcc\n\n",
	  ERR_BAD_PATCH, "corrupt binary" },
	{ NAMES("b", "b") "index 1..2\nGIT binary patch\nnonsense\n", ERR_BAD_PATCH,
	  "corrupt binary" },
	{ "--- a/../x\n+++ b/../x\n" HUNK, ERR_UNSAFE_PATH, "'../x'" },
	{ "--- a/x/../../y\n+++ b/x/../../y\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/.git/config\n+++ b/.git/config\n" HUNK, ERR_UNSAFE_PATH, ".git/config" },
	{ "--- a/s/.GiT/x\n+++ b/s/.GiT/x\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/.git \n+++ b/.git \n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/.git::$INDEX_ALLOCATION/x\n+++ b/.git::$INDEX_ALLOCATION/x\n" HUNK,
	  ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/GIT~1/x\n+++ b/GIT~1/x\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/s\\.git\\x\n+++ b/s\\.git\\x\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/.g\342\200\214it/x\n+++ b/.g\342\200\214it/x\n" HUNK, ERR_UNSAFE_PATH,
	  "not safe" },
	{ "--- a/c:/x\n+++ b/c:/x\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ "--- a/./x\n+++ b/./x\n" HUNK, ERR_UNSAFE_PATH, "not safe" },
	{ NAMES("x", "/etc/x") "rename from x\nrename to /etc/x\n", ERR_UNSAFE_PATH,
	  "'/etc/x'" },
	{ NAMES("x", ".git/x") "copy from x\ncopy to .git/x\n", ERR_UNSAFE_PATH,
	  "not safe" },
	{ NAMES(".gitmodules", ".gitmodules") "new file mode 120000\n", ERR_UNSAFE_PATH,
	  "not safe" },
};

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct diff *d = NULL;
		_cleanup_err_ struct err e = { 0 };
		int r = diff_parse(bad[i].text, strlen(bad[i].text), &d, &e);

		if (r == 0)
			fail_msg("case %zu parsed", i);
		if (e.code != bad[i].code || !strstr(e.frame[0], bad[i].says))
			fail_msg("case %zu: %s: %s", i, err_word(e.code), e.frame[0]);
		assert_null(d);
	}
}

/* Names near .git that are fine. */
static void test_harmless_names(void **state)
{
	static const char *const names[] = { ".gitignore", ".github/x",	  "git",
					     "x.git/y",	   ".gitmodules", "..x/y",
					     "a.../b" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *text =
			xasprintf("--- a/%s\n+++ b/%s\n" HUNK, names[i], names[i]);
		_cleanup_diff_ struct diff *d = NULL;
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(diff_parse(text, strlen(text), &d, &e), 0);
	}
}

/* A name without folder in a plain diff: nothing to strip, for the rest of the mail too.
 */
static void test_strip_guess(void **state)
{
	static const char text[] = "--- x\n+++ x\n" HUNK "--- s/y\n+++ s/y\n" HUNK;
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv paths = STRV_INIT;

	(void)state;
	assert_int_equal(diff_parse(text, strlen(text), &d, &e), 0);
	diff_paths(d, &paths);
	assert_int_equal(paths.nr, 2);
	assert_string_equal(paths.v[1], "s/y");
}

/* diff -N dates what is not there at the epoch, in any zone. */
static void test_epoch(void **state)
{
	static const char text[] =
		"--- a/n\t1970-01-01 01:00:00.000000000 +0100\n+++ b/n\t2026-01-01 "
		"00:00:00.000000000 +0100\n@@ -0,0 +1 @@\n+x\n"
		"--- a/o\t2026-01-01 00:00:00.000000000 +0100\n+++ b/o\t1969-12-31 "
		"16:00:00.000000000 -0800\n@@ -1 +0,0 @@\n-x\n";
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(diff_parse(text, strlen(text), &d, &e), 0);
	assert_int_equal(d->files[0].is_new, 1);
	assert_null(d->files[0].old_name);
	assert_int_equal(d->files[1].is_delete, 1);
	assert_null(d->files[1].new_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	       cmocka_unit_test(test_bad),
		cmocka_unit_test(test_harmless_names), cmocka_unit_test(test_strip_guess),
		cmocka_unit_test(test_epoch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
