// SPDX-License-Identifier: GPL-3.0-or-later
/* The upstream index against git itself, on histories made by chance. */
#include "core/stable/index.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "stable-repo.h"

static unsigned int chance(uint64_t *seed, unsigned int n)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(*seed >> 33) % n;
}

static char *rev_parse(const char *rev)
{
	_cleanup_buf_ struct buf out = BUF_INIT;

	git_in(NULL, &out, "rev-parse", rev, NULL);
	return xstrdup(buf_str(&out));
}

/* A message whose Fixes:, reverts and links name commits there are, by some digits. */
static char *some_message(uint64_t *seed, int nr, const struct strv *ids)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *id = ids->nr ? ids->v[chance(seed, (unsigned int)ids->nr)] : NULL;
	int digits = 8 + (int)chance(seed, 33);

	/* Some titles are of several commits. */
	buf_addf(&b, "sub: change %u\n\nWhy it is so.\n\n",
		 chance(seed, 4) ? (unsigned int)nr : chance(seed, 3));
	if (id && !chance(seed, 3))
		buf_addf(&b, "Fixes: %.*s (\"some title\")\n", digits, id);
	else if (id && !chance(seed, 5))
		buf_addf(&b, "This reverts commit %.*s.\n", digits, id);
	if (!chance(seed, 3))
		buf_addf(&b, "Link: https://lore.kernel.org/r/20240101120000.%u-%d-a@x\n",
			 chance(seed, 5), nr);
	return buf_take(&b);
}

/* Commits on main, and on branches that leave it and come back; in several steps, as
 * messages name commits of the steps before. */
static void grow(uint64_t *seed, int commits, int from)
{
	static const char *const sides[] = { "side0", "side1" };
	_cleanup_buf_ struct buf b = BUF_INIT, log = BUF_INIT, refs = BUF_INIT;
	_cleanup_strv_ struct strv ids = STRV_INIT;
	bool there[2] = { false, false };

	git_in(NULL, &refs, "for-each-ref", "--format=%(refname)", NULL);
	if (strstr(buf_str(&refs), "refs/heads/main")) {
		git_in(NULL, &log, "log", "--format=%H", "main", NULL);
		buf_adds(&b, "reset refs/heads/main\nfrom refs/heads/main^0\n\n");
	}
	for (const char *p = buf_str(&log); strlen(p) >= 40; p += 40 + (p[40] == '\n'))
		strv_addf(&ids, "%.40s", p);
	for (int i = from; i < from + commits; i++) {
		unsigned int what = chance(seed, 10), side = chance(seed, 2);
		_cleanup_free_ char *message = some_message(seed, i, &ids);
		_cleanup_free_ char *text = xasprintf("%d\n", i);
		_cleanup_free_ char *merge = xasprintf("refs/heads/%s", sides[side]);
		struct commit_spec c = { .branch = "main",
					 .message = message,
					 .path = what & 1 ? "f" : "d/g",
					 .text = text };

		if (what >= 6 && i > from + 4 && !there[side]) {
			c.branch = sides[side];
			c.from = "refs/heads/main";
			there[side] = true;
		} else if (what >= 8 && there[side]) {
			c.merge = merge;
			there[side] = false;
		} else if (what >= 5 && there[side]) {
			c.branch = sides[side];
		}
		add_spec(&b, &c);
	}
	git_in(buf_str(&b), NULL, "fast-import", "--quiet", "--force", NULL);
}

/* Every row, as text: two indexes of one branch are equal when these are. */
static int add_hit(void *ctx, const struct stable_hit *hit, struct err *e)
{
	(void)e;
	strv_addf(ctx, "%s %s", hit->oid.hex, hit->subject);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *all_rows(struct stable_index *ix)
{
	_cleanup_strv_ struct strv v = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(stable_index_each(ix, add_hit, &v, &e), 0);
	assert_int_equal(v.nr, stable_index_state(ix)->commits);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), by_text);
	return strv_join(&v, "\n");
}

static char *git_rows(const char *rev)
{
	_cleanup_buf_ struct buf log = BUF_INIT;
	_cleanup_strv_ struct strv v = STRV_INIT;

	git_in(NULL, &log, "log", "--format=%H %s", rev, NULL);
	for (const char *p = buf_str(&log); *p;) {
		size_t n = strcspn(p, "\n");

		strv_addf(&v, "%.*s", (int)n, p);
		p += n + (p[n] == '\n');
	}
	qsort(v.v, v.nr, sizeof(*v.v), by_text);
	return strv_join(&v, "\n");
}

static void check_rows(struct stable_index *ix, const char *rev)
{
	_cleanup_free_ char *ours = all_rows(ix), *theirs = git_rows(rev);

	assert_string_equal(ours, theirs);
}

typedef int finder(struct stable_index *ix, const struct oid *oid,
		   struct stable_hits *ret, struct err *e);

/*
 * The commits whose message has a line that begins so and goes on with digits that the id
 * begins with, by git log alone.
 */
static void check_naming(struct stable_index *ix, const char *id, const char *word,
			 finder *find)
{
	_cleanup_free_ char *pattern = xasprintf("^%s%.8s", word, id);
	_cleanup_buf_ struct buf log = BUF_INIT;
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct oid oid = { 0 };
	size_t nr = 0;

	memcpy(oid.hex, id, 40);
	assert_int_equal(find(ix, &oid, &hits, &e), 0);
	git_in(NULL, &log, "log", "--format=%H", "--grep", pattern, "main", NULL);
	for (const char *p = buf_str(&log); strlen(p) >= 40; p += 40 + (p[40] == '\n')) {
		bool have = false;

		nr++;
		for (size_t i = 0; i < hits.nr; i++)
			have |= !strncmp(hits.v[i].oid.hex, p, 40);
		if (!have)
			fail_msg("%.12s names %.12s, and is not found", p, id);
	}
	assert_int_equal(hits.nr, nr);
}

static void check_ids(struct stable_index *ix, uint64_t *seed)
{
	_cleanup_free_ char *rows = git_rows("main");
	unsigned int step = 25 + chance(seed, 7);
	size_t nr = 0;

	for (char *p = rows; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		_cleanup_free_ char *id = xstrndup(p, 40);

		if (nr++ % step)
			continue;
		check_naming(ix, id, "Fixes: ", stable_index_fixes);
		check_naming(ix, id, "This reverts commit ", stable_index_reverts);
	}
}

static size_t found(struct stable_index *ix, const char *hex)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(stable_index_find(ix, hex, &hits, &e), 0);
	for (size_t i = 0; i < hits.nr; i++)
		assert_memory_equal(hits.v[i].oid.hex, hex, strlen(hex));
	return hits.nr;
}

/* Abbreviations of every length agree with how many commits begin so. */
static void check_abbreviations(struct stable_index *ix, const char *id)
{
	_cleanup_free_ char *rows = git_rows("main");

	for (int n = 1; n <= 40; n++) {
		_cleanup_free_ char *hex = xstrndup(id, (size_t)n);
		size_t want = 0;

		for (char *p = rows; *p; p += strcspn(p, "\n"), p += *p == '\n')
			want += !strncmp(p, hex, (size_t)n);
		assert_int_equal(found(ix, hex), want);
	}
}

static void agrees_with_git(void **state)
{
	_cleanup_repo_ struct repo *r = NULL;
	uint64_t seed = 7;

	(void)state;
	for (int step = 0; step < 2; step++) {
		_cleanup_stable_index_ struct stable_index *ix = NULL;
		_cleanup_free_ char *tip = NULL;

		grow(&seed, 120, step * 120);
		if (!r)
			r = open_repo(dir);
		ix = open_index(r, "main", NULL);
		tip = rev_parse("main");
		assert_string_equal(stable_index_state(ix)->tip.hex, tip);
		check_rows(ix, "main");
		check_ids(ix, &seed);
		check_abbreviations(ix, tip);
	}
}

/* Sha of 8, 12, 39, 41 digits, and of no commit. */
static void ids_of_odd_lengths(void **state)
{
	struct oid id = commit_now(&(struct commit_spec){ "main", .message = "one\n" });
	_cleanup_repo_ struct repo *r = open_repo(dir);
	_cleanup_stable_index_ struct stable_index *ix = open_index(r, "main", NULL);
	static const int lengths[] = { 1, 7, 8, 12, 39, 40 };
	_cleanup_free_ char *longer = xasprintf("%s0", id.hex), *upper = xstrdup(id.hex);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		_cleanup_free_ char *hex = xstrndup(id.hex, (size_t)lengths[i]);

		assert_int_equal(found(ix, hex), 1);
		hex[lengths[i] - 1] = hex[lengths[i] - 1] == '0' ? '1' : '0';
		assert_int_equal(found(ix, hex), 0);
	}
	for (char *c = upper; *c; c++)
		*c = (char)(*c >= 'a' ? *c - 32 : *c);
	{
		_cleanup_stable_hits_ struct stable_hits hits = { 0 };
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(stable_index_find(ix, upper, &hits, &e), 0);
		assert_int_equal(hits.nr, 1);
	}
	assert_int_equal(found(ix, longer), 0);
	assert_int_equal(found(ix, ""), 0);
	assert_int_equal(found(ix, "no hex"), 0);
}

static enum stable_match resolve(struct stable_index *ix, const char *hex,
				 const char *title, struct oid *ret)
{
	const struct commit_name n = { .hex = (char *)hex, .title = (char *)title };
	_cleanup_err_ struct err e = { 0 };
	enum stable_match m;

	assert_int_equal(stable_index_resolve(ix, &n, &m, ret, &e), 0);
	return m;
}

/* Sha first, title second; a title of several commits is none's (story 1). */
static void names_are_resolved(void **state)
{
	struct oid a = commit_now(&(struct commit_spec){ "main", .message = "same\n" });
	struct oid b = commit_now(&(struct commit_spec){ "main", .message = "same\n" });
	struct oid c = commit_now(&(struct commit_spec){ "main", .message = "own\n" });
	_cleanup_repo_ struct repo *r = open_repo(dir);
	_cleanup_stable_index_ struct stable_index *ix = open_index(r, "main", NULL);
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct oid got;

	(void)state;
	assert_int_equal(resolve(ix, a.hex, "same", &got), STABLE_ONE);
	assert_string_equal(got.hex, a.hex);
	assert_int_equal(resolve(ix, b.hex, NULL, &got), STABLE_ONE);
	assert_string_equal(got.hex, b.hex);
	assert_int_equal(resolve(ix, c.hex, "same", &got), STABLE_OTHER);
	assert_string_equal(got.hex, c.hex);
	assert_int_equal(resolve(ix, "0123456789ab", "own", &got), STABLE_TITLE);
	assert_string_equal(got.hex, c.hex);
	assert_int_equal(resolve(ix, "0123456789ab", "same", &got), STABLE_MANY);
	assert_int_equal(resolve(ix, NULL, "nobody's", &got), STABLE_NONE);
	assert_int_equal(resolve(ix, "0123456789ab", NULL, &got), STABLE_NONE);
	assert_int_equal(stable_index_title(ix, "same", &hits, &e), 0);
	assert_int_equal(hits.nr, 2);
	assert_string_equal(hits.v[0].oid.hex, a.hex);
}

/* Fixes: by a wrong id and the right title; by a title of several commits; by a right id
 * with another's title. */
static void fixes_by_title(void **state)
{
	struct oid x = commit_now(&(struct commit_spec){ "main", .message = "bug\n" }), y;
	struct oid f = commit_now(&(struct commit_spec){
		"main", .message = "f1\n\nFixes: 0123456789ab (\"bug\")\n" });
	_cleanup_free_ char *other =
		xasprintf("f2\n\nFixes: %.12s (\"not its title\")\n", x.hex);
	struct oid g = commit_now(&(struct commit_spec){ "main", .message = other });
	_cleanup_stable_hits_ struct stable_hits hits = { 0 }, none = { 0 };
	_cleanup_repo_ struct repo *r = open_repo(dir);
	struct stable_index *ix = open_index(r, "main", NULL);
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(stable_index_fixes(ix, &x, &hits, &e), 0);
	assert_int_equal(hits.nr, 2);
	assert_string_equal(hits.v[0].oid.hex, g.hex);
	assert_true(hits.v[0].other_title && !hits.v[0].by_title);
	assert_string_equal(hits.v[1].oid.hex, f.hex);
	assert_true(hits.v[1].by_title);
	stable_index_free(ix);
	y = commit_now(&(struct commit_spec){ "main", .message = "bug\n" });
	ix = open_index(r, "main", NULL);
	assert_int_equal(stable_index_fixes(ix, &y, &none, &e), 0);
	assert_int_equal(none.nr, 0);
	stable_index_free(ix);
}

/* Revert, reapply, and what is then said. */
static void reverts_of_reverts(void **state)
{
	struct oid x = commit_now(&(struct commit_spec){ "main", .message = "x\n" });
	_cleanup_free_ char *back =
		xasprintf("Revert \"x\"\n\nThis reverts commit %s.\n", x.hex);
	struct oid rev = commit_now(&(struct commit_spec){ "main", .message = back }),
		   got;
	_cleanup_repo_ struct repo *r = open_repo(dir);
	struct stable_index *ix = open_index(r, "main", NULL);
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(stable_index_reverted(ix, &x, &got, &e), 1);
	assert_string_equal(got.hex, rev.hex);
	stable_index_free(ix);
	/* By title alone. */
	commit_now(&(struct commit_spec){ "main", .message = "Reapply \"x\"\n" });
	ix = open_index(r, "main", NULL);
	assert_int_equal(stable_index_reverted(ix, &x, &got, &e), 0);
	assert_int_equal(stable_index_reverted(ix, &rev, &got, &e), 1);
	stable_index_free(ix);
	/* One that reverts part of it leaves it there. */
	x = commit_now(&(struct commit_spec){ "main", .message = "y\n" });
	free(back);
	back = xasprintf("less\n\nThis partially reverts commit %.12s.\n", x.hex);
	commit_now(&(struct commit_spec){ "main", .message = back });
	ix = open_index(r, "main", NULL);
	assert_int_equal(stable_index_reverted(ix, &x, &got, &e), 0);
	stable_index_free(ix);
}

/* git patch-id --stable is the reference; merges and empty commits have none. */
static void patch_ids(void **state)
{
	_cleanup_free_ char *rows = NULL;
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_stable_index_ struct stable_index *ix = NULL;
	_cleanup_err_ struct err e = { 0 };
	uint64_t seed = 3;

	(void)state;
	grow(&seed, 16, 0);
	r = open_repo(dir);
	ix = open_index(r, "main", NULL);
	rows = git_rows("main");
	for (int round = 0; round < 2; round++)
		for (char *p = rows; *p; p += strcspn(p, "\n"), p += *p == '\n') {
			_cleanup_buf_ struct buf diff = BUF_INIT, id = BUF_INIT;
			_cleanup_free_ char *ours = NULL, *rev = xstrndup(p, 40);
			struct oid oid = { 0 };

			memcpy(oid.hex, p, 40);
			assert_int_equal(stable_index_patch_id(ix, &oid, &ours, &e), 0);
			if (round)
				continue;
			git_in(NULL, &diff, "diff-tree", "-p", "--root", rev, NULL);
			git_in(buf_str(&diff), &id, "patch-id", "--stable", NULL);
			assert_string_equal(ours ? ours : "",
					    id.len ? strtok(id.data, " ") : "");
		}
}

static void series_by_link(void **state)
{
	static const char *const ids[] = {
		"20240101120000.1-1-a@x",
		"20240101120000.1-12-a@x",
		"20240101120000.2-1-a@x",
		"20240101-topic-v1-1-0123456789ab@x",
		"20240101-topic-v1-2-0123456789ab@x",
		"20240101-topic-v2-2-0123456789ab@x",
	};
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_stable_index_ struct stable_index *ix = NULL;
	static const size_t want[] = { 2, 2, 1, 2, 2, 1 };
	_cleanup_err_ struct err e = { 0 };
	struct oid v[ARRAY_SIZE(ids)];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		_cleanup_free_ char *m = xasprintf(
			"t%zu\n\nLink: https://patch.msgid.link/%s\n", i, ids[i]);

		v[i] = commit_now(&(struct commit_spec){ "main", .message = m });
	}
	r = open_repo(dir);
	ix = open_index(r, "main", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		_cleanup_stable_hits_ struct stable_hits s = { 0 }, m = { 0 };

		assert_int_equal(stable_index_series(ix, &v[i], &s, &e), 0);
		assert_int_equal(s.nr, want[i]);
		assert_int_equal(stable_index_mail(ix, ids[i], &m, &e), 0);
		assert_int_equal(m.nr, 1);
		assert_string_equal(m.v[0].oid.hex, v[i].hex);
	}
}

/* linux-stable-rc is force-pushed; a branch may also lose its newest commits, or take
 * another line through a merge. */
static void rewritten(void **state)
{
	static const char *const to[] = { "main~1", "main~30", "side", "main~1",
					  "main~40" };
	_cleanup_repo_ struct repo *r = NULL;
	uint64_t seed = 11;

	(void)state;
	grow(&seed, 200, 0);
	git_in(NULL, NULL, "branch", "side", "main~20", NULL);
	commit_now(&(struct commit_spec){ "side", .message = "other\n" });
	/* The old line comes in by a merge: its commits get other positions. */
	commit_now(&(struct commit_spec){ "side", .message = "m\n",
					  .merge = "refs/heads/main^0" });
	git_in(NULL, NULL, "branch", "moving", "main", NULL);
	r = open_repo(dir);
	for (size_t i = 0; i < ARRAY_SIZE(to); i++) {
		_cleanup_stable_index_ struct stable_index *ix =
			open_index(r, "moving", NULL);

		check_rows(ix, "moving");
		stable_index_free(take_ptr(ix));
		git_in(NULL, NULL, "branch", "-f", "moving", to[i], NULL);
		ix = open_index(r, "moving", NULL);
		check_rows(ix, "moving");
	}
}

/* A shallow clone says so; deepened, it is indexed anew. */
static void shallow(void **state)
{
	_cleanup_free_ char *from = NULL, *clone = NULL;
	_cleanup_repo_ struct repo *r = NULL;
	struct stable_index *ix;
	uint64_t seed = 5;

	(void)state;
	grow(&seed, 60, 0);
	from = xasprintf("file://%s", dir);
	clone = fs_path(home, "clone");
	git_in(NULL, NULL, "clone", "-q", "--depth", "5", "--branch", "main", from, clone,
	       NULL);
	free(dir);
	dir = xstrdup(clone);
	r = open_repo(dir);
	ix = open_index(r, "main", NULL);
	check_rows(ix, "main");
	assert_true(stable_index_state(ix)->missing > 0);
	assert_true(stable_index_state(ix)->oldest > 0);
	stable_index_free(ix);
	git_in(NULL, NULL, "fetch", "-q", "--unshallow", NULL);
	ix = open_index(r, "main", NULL);
	check_rows(ix, "main");
	assert_int_equal(stable_index_state(ix)->missing, 0);
	stable_index_free(ix);
}

/* A file that is no database, or is cut off, is made anew. */
static void damaged(void **state)
{
	static const char *const harm[] = { "true", "echo no >$f",
					    "truncate -s 9000 $f" };
	_cleanup_repo_ struct repo *r = NULL;
	uint64_t seed = 9;

	(void)state;
	grow(&seed, 60, 0);
	r = open_repo(dir);
	for (size_t i = 0; i < ARRAY_SIZE(harm); i++) {
		_cleanup_stable_index_ struct stable_index *ix = NULL;
		_cleanup_strv_ struct strv argv = STRV_INIT;
		_cleanup_err_ struct err e = { 0 };

		strv_addl(&argv, "sh", "-c", NULL);
		strv_addf(&argv, "for f in %s/cache/upstream/*.db; do %s; done", home,
			  harm[i]);
		assert_int_equal(
			spawn_check(&(struct spawn){ .argv = &argv, .timeout_ms = 10000 },
				    &e),
			0);
		ix = open_index(r, "main", NULL);
		check_rows(ix, "main");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(agrees_with_git, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(ids_of_odd_lengths, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(names_are_resolved, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(fixes_by_title, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(reverts_of_reverts, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(patch_ids, stable_setup, stable_teardown),
		cmocka_unit_test_setup_teardown(series_by_link, stable_setup,
						stable_teardown),
		cmocka_unit_test_setup_teardown(rewritten, stable_setup, stable_teardown),
		cmocka_unit_test_setup_teardown(shallow, stable_setup, stable_teardown),
		cmocka_unit_test_setup_teardown(damaged, stable_setup, stable_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
