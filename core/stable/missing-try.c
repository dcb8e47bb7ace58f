// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a missing fix applies to the tree, alone or behind what it needs. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/apply-patch.h"
#include "core/git/commit-diff.h"
#include "core/git/commit-walk.h"
#include "core/stable/index-internal.h"
#include "core/stable/missing-internal.h"

/* Commits that a fix may need which are tried, and how far they are looked for. */
#define MAX_TRIED 8
#define MAX_WALK 20000
#define MAX_MS 2000

/* A commit of mainline as something to put on a tree. */
struct change {
	struct oid oid;
	struct buf text;
	struct diff *diff;
};

static void change_release(struct change *c)
{
	diff_free(c->diff);
	buf_release(&c->text);
}

static int change_read(struct repo *r, const struct oid *oid, struct change *ret,
		       struct err *e)
{
	ret->oid = *oid;
	if (commit_patch_text(r, oid, &ret->text, e) < 0)
		return -(int)e->code;
	return diff_parse(buf_str(&ret->text), ret->text.len, &ret->diff, e);
}

/* Failures that are the patch's, not of the machine. */
static bool is_verdict(const struct err *e)
{
	switch (e->code) {
	case ERR_HUNK:
	case ERR_NO_FILE:
	case ERR_EXISTS:
	case ERR_BAD_PATCH:
	case ERR_UNSAFE_PATH:
	case ERR_CONFLICT:
	case ERR_NO_BLOB:
		return true;
	default:
		return false;
	}
}

/* A fix on its way onto the tree. */
struct trial {
	struct repo *r; /* of the tree */
	const struct missing_opts *o;
	const struct change *fix;
	struct missing_fix *f;
	struct oid tree;	 /* of the tip */
	struct oid v[MAX_TRIED]; /* commits it may need, the newest first */
	size_t nr;
};

/* 1 and *tree with it, 0 and why not. */
static int put(struct repo *r, const struct change *c, struct oid *tree,
	       struct file_failure *ret_why, struct err *e)
{
	const struct patch_opts how = { 0 };
	_cleanup_err_ struct err odd = { 0 };
	enum apply_method method;
	struct oid after;

	if (patch_apply(r, c->diff, tree, &how, &after, &method, ret_why, &odd) == 0) {
		*tree = after;
		return 1;
	}
	if (is_verdict(&odd))
		return 0;
	return err_set(e, odd.code, "%s", odd.nr ? odd.frame[0] : "cannot apply");
}

static int put_commit(struct trial *t, const struct oid *commit, struct oid *tree,
		      struct err *e)
{
	_cleanup_(file_failure_release) struct file_failure why = { 0 };
	_cleanup_(change_release) struct change c = { 0 };
	_cleanup_err_ struct err odd = { 0 };

	/* What cannot be read as a patch does not help. */
	if (change_read(t->o->tree->mainline->r, commit, &c, &odd) < 0)
		return 0;
	return put(t->r, &c, tree, &why, e);
}

/* The commits that changed the file before the fix and that the tree lacks. */
static int find_between(struct trial *t, const char *path, struct err *e)
{
	const struct path_log_limit limit = { MAX_WALK, clock_ms() + MAX_MS };
	_cleanup_path_log_ struct path_log *log = NULL;
	struct path_change c;
	int r = path_log_open(t->o->tree->mainline->r, &t->f->oid, path, &limit, &log, e);

	while (r >= 0 && t->nr < MAX_TRIED && (r = path_log_next(log, &c, e)) == 1) {
		enum stable_held held;
		struct oid there;

		if (oid_equal(&c.commit, &t->f->oid))
			continue;
		r = stable_index_holds(t->o->tree, &c.commit, &held, &there, e);
		if (r == 0 && held == STABLE_SHARED)
			break;
		if (r == 0 && (held == STABLE_ABSENT || held == STABLE_DROPPED))
			t->v[t->nr++] = c.commit;
	}
	return r < 0 ? r : 0;
}

/* Name v[at], v[at + 1], ...: nr of them. */
static int name_needs(struct trial *t, size_t at, size_t nr, struct err *e)
{
	for (size_t i = at + nr; i-- > at;) {
		_cleanup_stable_commit_ struct stable_commit c = { 0 };
		int r = stable_index_get(t->o->tree->mainline, &t->v[i], &c, e);

		if (r < 0)
			return r;
		missing_add_need(&t->f->needs, &t->f->nr_needs, &t->v[i],
				 c.subject ? c.subject : "");
	}
	return 0;
}

/* Whether the fix applies behind nr of them, from at on; then these are what it needs. */
static int try_behind(struct trial *t, size_t at, size_t nr, struct err *e)
{
	_cleanup_(file_failure_release) struct file_failure why = { 0 };
	struct oid tree = t->tree;
	int r = 1;

	for (size_t i = at + nr; r > 0 && i-- > at;)
		r = put_commit(t, &t->v[i], &tree, e);
	if (r > 0)
		r = put(t->r, t->fix, &tree, &why, e);
	if (r <= 0)
		return r;
	t->f->why = MISSING_NEEDS;
	return name_needs(t, at, nr, e) < 0 ? -(int)e->code : 1;
}

/* Behind one of them alone, the newest first; then behind the newest few together. */
static int seek_needs(struct trial *t, const char *path, struct err *e)
{
	int r = find_between(t, path, e);

	for (size_t i = 0; i < t->nr && r == 0; i++)
		r = try_behind(t, i, 1, e);
	for (size_t n = 2; n <= t->nr && r == 0; n++)
		r = try_behind(t, 0, n, e);
	if (r == 0)
		return name_needs(t, 0, t->nr, e);
	return r < 0 ? r : 0;
}

static int tree_of_tip(struct stable_index *ix, struct oid *ret, struct err *e)
{
	struct commit_info tip;

	if (repo_commit(ix->r, &ix->state.tip, &tip, e) < 0)
		return -(int)e->code;
	*ret = tip.tree;
	commit_info_release(&tip);
	return 0;
}

static char *reason_of(const struct file_failure *why)
{
	if (why->hunk)
		return xasprintf("%s: hunk %d %s", why->path, why->hunk, why->reason);
	return xasprintf("%s: %s", why->path ? why->path : "the patch", why->reason);
}

static int try_change(struct trial *t, bool seek, struct err *e)
{
	_cleanup_(file_failure_release) struct file_failure why = { 0 };
	struct oid tree = t->tree;
	int r = put(t->r, t->fix, &tree, &why, e);

	if (r < 0)
		return r;
	t->f->why = r ? MISSING_APPLIES : MISSING_NO_APPLY;
	if (r)
		return 0;
	t->f->reason = reason_of(&why);
	return seek && why.path ? seek_needs(t, why.path, e) : 0;
}

int missing_try(const struct missing_opts *o, bool seek, struct missing_fix *f,
		struct err *e)
{
	_cleanup_(change_release) struct change c = { 0 };
	struct trial t = { .r = o->tree->r, .o = o, .fix = &c, .f = f };
	_cleanup_err_ struct err odd = { 0 };
	int r;

	if (change_read(o->tree->mainline->r, &f->oid, &c, &odd) < 0) {
		f->why = MISSING_NO_APPLY;
		f->reason = xasprintf("it is no patch: %s", odd.frame[0]);
		return 0;
	}
	r = tree_of_tip(o->tree, &t.tree, e);
	if (r == 0)
		r = try_change(&t, seek, e);
	repo_discard(t.r);
	return r;
}
