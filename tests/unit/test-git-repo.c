// SPDX-License-Identifier: GPL-3.0-or-later
/* The repository as kiln reads it, held against what git itself says. */
#include "core/git/repo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static char *dir;

/* What git prints in the test repository, without the last newline; owned by the caller.
 */
static char *git(const char *first, ...)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	va_list ap;

	strv_addl(&argv, "git", "-C", dir, NULL);
	va_start(ap, first);
	for (const char *a = first; a; a = va_arg(ap, const char *))
		strv_add(&argv, a);
	va_end(ap);
	assert_int_equal(spawn_check(&(struct spawn){ .argv = &argv,
						      .timeout_ms = 60000,
						      .out = &out },
				     &e),
			 0);
	while (out.len && out.data[out.len - 1] == '\n')
		out.data[--out.len] = '\0';
	return buf_take(&out);
}

#define git_do(...) free(git(__VA_ARGS__, NULL))

static void commit_file(const char *name, const char *text, const char *subject)
{
	_cleanup_free_ char *path = fs_path(dir, name);
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_write(path, text, strlen(text), &e), 0);
	git_do("add", "-A");
	git_do("commit", "-q", "-m", subject);
}

/* main: one - two - merge(two, side) - last, side: one - side */
static int setup(void **state)
{
	char template[] = "/tmp/kiln-repo-XXXXXX";
	_cleanup_free_ char *sub = NULL;
	struct err e = { 0 };

	(void)state;
	dir = xstrdup(mkdtemp(template));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	git_do("init", "-q", "-b", "main");
	git_do("config", "user.name", "A U Thor");
	git_do("config", "user.email", "author@example.org");
	sub = fs_path(dir, "sub");
	if (fs_mkdirs(sub, &e) < 0)
		return -1;
	commit_file("sub/a", "one\n", "one");
	git_do("tag", "-a", "-m", "tagged", "v1");
	git_do("checkout", "-q", "-b", "side");
	commit_file("side", "s\n", "side");
	git_do("checkout", "-q", "main");
	commit_file("b", "two\n", "two");
	git_do("merge", "-q", "--no-ff", "-m", "merge side", "side");
	commit_file("b", "last\n", "last\n\nbody");
	return 0;
}

static int teardown(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (fs_remove_tree(dir, &e) < 0)
		return -1;
	free(dir);
	return 0;
}

static struct repo *open_at(const char *path)
{
	_cleanup_err_ struct err e = { 0 };
	struct repo *r = NULL;

	assert_int_equal(repo_open(path, &r, &e), 0);
	return r;
}

static void test_open(void **state)
{
	_cleanup_free_ char *sub = fs_path(dir, "sub"), *bare = fs_path(dir, "bare.git");
	_cleanup_free_ char *wt = fs_path(dir, "wt");
	_cleanup_free_ char *common = fs_path(dir, ".git");
	_cleanup_err_ struct err e = { 0 };
	struct repo *none = NULL;

	(void)state;
	git_do("clone", "-q", "--bare", ".", bare);
	git_do("worktree", "add", "-q", "--detach", wt);
	{
		_cleanup_repo_ struct repo *a = open_at(sub);
		_cleanup_repo_ struct repo *b = open_at(bare);
		_cleanup_repo_ struct repo *c = open_at(wt);

		assert_string_equal(repo_common_dir(a), common);
		assert_string_equal(repo_common_dir(b), bare);
		assert_string_equal(repo_common_dir(c), common);
	}
	assert_int_equal(repo_open("/proc", &none, &e), -ERR_NO_TREE);
	assert_null(none);
	assert_non_null(strstr(e.frame[0], "'/proc'"));
	git_do("worktree", "remove", wt);
}

static void test_resolve(void **state)
{
	static const char *const revs[] = { "HEAD", "main~1",	"v1",
					    "side", "HEAD~1^2", "refs/heads/main" };
	_cleanup_repo_ struct repo *r = open_at(dir);
	_cleanup_err_ struct err e = { 0 };
	struct oid o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(revs); i++) {
		_cleanup_free_ char *peeled = xasprintf("%s^{commit}", revs[i]);
		_cleanup_free_ char *want = git("rev-parse", peeled, NULL);

		assert_int_equal(repo_resolve(r, revs[i], &o, &e), 0);
		assert_string_equal(o.hex, want);
	}
	assert_int_equal(repo_resolve(r, "nonsense", &o, &e), -ERR_UNKNOWN_REV);
	assert_non_null(strstr(e.frame[0], "'nonsense'"));
	assert_int_equal(repo_resolve(r, "HEAD:b", &o, &e), -ERR_UNKNOWN_REV);
	assert_int_equal(repo_resolve(r, "", &o, &e), -ERR_UNKNOWN_REV);
}

static void test_commit(void **state)
{
	_cleanup_repo_ struct repo *r = open_at(dir);
	_cleanup_free_ char *tree = git("rev-parse", "HEAD^{tree}", NULL);
	_cleanup_free_ char *parent = git("rev-parse", "HEAD^", NULL);
	_cleanup_err_ struct err e = { 0 };
	struct commit_info c;
	struct oid o;

	(void)state;
	assert_int_equal(repo_resolve(r, "HEAD", &o, &e), 0);
	assert_int_equal(repo_commit(r, &o, &c, &e), 0);
	assert_string_equal(c.tree.hex, tree);
	assert_int_equal(c.nr_parents, 1);
	assert_string_equal(c.parents[0].hex, parent);
	assert_string_equal(c.subject, "last");
	assert_string_equal(c.author, "A U Thor <author@example.org>");
	commit_info_release(&c);
	memset(o.hex, '0', 40);
	assert_int_equal(repo_commit(r, &o, &c, &e), -ERR_UNKNOWN_REV);
}

/* The ids of a range as git rev-list prints them. */
static char *range(struct repo *r, const char *good, const char *bad, bool first_parent)
{
	_cleanup_free_ struct oid *v = NULL;
	_cleanup_strv_ struct strv ids = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct oid from, to;
	size_t nr = 0;

	assert_int_equal(repo_resolve(r, good, &from, &e), 0);
	assert_int_equal(repo_resolve(r, bad, &to, &e), 0);
	assert_int_equal(repo_range(r, &from, &to, first_parent, &v, &nr, &e), 0);
	for (size_t i = 0; i < nr; i++)
		strv_add(&ids, v[i].hex);
	return strv_join(&ids, "\n");
}

static void test_range(void **state)
{
	_cleanup_repo_ struct repo *r = open_at(dir);
	_cleanup_free_ char *line = range(r, "v1", "HEAD", true);
	_cleanup_free_ char *all = range(r, "v1", "HEAD", false);
	_cleanup_free_ char *none = range(r, "HEAD", "HEAD", false);
	_cleanup_free_ char *side = range(r, "side", "HEAD", true);
	_cleanup_free_ char *want_line =
		git("rev-list", "--reverse", "--first-parent", "v1..HEAD", NULL);
	_cleanup_free_ char *want_all = git("rev-list", "v1..HEAD", NULL);
	_cleanup_free_ char *want_side =
		git("rev-list", "--reverse", "--first-parent", "side..HEAD", NULL);
	_cleanup_err_ struct err e = { 0 };
	struct oid a, b, *v = NULL;
	size_t nr;

	(void)state;
	assert_string_equal(line, want_line);
	assert_string_equal(side, want_side);
	assert_int_equal(strlen(all), strlen(want_all));
	assert_string_equal(strrchr(all, '\n') + 1, strrchr(line, '\n') + 1);
	assert_string_equal(none, "");
	assert_int_equal(repo_resolve(r, "side", &a, &e), 0);
	assert_int_equal(repo_resolve(r, "v1", &b, &e), 0);
	assert_int_equal(repo_range(r, &a, &b, false, &v, &nr, &e), -ERR_USAGE);
	assert_null(v);
}

static void test_read_file(void **state)
{
	_cleanup_repo_ struct repo *r = open_at(dir);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct oid o;

	(void)state;
	assert_int_equal(repo_resolve(r, "HEAD~1", &o, &e), 0);
	assert_int_equal(repo_read_file(r, &o, "b", &b, &e), 0);
	assert_int_equal(repo_read_file(r, &o, "sub/a", &b, &e), 0);
	assert_string_equal(buf_str(&b), "two\none\n");
	assert_int_equal(repo_read_file(r, &o, "sub", &b, &e), -ERR_NO_FILE);
	assert_int_equal(repo_read_file(r, &o, "sub/none", &b, &e), -ERR_NO_FILE);
	assert_string_equal(buf_str(&b), "two\none\n");
}

static void test_digest(void **state)
{
	_cleanup_free_ char *want = git("rev-parse", "HEAD:sub/a", NULL);
	struct oid o;

	(void)state;
	repo_digest("one\n", 4, &o);
	assert_string_equal(o.hex, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),	  cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_commit),	  cmocka_unit_test(test_range),
		cmocka_unit_test(test_read_file), cmocka_unit_test(test_digest),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
