// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base-index.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/git-free.h"
#include "core/git/tree-diff.h"

/* Commits read before they are made to last: what a kill can cost. */
#define CHUNK 4096

/* Another process may read a whole kernel's history meanwhile. */
#define LOCK_MS 600000

struct base_index {
	struct repo *r;
	struct history *h;
	char *lock_path;
};

/* A commit on its way into the index. */
struct fresh {
	git_oid id, tree;
	int64_t time;
};

/* A run of commits, newest first, and what is below it. */
struct chunk {
	struct fresh *v;
	size_t nr;
	enum history_floor floor;
	struct history_at parent; /* with HISTORY_FORK */
	struct history_event *events;
	size_t nr_events;
	struct history_at at; /* of the commit whose changes are being noted */
};

static void chunk_release(struct chunk *c)
{
	free(c->v);
	free(c->events);
}

int base_index_open(struct repo *r, struct base_index **ret, struct err *e)
{
	_cleanup_base_index_ struct base_index *ix = xzalloc(sizeof(*ix));
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "history");
	_cleanup_free_ char *path = NULL;
	const char *common = repo_common_dir(r);
	struct oid key;

	repo_digest(common, strlen(common), &key);
	path = xasprintf("%s/%.16s.db", dir, key.hex);
	ix->r = r;
	ix->lock_path = xasprintf("%s.lock", path);
	if (fs_mkdirs(dir, e) < 0 || history_open(path, &ix->h, e) < 0)
		return err_wrap(e, "cannot open the history index of '%s'", common);
	*ret = take_ptr(ix);
	return 0;
}

void base_index_free(struct base_index *ix)
{
	if (!ix)
		return;
	history_free(ix->h);
	free(ix->lock_path);
	free(ix);
}

struct history *base_index_history(struct base_index *ix)
{
	return ix->h;
}

void base_line_release(struct base_line *l)
{
	free(l->parts);
	*l = (struct base_line){ 0 };
}

/*
 * What a first parent is: 1 and *ret, or 0 and the floor. A shallow clone's oldest commits
 * name parents that are not there.
 */
static int first_parent(struct base_index *ix, git_commit *c, git_oid *ret,
			enum history_floor *floor)
{
	_cleanup_commit_ git_commit *parent = NULL;

	if (!git_commit_parentcount(c)) {
		*floor = git_repository_is_shallow(ix->r->git) ? HISTORY_MISSING
							       : HISTORY_ROOT;
		return 0;
	}
	if (git_commit_lookup(&parent, ix->r->git, git_commit_parent_id(c, 0)) < 0) {
		*floor = HISTORY_MISSING;
		return 0;
	}
	git_oid_cpy(ret, git_commit_id(parent));
	return 1;
}

/* Commits from id on, at most max, down to one the index has. */
static int collect(struct base_index *ix, git_oid id, size_t max, struct chunk *ret,
		   struct err *e)
{
	for (;;) {
		_cleanup_commit_ git_commit *c = NULL;
		struct oid oid = oid_from_git(&id);
		int r = history_find(ix->h, &oid, &ret->parent, e);
		struct fresh *f;

		ret->floor = HISTORY_FORK;
		if (r)
			return r < 0 ? r : 0;
		ret->floor = HISTORY_MORE;
		if (ret->nr == max)
			return 0;
		if (git_commit_lookup(&c, ix->r->git, &id) < 0)
			return git_fail(e, ERR_IO, "cannot read commit '%.12s'", oid.hex);
		f = array_push(ret->v, ret->nr);
		git_oid_cpy(&f->id, &id);
		git_oid_cpy(&f->tree, git_commit_tree_id(c));
		f->time = git_commit_time(c);
		if (!first_parent(ix, c, &id, &ret->floor))
			return 0;
	}
}

static int note_change(void *ctx, const struct tree_delta *d)
{
	struct chunk *c = ctx;
	uint64_t blob = d->to ? history_blob_key(oid_from_git(d->to).hex) : 0;

	/* Only the mode changed. */
	if (d->from && d->to && git_oid_equal(d->from, d->to))
		return 0;
	*array_push(c->events, c->nr_events) =
		(struct history_event){ d->key, c->at, blob };
	return 0;
}

/* The changes between the trees as those of the commit at at. */
static int note_changes(struct base_index *ix, struct chunk *c, const git_oid *parent,
			const git_oid *tree, struct err *e)
{
	struct tree_diff_opts o = { .found = note_change, .ctx = c };

	if (tree_diff(ix->r, parent, tree, &o) < 0)
		return git_fail(e, ERR_IO, "cannot read the tree '%.12s'",
				oid_from_git(tree).hex);
	return 0;
}

static int tree_of(struct base_index *ix, const struct history_at *at, git_oid *ret,
		   struct err *e)
{
	_cleanup_commit_ git_commit *c = NULL;
	struct oid oid;
	git_oid id;

	if (history_commit(ix->h, at, &oid, NULL, e) < 0)
		return -(int)e->code;
	if (!oid_to_git(&oid, &id) || git_commit_lookup(&c, ix->r->git, &id) < 0)
		return git_fail(e, ERR_IO, "cannot read commit '%.12s'", oid.hex);
	git_oid_cpy(ret, git_commit_tree_id(c));
	return 0;
}

/*
 * Put the chunk at the positions hi, hi - 1, ... of the segment, with the changes of each
 * commit whose parent is known.
 */
static int place_chunk(struct base_index *ix, struct chunk *c, int64_t segment,
		       int64_t hi, struct err *e)
{
	git_oid below;

	if (c->floor == HISTORY_FORK && tree_of(ix, &c->parent, &below, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < c->nr; i++) {
		struct oid oid = oid_from_git(&c->v[i].id);
		const git_oid *parent = i + 1 < c->nr		   ? &c->v[i + 1].tree
					: c->floor == HISTORY_FORK ? &below
								   : NULL;

		c->at = (struct history_at){ segment, hi - (int64_t)i };
		if (history_add_commit(ix->h, &c->at, &oid, c->v[i].time, e) < 0)
			return -(int)e->code;
		if (parent && note_changes(ix, c, parent, &c->v[i].tree, e) < 0)
			return -(int)e->code;
	}
	return history_add_events(ix->h, c->events, c->nr_events, e);
}

/* A chunk that begins with a tip: on top of a segment when it ends there, else a new one.
 */
static int add_top(struct base_index *ix, struct chunk *c, struct err *e)
{
	struct history_segment s = { .floor = c->floor, .lo = 1, .hi = (int64_t)c->nr };

	if (c->floor == HISTORY_FORK) {
		if (history_segment(ix->h, c->parent.segment, &s, e) < 0)
			return -(int)e->code;
		if (s.hi == c->parent.pos)
			s.hi += (int64_t)c->nr;
		else
			s = (struct history_segment){ .parent = c->parent,
						      .lo = 1,
						      .hi = (int64_t)c->nr,
						      .floor = HISTORY_FORK };
	}
	if (history_put_segment(ix->h, &s, e) < 0)
		return -(int)e->code;
	return place_chunk(ix, c, s.id, s.hi, e);
}

/* A chunk below the lowest commit of a segment, whose own changes become known by it. */
static int add_bottom(struct base_index *ix, struct history_segment *s, struct chunk *c,
		      struct err *e)
{
	struct history_at lowest = { s->id, s->lo };
	git_oid tree, parent;

	if (tree_of(ix, &lowest, &tree, e) < 0)
		return -(int)e->code;
	if (c->nr)
		git_oid_cpy(&parent, &c->v[0].tree);
	else if (c->floor != HISTORY_FORK)
		return 0;
	else if (tree_of(ix, &c->parent, &parent, e) < 0)
		return -(int)e->code;
	c->at = lowest;
	if (note_changes(ix, c, &parent, &tree, e) < 0 ||
	    place_chunk(ix, c, s->id, s->lo - 1, e) < 0)
		return -(int)e->code;
	s->lo -= (int64_t)c->nr;
	s->floor = c->floor;
	s->parent = c->floor == HISTORY_FORK ? c->parent : (struct history_at){ 0 };
	return history_put_segment(ix->h, s, e);
}

/* In one transaction, so that a kill leaves the segment as it was or as it will be. */
static int extend_top(struct base_index *ix, const git_oid *tip, size_t max, size_t *done,
		      struct err *e)
{
	_cleanup_(chunk_release) struct chunk c = { 0 };

	if (collect(ix, *tip, max < CHUNK ? max : CHUNK, &c, e) < 0)
		return -(int)e->code;
	if (!c.nr)
		return 0;
	if (history_begin(ix->h, e) < 0)
		return -(int)e->code;
	if (add_top(ix, &c, e) < 0 || history_end(ix->h, e) < 0) {
		history_rollback(ix->h);
		return -(int)e->code;
	}
	*done += c.nr;
	return 0;
}

static int extend_bottom(struct base_index *ix, int64_t segment, size_t max, size_t *done,
			 struct err *e)
{
	_cleanup_(chunk_release) struct chunk c = { 0 };
	_cleanup_commit_ git_commit *commit = NULL;
	enum history_floor floor = HISTORY_ROOT;
	struct history_segment s;
	struct oid lowest;
	git_oid id;

	if (history_segment(ix->h, segment, &s, e) < 0 ||
	    history_commit(ix->h, &(struct history_at){ s.id, s.lo }, &lowest, NULL, e) <
		    0)
		return -(int)e->code;
	if (!oid_to_git(&lowest, &id) || git_commit_lookup(&commit, ix->r->git, &id) < 0)
		return git_fail(e, ERR_IO, "cannot read commit '%.12s'", lowest.hex);
	if (!first_parent(ix, commit, &id, &floor)) {
		s.floor = floor;
		return history_put_segment(ix->h, &s, e);
	}
	if (collect(ix, id, max < CHUNK ? max : CHUNK, &c, e) < 0 ||
	    history_begin(ix->h, e) < 0)
		return -(int)e->code;
	if (add_bottom(ix, &s, &c, e) < 0 || history_end(ix->h, e) < 0) {
		history_rollback(ix->h);
		return -(int)e->code;
	}
	*done += c.nr;
	return 0;
}

/* The line as far as the index has it; len 0 when it does not know the tip. */
static int read_line(struct base_index *ix, const struct oid *tip, size_t depth,
		     struct base_line *ret, struct err *e)
{
	struct history_at at;
	int r = history_find(ix->h, tip, &at, e);

	*ret = (struct base_line){ .tip = *tip, .floor = HISTORY_MORE };
	while (r == 1) {
		struct history_segment s;

		if (history_segment(ix->h, at.segment, &s, e) < 0)
			return -(int)e->code;
		*array_push(ret->parts, ret->nr_parts) =
			(struct base_part){ s.id, s.lo, at.pos, ret->len };
		ret->len += (size_t)(at.pos - s.lo + 1);
		ret->floor = s.floor;
		if (s.floor != HISTORY_FORK || ret->len >= depth)
			return 0;
		at = s.parent;
	}
	return r;
}

/*
 * Whether the line may get longer by looking at the repository. A parent that was missing
 * may have come: a shallow clone can be deepened.
 */
static bool may_grow(struct base_index *ix, const struct base_line *l, size_t depth)
{
	_cleanup_commit_ git_commit *c = NULL;
	enum history_floor floor;
	_cleanup_err_ struct err e = { 0 };
	struct oid lowest;
	git_oid id;

	if (!l->len)
		return true;
	if (l->len >= depth || l->floor == HISTORY_ROOT)
		return false;
	if (l->floor != HISTORY_MISSING)
		return true;
	if (base_index_commit(ix, l, l->len - 1, &lowest, NULL, &e) < 0 ||
	    !oid_to_git(&lowest, &id) || git_commit_lookup(&c, ix->r->git, &id) < 0)
		return false;
	return first_parent(ix, c, &id, &floor) == 1;
}

static int grow(struct base_index *ix, const struct base_want *want,
		const struct base_line *l, size_t *done, struct err *e)
{
	git_oid tip;

	if (l->len)
		return extend_bottom(ix, l->parts[l->nr_parts - 1].segment,
				     want->depth - l->len, done, e);
	if (!oid_to_git(want->tip, &tip))
		return err_set(e, ERR_UNKNOWN_REV, "'%s' is no commit", want->tip->hex);
	return extend_top(ix, &tip, want->depth, done, e);
}

/* Under the lock: what another process added meanwhile is seen, not read again. */
static int update(struct base_index *ix, const struct base_want *want,
		  struct base_line *l, size_t *done, struct err *e)
{
	_cleanup_close_ int lock = -1;

	if (fs_lock(ix->lock_path, LOCK_MS, &lock, e) < 0)
		return err_wrap(e, "another kiln reads this history");
	for (;;) {
		base_line_release(l);
		if (read_line(ix, want->tip, want->depth, l, e) < 0)
			return -(int)e->code;
		if (!may_grow(ix, l, want->depth))
			return 0;
		progress_update(want->progress, "reading history", *done, want->depth);
		if (grow(ix, want, l, done, e) < 0)
			return -(int)e->code;
	}
}

int base_index_line(struct base_index *ix, const struct base_want *want,
		    struct base_line *ret, size_t *ret_new, struct err *e)
{
	_cleanup_(base_line_release) struct base_line l = { 0 };
	size_t done = 0;

	if (read_line(ix, want->tip, want->depth, &l, e) < 0)
		return -(int)e->code;
	if (may_grow(ix, &l, want->depth) && update(ix, want, &l, &done, e) < 0)
		return -(int)e->code;
	if (ret_new)
		*ret_new = done;
	*ret = l;
	l = (struct base_line){ 0 };
	return 0;
}

int base_index_commit(struct base_index *ix, const struct base_line *l, size_t distance,
		      struct oid *ret, int64_t *ret_time, struct err *e)
{
	for (size_t i = l->nr_parts; i-- > 0;) {
		const struct base_part *p = &l->parts[i];

		if (distance >= p->above) {
			struct history_at at = { p->segment,
						 p->hi - (int64_t)(distance - p->above) };

			return history_commit(ix->h, &at, ret, ret_time, e);
		}
	}
	return err_set(e, ERR_INTERNAL, "no commit at distance %zu", distance);
}

int64_t base_line_distance(const struct base_line *l, const struct history_at *at)
{
	for (size_t i = 0; i < l->nr_parts; i++) {
		const struct base_part *p = &l->parts[i];

		if (p->segment == at->segment && at->pos >= p->lo && at->pos <= p->hi)
			return (int64_t)p->above + p->hi - at->pos;
	}
	return -1;
}
