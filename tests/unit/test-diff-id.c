// SPDX-License-Identifier: GPL-3.0-or-later
/* Patch ids are those of git patch-id --stable. */
#include "core/git/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/spawn.h"

#define HUNK "@@ -1,3 +1,3 @@ fn\n a\n-b b\n+\tc\n d\n"
#define FILE_DIFF(n) \
	"diff --git a/" n " b/" n "\nindex 1..2 100644\n--- a/" n "\n+++ b/" n "\n" HUNK

static const char *const texts[] = {
	FILE_DIFF("x"),
	FILE_DIFF("x") FILE_DIFF("y"),
	FILE_DIFF("y") FILE_DIFF("x"),
	FILE_DIFF("x") HUNK,
	FILE_DIFF("x") "-- \n2.39.5\n\n",
	"text before\n---\n x | 2 +-\n\n" FILE_DIFF("x") "text behind\n" FILE_DIFF("y"),
	"diff -ruN a/x b/x\n--- a/x\t2026-01-02 03:04:05 +0100\n+++ b/x\t2026-01-02 "
	"03:04:06 "
	"+0100\n" HUNK,
	"diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to "
	"n\n" FILE_DIFF("x"),
	FILE_DIFF("x") "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename "
		       "to n\n",
	"diff --git a/m b/m\nold mode 100644\nnew mode 100755\n",
	"diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n" FILE_DIFF(
		"x"),
	"diff --git a/b b/b\nindex 1111..2222 100644\nGIT binary patch\nliteral "
	"1\nIcmZPo000310RR91\n\n" FILE_DIFF("x"),
	"diff --git a/b b/b\nindex 1111..2222 100644\nBinary files a/b and b/b "
	"differ\n" FILE_DIFF("x"),
	"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of "
	"file\n+b\n\\ No newline at end of file\n",
	"diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
	/* without a "diff" line git sees no patch */
	"--- a/x\n+++ b/x\n" HUNK,
};

/* What git says, owned by the caller; empty when there is no id. */
static char *git_says(const char *text)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	char *id;

	strv_addl(&argv, "git", "patch-id", "--stable", NULL);
	assert_int_equal(spawn_check(&(struct spawn){ .argv = &argv,
						      .timeout_ms = 60000,
						      .in = text,
						      .in_len = strlen(text),
						      .out = &out },
				     &e),
			 0);
	buf_addc(&out, ' ');
	id = buf_take(&out);
	*strchr(id, ' ') = '\0';
	return id;
}

static char *ours(const char *text)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (diff_parse(text, strlen(text), &d, &e) < 0)
		fail_msg("%s", e.frame[0]);
	return diff_patch_id(d);
}

static void test_same_as_git(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_free_ char *want = git_says(texts[i]);
		_cleanup_free_ char *got = ours(texts[i]);

		if (strcmp(got ? got : "", want))
			fail_msg("case %zu: '%s', git says '%s'", i, got ? got : "",
				 want);
	}
}

/* Blanks that mail took off empty context lines do not change the id; in git they do. */
static void test_stripped(void **state)
{
	static const char head[] =
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n";
	_cleanup_free_ char *whole = xasprintf("%s \n-a\n+b\n \n", head);
	_cleanup_free_ char *stripped = xasprintf("%s\n-a\n+b\n\n", head);
	_cleanup_free_ char *want = git_says(whole), *got = ours(stripped);

	(void)state;
	assert_string_equal(got, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_git),
		cmocka_unit_test(test_stripped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
