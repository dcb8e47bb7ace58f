// SPDX-License-Identifier: GPL-3.0-or-later
/* What a stable tree has of mainline; and indexes that others use, or that get killed. */
#include "core/stable/index.h"

#include <glob.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "stable-repo.h"

/* More commits than the index makes to last at once. */
#define LONG 6000

static struct oid make(const char *branch, const char *fmt, ...) _printf_(2, 3);
static struct oid make(const char *branch, const char *fmt, ...)
{
	_cleanup_free_ char *message = NULL;
	va_list ap;

	va_start(ap, fmt);
	message = xvasprintf(fmt, ap);
	va_end(ap);
	return commit_now(&(struct commit_spec){ branch, .message = message });
}

struct trees {
	struct repo *r;
	struct stable_index *mainline, *tree;
};

static void trees_open(struct trees *t)
{
	t->r = open_repo(dir);
	t->mainline = open_index(t->r, "main", NULL);
	t->tree = open_index(t->r, "linux-6.1.y", t->mainline);
}

static void trees_release(struct trees *t)
{
	stable_index_free(t->tree);
	stable_index_free(t->mainline);
	repo_free(t->r);
}

static void check_held(const struct oid *upstream, enum stable_held want,
		       const struct oid *by)
{
	_cleanup_(trees_release) struct trees t = { 0 };
	_cleanup_err_ struct err e = { 0 };
	enum stable_held held;
	struct oid got = { 0 };

	trees_open(&t);
	assert_int_equal(stable_index_holds(t.tree, upstream, &held, &got, &e), 0);
	assert_int_equal(held, want);
	if (by)
		assert_string_equal(got.hex, by->hex);
}

/* Every spelling of an upstream line; reverted, and put in again. */
static void backports(void **state)
{
	static const char *const forms[] = {
		"commit %s upstream.",
		"[ Upstream commit %s ]",
		"[Upstream commit %s]",
		"Upstream commit %s",
		"(cherry picked from commit %s)",
		"COMMIT %s UPSTREAM",
	};
	struct oid old = make("main", "old\n"), ups[ARRAY_SIZE(forms)], absent, copy,
		   back;

	(void)state;
	git_in(NULL, NULL, "branch", "linux-6.1.y", "main", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		ups[i] = make("main", "up %zu\n", i);
	absent = make("main", "absent\n");
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		/* Abbreviated as well. */
		_cleanup_free_ char *hex = xstrndup(ups[i].hex, i == 3 ? 12 : 40);
		_cleanup_buf_ struct buf m = BUF_INIT;
		const char *at = strstr(forms[i], "%s");

		buf_addf(&m, "up %zu\n\n%.*s%s%s\n", i, (int)(at - forms[i]), forms[i],
			 hex, at + 2);
		copy = make("linux-6.1.y", "%s", buf_str(&m));
		check_held(&ups[i], STABLE_BACKPORT, &copy);
		check_held(&copy, STABLE_BACKPORT, &copy);
	}
	check_held(&old, STABLE_SHARED, &old);
	check_held(&absent, STABLE_ABSENT, NULL);
	back = make(
		"linux-6.1.y",
		"Revert \"x\"\n\nThis reverts commit %s which is commit %s upstream.\n",
		copy.hex, ups[5].hex);
	check_held(&ups[5], STABLE_DROPPED, &back);
	check_held(&copy, STABLE_DROPPED, &back);
	copy = make("linux-6.1.y", "up 5\n\ncommit %s upstream.\n", ups[5].hex);
	check_held(&ups[5], STABLE_BACKPORT, &copy);
	/* A stable-only patch is the backport of nothing. */
	copy = make("linux-6.1.y", "own\n\n[no upstream commit]\n");
	check_held(&copy, STABLE_BACKPORT, &copy);
	back = make("linux-6.1.y", "Revert \"old\"\n\nThis reverts commit %s.\n",
		    old.hex);
	check_held(&old, STABLE_DROPPED, &back);
}

/* The backport of mainline's revert names what is the backport of by its upstream id. */
static void backported_revert(void **state)
{
	struct oid up, revert, copy;

	(void)state;
	make("main", "old\n");
	git_in(NULL, NULL, "branch", "linux-6.1.y", "main", NULL);
	up = make("main", "up\n");
	revert = make("main", "Revert \"up\"\n\nThis reverts commit %s.\n", up.hex);
	make("linux-6.1.y", "up\n\ncommit %s upstream.\n", up.hex);
	copy = make("linux-6.1.y",
		    "Revert \"up\"\n\ncommit %s upstream.\n\n"
		    "This reverts commit %s.\n",
		    revert.hex, up.hex);
	check_held(&up, STABLE_DROPPED, &copy);
	check_held(&revert, STABLE_BACKPORT, &copy);
}

/* A commit that came to mainline by a merge behind the point has an older date. */
static void branch_points(void **state)
{
	struct oid side, point;

	(void)state;
	make("main", "start\n");
	git_in(NULL, NULL, "branch", "topic", "main", NULL);
	side = make("topic", "topic\n");
	point = make("main", "v6.1\n");
	git_in(NULL, NULL, "branch", "linux-6.1.y", "main", NULL);
	check_held(&point, STABLE_SHARED, NULL); /* nothing on the branch yet */
	commit_now(&(struct commit_spec){ "main", .message = "merge\n",
					  .merge = "refs/heads/topic^0" });
	make("linux-6.1.y", "Linux 6.1.1\n");
	check_held(&point, STABLE_SHARED, NULL);
	check_held(&side, STABLE_ABSENT, NULL);
	/* A branch that is moved to another point has no more what it had. */
	git_in(NULL, NULL, "branch", "-f", "linux-6.1.y", "main~2", NULL);
	check_held(&point, STABLE_ABSENT, NULL);
}

/* What a shallow tree may have is not called absent. */
static void shallow_tree(void **state)
{
	struct oid old = make("main", "old\n"), later;
	_cleanup_free_ char *from = xasprintf("file://%s", dir);
	_cleanup_stable_index_ struct stable_index *mainline = NULL, *tree = NULL;
	_cleanup_repo_ struct repo *r = open_repo(dir), *shallow = NULL;
	_cleanup_free_ char *clone = fs_path(home, "clone");
	_cleanup_err_ struct err e = { 0 };
	enum stable_held held;
	struct oid got;

	(void)state;
	git_in(NULL, NULL, "branch", "linux-6.1.y", "main", NULL);
	for (int i = 0; i < 5; i++)
		make("linux-6.1.y", "own %d\n", i);
	later = make("main", "later\n");
	git_in(NULL, NULL, "clone", "-q", "--depth", "2", "--branch", "linux-6.1.y", from,
	       clone, NULL);
	shallow = open_repo(clone);
	mainline = open_index(r, "main", NULL);
	tree = open_index(shallow, "linux-6.1.y", mainline);
	assert_int_equal(stable_index_holds(tree, &old, &held, &got, &e), 0);
	assert_int_equal(held, STABLE_UNKNOWN);
	assert_int_equal(stable_index_holds(tree, &later, &held, &got, &e), 0);
	assert_int_equal(held, STABLE_ABSENT);
}

static void import_long(void)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (int i = 0; i < LONG; i++) {
		_cleanup_free_ char *m = xasprintf("change %d\n\nFixes: %012x\n", i, i);

		add_spec(&b, &(struct commit_spec){ "main", .message = m });
	}
	git_in(buf_str(&b), NULL, "fast-import", "--quiet", NULL);
}

static void read_all(void)
{
	_cleanup_repo_ struct repo *r = open_repo(dir);
	_cleanup_stable_index_ struct stable_index *ix = open_index(r, "main", NULL);

	_exit(stable_index_state(ix)->commits != LONG);
}

static void check_all(void)
{
	_cleanup_repo_ struct repo *r = open_repo(dir);
	_cleanup_stable_index_ struct stable_index *ix = open_index(r, "main", NULL);
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(stable_index_state(ix)->commits, LONG);
	for (int i = 0; i < LONG; i += 997) {
		_cleanup_free_ char *title = xasprintf("change %d", i);

		assert_int_equal(stable_index_title(ix, title, &hits, &e), 0);
		assert_int_equal(hits.nr, (size_t)i / 997 + 1);
	}
}

/* Whether a write-ahead log has grown: something of the update is on disk. */
static bool is_written(void)
{
	_cleanup_free_ char *pattern = xasprintf("%s/cache/upstream/*.db-wal", home);
	bool big = false;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return false;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct stat st;

		big |= stat(g.gl_pathv[i], &st) == 0 && st.st_size > 100000;
	}
	globfree(&g);
	return big;
}

/* Killed in the first transaction, or in one of the next: nothing wrong is said. */
static void killed(void **state)
{
	(void)state;
	import_long();
	for (int round = 0; round < 2; round++) {
		int status;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid)
			read_all();
		/* A file that grows wakes nobody. */
		while (!is_written() && waitpid(pid, &status, WNOHANG) == 0)
			poll(NULL, 0, 10);
		kill(pid, SIGKILL);
		(void)waitpid(pid, &status, 0);
	}
	check_all();
}

static void several_processes(void **state)
{
	pid_t pids[3];

	(void)state;
	import_long();
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (!pids[i])
			read_all();
	}
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	check_all();
}

/* An index that is open sees its own moment, whatever is added. */
static void frozen(void **state)
{
	_cleanup_stable_index_ struct stable_index *before = NULL, *after = NULL;
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct oid one = make("main", "one\n"), two;

	(void)state;
	r = open_repo(dir);
	before = open_index(r, "main", NULL);
	two = make("main", "two\n");
	after = open_index(r, "main", NULL);
	assert_int_equal(stable_index_get(before, &one, NULL, &e), 1);
	assert_int_equal(stable_index_get(before, &two, NULL, &e), 0);
	assert_int_equal(stable_index_get(after, &two, NULL, &e), 1);
	assert_int_equal(stable_index_state(after)->added, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, stable_setup, stable_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(backports),     TEST(backported_revert),
		TEST(branch_points), TEST(shallow_tree),
		TEST(killed),	     TEST(several_processes),
		TEST(frozen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
