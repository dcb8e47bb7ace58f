// SPDX-License-Identifier: GPL-3.0-or-later
/* The history index against the trees themselves, on histories made by chance. */
#include "core/git/base-index.h"

#include <errno.h>
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

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"
#include "core/git/base-search.h"

#define FILES 6

/* More commits than the index reads in one transaction. */
#define LONG 9000

static char *home, *dir;

static void git(struct buf *in, struct buf *out, const char *first, ...)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	va_list ap;

	strv_addl(&argv, "git", "-C", dir, NULL);
	va_start(ap, first);
	for (const char *a = first; a; a = va_arg(ap, const char *))
		strv_add(&argv, a);
	va_end(ap);
	assert_int_equal(spawn_check(&(struct spawn){ .argv = &argv,
						      .timeout_ms = 120000,
						      .in = in ? buf_str(in) : NULL,
						      .in_len = in ? in->len : 0,
						      .out = out },
				     &e),
			 0);
}

static int setup(void **state)
{
	char template[] = "/tmp/kiln-index-XXXXXX";

	(void)state;
	home = xstrdup(mkdtemp(template));
	dir = fs_path(home, "repo");
	setenv("KILN_HOME", home, 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	if (mkdir(dir, 0700) < 0)
		return -1;
	git(NULL, NULL, "init", "-q", "-b", "main", NULL);
	return 0;
}

static int teardown(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (fs_remove_tree(home, &e) < 0)
		return -1;
	free(home);
	free(dir);
	return 0;
}

static unsigned int chance(uint64_t *seed, unsigned int n)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(*seed >> 33) % n;
}

static const char *const names[FILES] = { "a", "d/b", "d/c", "d/e/f", "g", "d.x" };

/* A commit as fast-import reads it: some files get one of few contents, or go. */
static void add_commit(struct buf *b, uint64_t *seed, const char *branch, int nr)
{
	buf_addf(b,
		 "commit refs/heads/%s\ncommitter A <a@example.org> %d +0000\n"
		 "data 1\n.\n",
		 branch, 1700000000 + nr);
	for (unsigned int n = chance(seed, 3); n; n--) {
		const char *name = names[chance(seed, FILES)];

		if (chance(seed, 5))
			buf_addf(b, "M 100644 inline %s\ndata 2\n%u\n\n", name,
				 chance(seed, 4));
		else
			buf_addf(b, "D %s\n", name);
	}
	buf_addc(b, '\n');
}

static bool has_branch(const char *name)
{
	_cleanup_buf_ struct buf out = BUF_INIT;

	git(NULL, &out, "branch", "--list", name, NULL);
	return out.len;
}

static void resume_branch(struct buf *b, const char *name)
{
	if (has_branch(name))
		buf_addf(b, "reset refs/heads/%s\nfrom refs/heads/%s^0\n\n", name, name);
}

static void add_merge(struct buf *b, uint64_t *seed, const char *side, int nr)
{
	buf_addf(b,
		 "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n"
		 "data 1\n.\nmerge refs/heads/%s\nM 100644 inline g\ndata 2\n%u\n\n\n",
		 1700000000 + nr, side, chance(seed, 4));
}

/* Branches that leave main and are merged back, at random. */
static void import(uint64_t seed, int commits, int from)
{
	static const char *const sides[] = { "side0", "side1", "side2" };
	_cleanup_buf_ struct buf b = BUF_INIT;
	bool there[3];

	resume_branch(&b, "main");
	for (int i = 0; i < 3; i++) {
		there[i] = has_branch(sides[i]);
		resume_branch(&b, sides[i]);
	}
	for (int i = from; i < from + commits; i++) {
		unsigned int what = chance(&seed, 10), side = chance(&seed, 3);

		if (what < 6 || i < 5) {
			add_commit(&b, &seed, "main", i);
			continue;
		}
		if (!there[side] || !chance(&seed, 4))
			buf_addf(&b, "reset refs/heads/%s\nfrom refs/heads/main\n\n",
				 sides[side]);
		there[side] = true;
		if (what < 9)
			add_commit(&b, &seed, sides[side], i);
		else
			add_merge(&b, &seed, sides[side], i);
	}
	git(&b, NULL, "fast-import", "--quiet", "--force", NULL);
}

/* What the files would be before a series, by chance. */
static void some_files(uint64_t *seed, struct base_files *f)
{
	*f = (struct base_files){ 0 };
	for (int i = 0; i < FILES; i++) {
		_cleanup_free_ char *text = xasprintf("%u\n", chance(seed, 4));
		struct base_file *one = array_push(f->v, f->nr);
		struct oid id;

		*one = (struct base_file){ .path = xstrdup(names[i]) };
		f->nr_known++;
		if (!chance(seed, 3)) {
			one->absent = true;
			continue;
		}
		repo_digest(text, 2, &id);
		memcpy(one->id, id.hex, 8); /* abbreviated */
		one->id[8] = '\0';
		history_blob_range(one->id, 8, &one->lo, &one->hi);
	}
}

/* The stretches of a line agree with the trees of its commits, every seventh of many. */
static void check_line(struct repo *r, struct base_index *ix, const struct base_line *l,
		       const struct base_files *f)
{
	size_t step = l->len > 1000 ? 7 : 1, k = 0;
	struct base_stretches s = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(base_search(r, ix, l, f, &s, &e), 0);
	for (size_t d = 0; d < l->len; d += step) {
		struct oid oid;
		size_t matches;

		while (k + 1 < s.nr && s.v[k + 1].distance <= d)
			k++;
		assert_int_equal(base_index_commit(ix, l, d, &oid, NULL, &e), 0);
		assert_int_equal(base_matches(r, &oid, f, &matches, &e), 0);
		if (matches != s.v[k].matches)
			fail_msg("distance %zu: %zu of %d files match, not %zu", d,
				 matches, FILES, s.v[k].matches);
	}
	free(s.v);
}

/* The commits of a line are git's first parents. */
static void check_commits(struct base_index *ix, const struct base_line *l,
			  const char *branch)
{
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	const char *p;
	size_t d = 0;

	git(NULL, &out, "rev-list", "--first-parent", branch, NULL);
	for (p = buf_str(&out); *p && d < l->len; p += 41, d++) {
		struct oid oid;

		assert_int_equal(base_index_commit(ix, l, d, &oid, NULL, &e), 0);
		assert_memory_equal(oid.hex, p, 40);
	}
	assert_int_equal(d, l->len);
	if (l->floor == HISTORY_ROOT)
		assert_int_equal(*p, 0);
}

static void check_branch(const char *branch, size_t depth, uint64_t seed)
{
	_cleanup_base_index_ struct base_index *ix = NULL;
	_cleanup_(base_line_release) struct base_line l = { 0 };
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct oid tip;

	assert_int_equal(repo_open(dir, &r, &e), 0);
	assert_int_equal(repo_resolve(r, branch, &tip, &e), 0);
	assert_int_equal(base_index_open(r, &ix, &e), 0);
	assert_int_equal(
		base_index_line(ix, &(struct base_want){ .tip = &tip, .depth = depth },
				&l, NULL, &e),
		0);
	assert_true(l.len >= depth || l.floor == HISTORY_ROOT);
	check_commits(ix, &l, branch);
	for (int i = l.len > 1000; i < 2; i++) {
		_cleanup_(base_files_release) struct base_files f = { 0 };

		some_files(&seed, &f);
		check_line(r, ix, &l, &f);
	}
}

/* Histories that grow, in any order of branches and depths, some of them rewritten. */
static void stretches_agree_with_trees(void **state)
{
	static const char *const branches[] = { "side1", "main", "side0", "side2" };
	const char *env = getenv("KILN_TEST_SEED");
	uint64_t seed = 1;

	(void)state;
	if (env && !parse_u64(env, &seed))
		fail_msg("KILN_TEST_SEED is no number");
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int round = 0; round < 8; round++) {
		import(seed + (uint64_t)round, 40, round * 40);
		for (size_t i = 0; i < ARRAY_SIZE(branches); i++) {
			size_t depth = 1 + chance(&seed, 200);

			if (has_branch(branches[i]))
				check_branch(branches[i], depth, seed);
		}
		if (round == 4)
			git(NULL, NULL, "update-ref", "refs/heads/main", "main~20", NULL);
	}
	for (size_t i = 0; i < ARRAY_SIZE(branches); i++)
		if (has_branch(branches[i]))
			check_branch(branches[i], 1000, seed);
}

/* A straight history longer than the index reads in one transaction, several times. */
static void import_long(int commits)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	uint64_t seed = 7;

	for (int i = 0; i < commits; i++)
		add_commit(&b, &seed, "long", i);
	git(&b, NULL, "fast-import", "--quiet", "--force", NULL);
}

static void read_history(const char *branch)
{
	_cleanup_base_index_ struct base_index *ix = NULL;
	_cleanup_(base_line_release) struct base_line l = { 0 };
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct oid tip;

	if (repo_open(dir, &r, &e) == 0 && repo_resolve(r, branch, &tip, &e) == 0 &&
	    base_index_open(r, &ix, &e) == 0 &&
	    base_index_line(ix, &(struct base_want){ .tip = &tip, .depth = 100000 }, &l,
			    NULL, &e) == 0)
		_exit(0);
	_exit(1);
}

/* Commits of the branch that the index has so far, without reading more. */
static size_t known(const char *branch)
{
	_cleanup_base_index_ struct base_index *ix = NULL;
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct history_segment s;
	struct history_at at;
	struct oid tip;

	assert_int_equal(repo_open(dir, &r, &e), 0);
	assert_int_equal(repo_resolve(r, branch, &tip, &e), 0);
	assert_int_equal(base_index_open(r, &ix, &e), 0);
	if (history_find(base_index_history(ix), &tip, &at, &e) != 1)
		return 0;
	assert_int_equal(history_segment(base_index_history(ix), at.segment, &s, &e), 0);
	return (size_t)(at.pos - s.lo + 1);
}

static void killed_in_an_update(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	import_long(LONG);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		read_history("long");
	/* The first transaction is the event; the child is then in one of the next. */
	while (!known("long") && waitpid(pid, &status, WNOHANG) == 0)
		poll(NULL, 0, 10); /* a transaction wakes nobody */
	kill(pid, SIGKILL);
	assert_true(waitpid(pid, &status, 0) == pid || errno == ECHILD);
	print_message("killed at %zu of %d\n", known("long"), LONG);
	check_branch("long", 100000, 3);
}

static void several_processes(void **state)
{
	pid_t pids[3];

	(void)state;
	import_long(5000);
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (!pids[i])
			read_history("long");
	}
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	check_branch("long", 100000, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stretches_agree_with_trees, setup,
						teardown),
		cmocka_unit_test_setup_teardown(killed_in_an_update, setup, teardown),
		cmocka_unit_test_setup_teardown(several_processes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
