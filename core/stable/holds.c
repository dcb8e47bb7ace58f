// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a stable tree has a commit of mainline. */
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/git/commit-walk.h"
#include "core/stable/index-internal.h"
#include "core/stable/lookup.h"

/* 1 when the commit was in mainline at the point, 0 when it came later. */
static int is_before(struct stable_index *mainline, const struct line_row *c,
		     const struct oid *point, struct err *e)
{
	_cleanup_line_row_ struct line_row p = { 0 };
	int r = line_get(mainline->line, point, &p, e);

	if (r <= 0 || c->pos > p.pos)
		return r < 0 ? r : 0;
	if (p.on_line)
		return 1;
	return commit_is_ancestor(mainline->r, &c->oid, point, e);
}

/*
 * 1 when the tree has had it since it left mainline. 0 when not, or, with *unknown, when
 * the tree's history ends before that can be seen.
 */
static int is_shared(struct stable_index *ix, const struct oid *upstream, bool *unknown,
		     struct err *e)
{
	_cleanup_line_row_ struct line_row c = { 0 };
	_cleanup_free_ struct oid *points = NULL;
	size_t nr = 0;
	int r = ix->mainline ? line_get(ix->mainline->line, upstream, &c, e) : 0;

	if (r <= 0)
		return r;
	if (line_points(ix->line, &points, &nr, e) < 0)
		return -(int)e->code;
	r = 0;
	for (size_t i = 0; r == 0 && i < nr; i++)
		r = is_before(ix->mainline, &c, &points[i], e);
	*unknown = r == 0 && ix->state.missing && c.date <= ix->state.oldest;
	return r;
}

/* The newest copy of it that was not taken back, else the revert of the newest. */
static enum stable_held judge(const struct stable_hits *copies, struct oid *ret)
{
	for (size_t i = copies->nr; i-- > 0;)
		if (oid_is_none(&copies->v[i].reverted_by)) {
			*ret = copies->v[i].oid;
			return STABLE_BACKPORT;
		}
	if (!copies->nr)
		return STABLE_ABSENT;
	*ret = copies->v[copies->nr - 1].reverted_by;
	return STABLE_DROPPED;
}

int stable_index_holds(struct stable_index *ix, const struct oid *upstream,
		       enum stable_held *ret_held, struct oid *ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits copies = { 0 };
	bool unknown = false;
	struct oid revert;
	int own = line_get(ix->line, upstream, NULL, e), shared = 0, taken;

	if (own < 0 || stable_index_backports(ix, upstream, &copies, e) < 0)
		return -(int)e->code;
	*ret_held = judge(&copies, ret);
	if (*ret_held == STABLE_BACKPORT)
		return 0;
	if (!own)
		shared = is_shared(ix, upstream, &unknown, e);
	if (shared < 0)
		return shared;
	if (!own && !shared) {
		if (unknown && *ret_held == STABLE_ABSENT)
			*ret_held = STABLE_UNKNOWN;
		return 0;
	}
	taken = stable_index_reverted(ix, upstream, &revert, e);
	if (taken < 0)
		return taken;
	*ret_held = taken ? STABLE_DROPPED : own ? STABLE_BACKPORT : STABLE_SHARED;
	*ret = taken ? revert : *upstream;
	return 0;
}

int stable_index_branched(struct stable_index *ix, int64_t *ret, struct err *e)
{
	_cleanup_free_ struct oid *points = NULL;
	size_t nr = 0;

	*ret = 0;
	if (!ix->mainline || line_points(ix->line, &points, &nr, e) < 0)
		return ix->mainline ? -(int)e->code : 0;
	for (size_t i = 0; i < nr; i++) {
		_cleanup_line_row_ struct line_row p = { 0 };
		int r = line_get(ix->mainline->line, &points[i], &p, e);

		if (r < 0)
			return r;
		if (r > 0 && p.on_line && p.pos > *ret)
			*ret = p.pos;
	}
	return 0;
}
