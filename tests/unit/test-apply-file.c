// SPDX-License-Identifier: GPL-3.0-or-later
/* One diff on one small tree: where hunks go, what the tree holds after, why not. */
#include "core/git/apply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static char *dir;
static struct repo *repo;
static struct oid base;

static void git(const char *script)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };

	strv_addl(&argv, "sh", "-ec", script, NULL);
	if (spawn_check(&(struct spawn){ .argv = &argv, .dir = dir, .timeout_ms = 60000 },
			&e) < 0)
		fail_msg("%s", e.frame[0]);
}

static int setup(void **state)
{
	char template[] = "/tmp/kiln-apply-XXXXXX";
	struct err e = { 0 };

	(void)state;
	dir = xstrdup(mkdtemp(template));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	git("git init -q -b main . && git config user.name A && git config user.email "
	    "a@b.c\n"
	    "printf 'a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\n' >eight\n"
	    "printf 'x\\ny\\nx\\ny\\nx\\ny\\nx\\ny\\n' >twice\n"
	    "printf 'a\\nb' >no-eol; printf 'a\\r\\nb\\r\\n' >crlf; : >empty\n"
	    "mkdir dir; echo 1 >dir/one; echo 2 >dir/two; ln -s dir link\n"
	    "printf '#!/bin/sh\\n' >run; chmod +x run; printf '\\0\\1\\2' >bin\n"
	    "git add -A\n"
	    "git update-index --add --cacheinfo "
	    "160000,1111111111111111111111111111111111111111,sub\n"
	    "git commit -q -m base");
	return repo_open(dir, &repo, &e) < 0 || repo_resolve(repo, "HEAD", &base, &e) < 0;
}

static int teardown(void **state)
{
	struct err e = { 0 };

	(void)state;
	repo_free(repo);
	if (fs_remove_tree(dir, &e) < 0)
		return -1;
	free(dir);
	return 0;
}

/* Apply one diff to the base. The result is NULL when the error is no verdict. */
static int apply(const char *diff, struct apply_result **ret, struct err *e)
{
	_cleanup_series_ struct series *s = series_new();
	struct patch *p = series_add_patch(s);
	struct apply_opts o = { .onto = base };

	s->total = p->number = 1;
	p->subject = xstrdup("subject");
	p->message = xstrdup("subject\n");
	p->message_id = xstrdup("1@x");
	p->author_name = xstrdup("A");
	p->author_email = xstrdup("a@b.c");
	p->date = 1700000000;
	buf_adds(&p->diff, diff);
	return apply_series(repo, s, &o, ret, e);
}

struct works {
	const char *diff, *path;
	const char *text;  /* NULL = the path is gone */
	const char *other; /* a path that is gone, too */
	bool offset;
};

#define EIGHT "--- a/eight\n+++ b/eight\n"
#define TWICE "--- a/twice\n+++ b/twice\n"
#define G(x) "diff --git a/" x " b/" x "\n"

static const struct works works[] = {
	{ EIGHT "@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f\n", "eight",
	  "a\nb\nc\nD\ne\nf\ng\nh\n", NULL, false },
	{ EIGHT "@@ -4,3 +5,3 @@\n c\n-d\n+D\n e\n", "eight", "a\nb\nc\nD\ne\nf\ng\nh\n",
	  NULL, true },
	/* at both ends */
	{ EIGHT "@@ -1,2 +1,3 @@\n+0\n a\n b\n", "eight", "0\na\nb\nc\nd\ne\nf\ng\nh\n",
	  NULL, false },
	{ EIGHT "@@ -7,2 +7,3 @@\n g\n h\n+i\n", "eight", "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
	  NULL, false },
	/* without context behind it a hunk belongs at the end, wherever it says */
	{ EIGHT "@@ -2,2 +2,3 @@\n g\n h\n+i\n", "eight", "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
	  NULL, true },
	/* of two places the nearer one, of two as near the later */
	{ TWICE "@@ -4,3 +4,4 @@\n x\n+new\n y\n x\n", "twice",
	  "x\ny\nx\ny\nx\nnew\ny\nx\ny\n", NULL, true },
	/* lines of an earlier hunk are not matched again */
	{ TWICE "@@ -2,3 +2,3 @@\n y\n-x\n+x\n y\n@@ -2,3 +2,3 @@\n y\n-x\n+z\n y\n",
	  "twice", "x\ny\nx\ny\nx\ny\nz\ny\n", NULL, true },
	{ "--- a/no-eol\n+++ b/no-eol\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of "
	  "file\n+b\n",
	  "no-eol", "a\nb\n", NULL, false },
	{ EIGHT "@@ -6,3 +6,3 @@\n f\n g\n-h\n+h\n\\ No newline at end of file\n",
	  "eight", "a\nb\nc\nd\ne\nf\ng\nh", NULL, false },
	{ "--- a/crlf\n+++ b/crlf\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", "crlf",
	  "a\r\nc\r\n", NULL, false },
	{ "--- /dev/null\n+++ b/new/deep/file\n@@ -0,0 +1 @@\n+x\n", "new/deep/file",
	  "x\n", NULL, false },
	/* a plain diff does not say that the file is new */
	{ "--- a/fresh\n+++ b/fresh\n@@ -0,0 +1 @@\n+x\n", "fresh", "x\n", NULL, false },
	{ "--- a/empty\n+++ b/empty\n@@ -0,0 +1 @@\n+x\n", "empty", "x\n", NULL, false },
	{ G("e2") "new file mode 100644\nindex 0..e69de29\n", "e2", "", NULL, false },
	{ G("empty") "deleted file mode 100644\nindex e69de29..0\n", "empty", NULL, NULL,
	  false },
	{ G("dir/one") "deleted file mode 100644\n--- a/dir/one\n+++ /dev/null\n@@ -1 "
		       "+0,0 "
		       "@@\n-1\n",
	  "dir/two", "2\n", "dir/one", false },
	/* the folder goes with its last file, and a file may take its name */
	{ G("dir/one") "deleted file mode 100644\n--- a/dir/one\n+++ /dev/null\n@@ -1 "
		       "+0,0 "
		       "@@\n-1\n" G(
			       "dir/two") "deleted file mode 100644\n--- a/dir/two\n+++ "
					  "/dev/null\n@@ -1 +0,0 @@\n-2\n" G(
						  "dir") "new file mode 100644\n--- "
							 "/dev/null\n+++ b/dir\n@@ "
							 "-0,0 +1 @@\n+file\n",
	  "dir", "file\n", "dir/one", false },
	{ "diff --git a/eight b/moved\nsimilarity index 90%\nrename from eight\nrename "
	  "to "
	  "moved\n--- a/eight\n+++ b/moved\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
	  "moved", "a\nB\nc\nd\ne\nf\ng\nh\n", "eight", false },
	/* two files swap names */
	{ "diff --git a/no-eol b/twice\nsimilarity index 100%\nrename from "
	  "no-eol\nrename "
	  "to twice\ndiff --git a/twice b/no-eol\nsimilarity index 100%\nrename from "
	  "twice\nrename to no-eol\n",
	  "twice", "a\nb", NULL, false },
	/* a copy takes the file as it was, whatever came before */
	{ EIGHT "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\ndiff --git a/eight b/copy\nsimilarity "
		"index 100%\ncopy from eight\ncopy to copy\n",
	  "copy", "a\nb\nc\nd\ne\nf\ng\nh\n", NULL, false },
	/* two diffs of one file go one on the other */
	{ EIGHT "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n" EIGHT
		"@@ -1,3 +1,3 @@\n-A\n+AA\n b\n c\n",
	  "eight", "AA\nb\nc\nd\ne\nf\ng\nh\n", NULL, false },
	/* a file becomes a link: git writes it as two diffs */
	{ G("no-eol") "deleted file mode 100644\n--- a/no-eol\n+++ /dev/null\n@@ -1,2 "
		      "+0,0 "
		      "@@\n-a\n-b\n\\ No newline at end of file\n" G(
			      "no-eol") "new file mode 120000\n--- /dev/null\n+++ "
					"b/no-eol\n"
					"@@ -0,0 +1 @@\n+dir\n\\ No newline at end of "
					"file\n",
	  "no-eol", "dir", NULL, false },
	{ G("bin") "index 0f2c7a5fa9e4df72d2ba2a1a1ee5aa5db3bd9ca1.."
		   "0f2c7a5fa9e4df72d2ba2a1a1ee5aa5db3bd9ca1 100644\n" G(
			   "empty") "deleted file mode 100644\nindex e69de29..0\n",
	  NULL, NULL, NULL, false },
};

static void check(size_t i)
{
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	const struct works *w = &works[i];
	int r = apply(w->diff, &a, &e);

	if (!w->path) {
		assert_int_equal(r, -ERR_BAD_PATCH);
		return;
	}
	if (r < 0)
		fail_msg("case %zu: %s", i, e.frame[0]);
	r = repo_read_file(repo, &a->head, w->path, &b, &e);
	if (!w->text)
		assert_int_equal(r, -ERR_NO_FILE);
	else if (r < 0 || strcmp(buf_str(&b), w->text))
		fail_msg("case %zu: '%s'", i, buf_str(&b));
	if (w->other)
		assert_int_equal(repo_read_file(repo, &a->head, w->other, &b, &e),
				 -ERR_NO_FILE);
	if (w->offset != (a->commits[0].method == APPLY_OFFSET))
		fail_msg("case %zu: %s", i, apply_method_name(a->commits[0].method));
}

static void test_works(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		check(i);
}

struct fails {
	const char *diff;
	enum err_code code;
	const char *path;
	int hunk;
	const char *says;
};

static const struct fails fails[] = {
	{ EIGHT "@@ -2,3 +2,3 @@\n b\n-X\n+D\n d\n", ERR_HUNK, "eight", 1,
	  "hunk 1 of 1 at line 2 does not match: line 3 is 'c', the patch expects 'X'" },
	{ EIGHT "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -6,3 +6,3 @@\n f\n-X\n+g\n h\n",
	  ERR_HUNK, "eight", 2, "hunk 2 of 2 at line 6" },
	{ EIGHT "@@ -1,2 +1,3 @@\n c\n+new\n d\n", ERR_HUNK, "eight", 1,
	  "its lines are at 3, but it belongs at the start" },
	{ EIGHT "@@ -3,2 +3,3 @@\n c\n d\n+new\n", ERR_HUNK, "eight", 1,
	  "its lines are at 3, but it belongs at the end" },
	/* no context at all: only the end would do */
	{ EIGHT "@@ -3 +3 @@\n-c\n+C\n", ERR_HUNK, "eight", 1, "belongs at the end" },
	{ EIGHT "@@ -7,4 +7,4 @@\n g\n h\n-i\n+I\n j\n", ERR_HUNK, "eight", 1,
	  "the file ends after line 8, the patch goes on with 'i'" },
	{ "--- a/crlf\n+++ b/crlf\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", ERR_HUNK, "crlf", 1,
	  "" },
	{ "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n", ERR_NO_FILE, "none", 0,
	  "no such file" },
	{ "--- a/dir\n+++ b/dir\n@@ -1 +1 @@\n-a\n+b\n", ERR_NO_FILE, "dir", 0,
	  "no such file" },
	{ "--- /dev/null\n+++ b/eight\n@@ -0,0 +1 @@\n+x\n", ERR_EXISTS, "eight", 0,
	  "already exists" },
	{ "--- /dev/null\n+++ b/eight/x\n@@ -0,0 +1 @@\n+x\n", ERR_EXISTS, "eight", 0,
	  "both a file and a folder" },
	{ "--- /dev/null\n+++ b/dir\n@@ -0,0 +1 @@\n+x\n", ERR_EXISTS, "dir", 0,
	  "both a file and a folder" },
	{ "diff --git a/eight b/twice\nrename from eight\nrename to twice\n", ERR_EXISTS,
	  "twice", 0, "already exists" },
	{ G("dir/one") "deleted file mode 100644\n--- a/dir/one\n+++ /dev/null\n@@ -1 "
		       "+0,0 "
		       "@@\n-9\n",
	  ERR_HUNK, "dir/one", 1, "none of its lines is in the file" },
	{ G("eight") "deleted file mode 100644\n", ERR_HUNK, "eight", 0,
	  "leaves 16 bytes" },
	{ G("link") "index 1..2 100644\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-dir\n+x\n",
	  ERR_HUNK, "link", 0, "another type of file" },
	{ G("eight") "old mode 100644\nnew mode 120000\n", ERR_BAD_PATCH, "eight", 0,
	  "mode" },
	/* beyond links, those of the tree and those of the patch */
	{ "--- /dev/null\n+++ b/link/x\n@@ -0,0 +1 @@\n+x\n", ERR_UNSAFE_PATH, "link/x",
	  0, "beyond the symbolic link 'link'" },
	{ "--- a/link/one\n+++ b/link/one\n@@ -1 +1 @@\n-1\n+x\n", ERR_UNSAFE_PATH,
	  "link/one", 0, "beyond" },
	{ G("l") "new file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n" G(
		  "l/x") "new file mode 100644\n--- /dev/null\n+++ b/l/x\n@@ -0,0 +1 "
			 "@@\n+x\n",
	  ERR_UNSAFE_PATH, "l/x", 0, "beyond" },
	{ "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+x\n", ERR_UNSAFE_PATH, NULL, 0,
	  "'../x'" },
	{ G("bin") "index 1..2 100644\nBinary files a/bin and b/bin differ\n",
	  ERR_BAD_PATCH, "bin", 0, "full ids" },
	{ G("bin") "index 1111111111111111111111111111111111111111.."
		   "2222222222222222222222222222222222222222 100644\nGIT binary patch\n"
		   "literal 3\nKcmZQzWMT#Y01f~L\n\n",
	  ERR_HUNK, "bin", 0, "other contents" },
	{ "text without a diff\n", ERR_BAD_PATCH, NULL, 0, "no diff" },
	/* what is there already */
	{ EIGHT "@@ -2,3 +2,3 @@\n b\n-X\n+c\n d\n", ERR_HUNK, "eight", 1,
	  "already applied" },
};

static void test_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fails); i++) {
		_cleanup_apply_ struct apply_result *a = NULL;
		_cleanup_err_ struct err e = { 0 };
		const struct fails *w = &fails[i];

		if (apply(w->diff, &a, &e) == 0)
			fail_msg("case %zu applied", i);
		if (e.code != w->code || !a || !a->failed ||
		    !strstr(a->failed->reason, w->says))
			fail_msg("case %zu: %s: %s", i, err_word(e.code), e.frame[0]);
		if (w->path)
			assert_string_equal(a->failed->path, w->path);
		assert_int_equal(a->failed->hunk, w->hunk);
		assert_int_equal(a->failed->number, 1);
		assert_int_equal(a->nr, 0);
		assert_true(oid_equal(&a->head, &base));
	}
}

/* Modes and submodules are in the tree, not in the text. */
static void test_modes(void **state)
{
	static const char diff[] = G("run") "old mode 100755\nnew mode 100644\n" G(
		"eight") "old mode 100644\nnew "
			 "mode 100755\n" G(
				 "sub") "index 1111111..2222222 160000\n--- a/sub\n+++ "
					"b/sub\n@@ -1 "
					"+1 @@\n-Subproject commit "
					"1111111111111111111111111111111111111111\n+"
					"Subproject commit "
					"2222222222222222222222222222222222222222\n";
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_free_ char *script = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(apply(diff, &a, &e), 0);
	assert_int_equal(repo_flush(repo, &e), 0);
	script = xasprintf(
		"git ls-tree %s >ls; grep -q '^100644 .*run$' ls; grep -q "
		"'^100755 .*eight$' ls; grep -q '^160000 commit 2222222.*sub$' ls",
		a->head.hex);
	git(script);
}

/* Every patch of a series sees what the ones before it did; the first failure ends it. */
static void test_series(void **state)
{
	static const char *const diffs[] = {
		EIGHT "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n",
		"diff --git a/eight b/moved\nrename from eight\nrename to moved\n",
		"--- a/moved\n+++ b/moved\n@@ -1,3 +1,3 @@\n-A\n+AA\n b\n c\n",
		EIGHT "@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n",
	};
	_cleanup_series_ struct series *s = series_new();
	_cleanup_apply_ struct apply_result *a = NULL;
	struct apply_opts o = { .onto = base, .ref = "refs/kiln/test/v1" };
	_cleanup_err_ struct err e = { 0 };
	struct oid oid;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(diffs); i++) {
		struct patch *p = series_add_patch(s);

		p->number = (int)i + 1;
		p->message = xstrdup("m");
		p->author_email = xstrdup("a@b.c");
		buf_adds(&p->diff, diffs[i]);
	}
	s->total = 4;
	assert_int_equal(apply_series(repo, s, &o, &a, &e), -ERR_NO_FILE);
	assert_int_equal(a->nr, 3);
	assert_int_equal(a->failed->number, 4);
	assert_null(a->ref);
	assert_int_equal(repo_resolve(repo, o.ref, &oid, &e), -ERR_UNKNOWN_REV);
}

static void test_incomplete(void **state)
{
	_cleanup_series_ struct series *s = series_new();
	struct apply_opts o = { .onto = base };
	struct apply_result *a = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(apply_series(repo, s, &o, &a, &e), -ERR_NO_PATCHES);
	(void)series_add_patch(s);
	s->total = 3;
	*array_push(s->missing, s->nr_missing) = 2;
	*array_push(s->missing, s->nr_missing) = 3;
	assert_int_equal(apply_series(repo, s, &o, &a, &e), -ERR_INCOMPLETE);
	assert_non_null(strstr(e.frame[0], "patches 2, 3 of 3 are missing"));
	assert_null(a);
}

/* Refs elsewhere are not ours to write. */
static void test_ref(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct oid old;

	(void)state;
	assert_int_equal(repo_write_ref(repo, "refs/heads/main", &base, "m", NULL, &e),
			 -ERR_INTERNAL);
	assert_int_equal(repo_write_ref(repo, "refs/kiln/r/v1", &base, "m", &old, &e), 0);
	assert_true(oid_is_none(&old));
	assert_int_equal(repo_write_ref(repo, "refs/kiln/r/v1", &base, "m", &old, &e), 0);
	assert_true(oid_equal(&old, &base));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_works),	   cmocka_unit_test(test_fails),
		cmocka_unit_test(test_modes),	   cmocka_unit_test(test_series),
		cmocka_unit_test(test_incomplete), cmocka_unit_test(test_ref),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
