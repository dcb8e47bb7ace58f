// SPDX-License-Identifier: GPL-3.0-or-later
/* Commits made from others, and what a commit touches, against what git says. */
#include "core/git/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/git/touched.h"

static char *dir;

/* A line of sh in the test repository: what it prints, without the last newline. */
static char *sh(const char *line)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	strv_addl(&argv, "sh", "-ec", NULL);
	strv_addf(&argv, "cd '%s'; %s", dir, line);
	assert_int_equal(spawn_check(&(struct spawn){ .argv = &argv,
						      .timeout_ms = 60000,
						      .out = &out },
				     &e),
			 0);
	while (out.len && out.data[out.len - 1] == '\n')
		out.data[--out.len] = '\0';
	return buf_take(&out);
}

static int setup(void **state)
{
	char template[] = "/tmp/kiln-derive-XXXXXX";

	(void)state;
	dir = xstrdup(mkdtemp(template));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	free(sh("git init -q -b main; git config user.name A; git config user.email a@b;"
		"mkdir -p init Documentation; seq 1 9 >init/main.c; chmod +x init/main.c;"
		"echo d >Documentation/d; git add .; git commit -qm one; git tag one;"
		"sed -i s/5/five/ init/main.c; git commit -qam five; git tag five;"
		"sed -i s/9/nine/ init/main.c; git commit -qam nine; git tag nine;"
		"sed -i s/five/FIVE/ init/main.c; git rm -q Documentation/d;"
		"echo n >new; git add new; git commit -qam FIVE"));
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

static struct repo *open_repo(void)
{
	_cleanup_err_ struct err e = { 0 };
	struct repo *r;

	assert_int_equal(repo_open(dir, &r, &e), 0);
	return r;
}

static struct oid rev(struct repo *r, const char *name)
{
	_cleanup_err_ struct err e = { 0 };
	struct oid ret;

	assert_int_equal(repo_resolve(r, name, &ret, &e), 0);
	return ret;
}

static void check_tree(const struct oid *commit, const char *expected)
{
	_cleanup_free_ char *line = xasprintf("git rev-parse %s^{tree}", commit->hex);
	_cleanup_free_ char *actual = sh(line);

	assert_string_equal(actual, expected);
}

static void a_file_is_replaced(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_buf_ struct buf data = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *expected =
		sh("git checkout -q nine; echo other >init/main.c; git add .;"
		   "git write-tree; git reset -q --hard; git checkout -q main");
	struct oid from = rev(r, "nine"), once, twice;

	(void)state;
	buf_adds(&data, "other\n");
	assert_int_equal(derive_file(r, &from, "init/main.c", &data, &once, &e), 0);
	assert_int_equal(derive_file(r, &from, "init/main.c", &data, &twice, &e), 0);
	check_tree(&once, expected); /* its mode is kept */
	assert_true(oid_equal(&once, &twice));
	assert_int_equal(derive_file(r, &from, "init/none.c", &data, &once, &e),
			 -ERR_NO_FILE);
}

/* C121: a revert that applies on the head is the one git makes, one that conflicts is
 * said to. */
static void c121_reverts(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *expected = sh(
		"git revert --no-edit -n nine >&2; git write-tree; git reset -q --hard");
	struct oid head = rev(r, "main"), nine = rev(r, "nine"), five = rev(r, "five");
	struct oid made, again;

	(void)state;
	assert_int_equal(derive_revert(r, &head, &nine, &made, &e), 0);
	check_tree(&made, expected);
	assert_int_equal(derive_revert(r, &head, &five, &again, &e), -ERR_HUNK);
	assert_int_equal(derive_revert(r, &made, &nine, &again, &e), -ERR_HUNK);
}

static void touched_paths_are_gits(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_strv_ struct strv some = STRV_INIT, all = STRV_INIT, root = STRV_INIT;
	_cleanup_free_ char *expected =
		sh("git diff --name-only --no-renames HEAD^ HEAD");
	_cleanup_free_ char *joined = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct oid head = rev(r, "main"), one = rev(r, "one");

	(void)state;
	assert_int_equal(repo_touched(r, &head, 100, &all, &e), 0);
	joined = strv_join(&all, "\n");
	assert_string_equal(joined, expected);
	assert_int_equal(repo_touched(r, &head, 2, &some, &e), 0);
	assert_int_equal(some.nr, 2);
	assert_int_equal(repo_touched(r, &one, 100, &root, &e), 0);
	assert_int_equal(root.nr, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_replaced),
		cmocka_unit_test(c121_reverts),
		cmocka_unit_test(touched_paths_are_gits),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
