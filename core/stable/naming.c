// SPDX-License-Identifier: GPL-3.0-or-later
/* Who names a commit: fixes, reverts and backports of it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/stable/index-internal.h"
#include "core/stable/lookup-internal.h"

/* Reverts of reverts that are followed; the longest chain in Linux has four. */
#define MAX_DEPTH 16

/* The commit whose namers are looked for. */
struct named {
	struct stable_index *ix;
	const struct oid *oid;
	char *subject; /* NULL when nobody knows the commit */
	bool alone;    /* no other commit has the subject */
};

static void named_release(struct named *n)
{
	free(n->subject);
}

/* Look it up in the index, and in that of mainline. */
static int named_init(struct named *n, struct stable_index *ix, const struct oid *oid,
		      struct err *e)
{
	*n = (struct named){ .ix = ix, .oid = oid };
	for (struct stable_index *at = ix; at && !n->subject; at = at->mainline) {
		_cleanup_line_rows_ struct line_rows same = { 0 };
		struct line_row row = { 0 };
		int r = line_get(at->line, oid, &row, e);

		if (r == 0)
			continue;
		if (r < 0)
			return r;
		n->subject = take_ptr(row.subject);
		line_row_release(&row);
		if (line_by_title(at->line, n->subject, &same, e) < 0)
			return -(int)e->code;
		n->alone = same.nr == 1;
	}
	return 0;
}

/* How many commits the digits are of, in the index and in that of mainline. */
static int count_ids(struct stable_index *ix, const char *hex, size_t *ret, struct err *e)
{
	struct oid id;

	*ret = 0;
	for (; ix && hex_normal(hex, &id); ix = ix->mainline) {
		_cleanup_line_rows_ struct line_rows rows = { 0 };

		if (line_by_hex(ix->line, id.hex, &rows, e) < 0)
			return -(int)e->code;
		*ret += rows.nr;
	}
	return 0;
}

/*
 * Whether the row's digits are those of the commit: 1 or 0. Digits of several commits are
 * of the one whose title stands beside them.
 */
static int names_id(const struct named *n, const struct line_row *row, struct err *e)
{
	size_t nr;

	if (!row->hex || oid_equal(&row->oid, n->oid) ||
	    strncmp(n->oid->hex, row->hex, strlen(row->hex)))
		return 0;
	if (strlen(row->hex) == sizeof(n->oid->hex) - 1)
		return 1;
	if (count_ids(n->ix, row->hex, &nr, e) < 0)
		return -(int)e->code;
	return nr < 2 || (row->title && n->subject && !strcmp(row->title, n->subject));
}

/* Whether a row that has the title means the commit by it: 1 or 0. */
static int names_title(const struct named *n, const struct line_row *row, struct err *e)
{
	size_t nr = 0;

	if (!n->alone || oid_equal(&row->oid, n->oid))
		return 0;
	if (row->hex && count_ids(n->ix, row->hex, &nr, e) < 0)
		return -(int)e->code;
	return nr == 0;
}

static int add_by_id(const struct named *n, enum line_name_kind kind,
		     struct stable_hits *ret, struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (line_naming_hex(n->ix->line, kind, n->oid->hex, &rows, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < rows.nr; i++) {
		struct line_row *row = &rows.v[i];
		bool other = row->title && n->subject && strcmp(row->title, n->subject);
		int r = names_id(n, row, e);

		if (r < 0)
			return r;
		if (r && !hits_have(ret, &row->oid))
			hits_add(ret, row)->other_title = other;
	}
	return 0;
}

static int add_by_title(const struct named *n, enum line_name_kind kind,
			struct stable_hits *ret, struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (!n->subject || !*n->subject)
		return 0;
	if (line_naming_title(n->ix->line, kind, n->subject, &rows, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < rows.nr; i++) {
		int r = hits_have(ret, &rows.v[i].oid) ? 0
						       : names_title(n, &rows.v[i], e);

		if (r < 0)
			return r;
		if (r)
			hits_add(ret, &rows.v[i])->by_title = true;
	}
	return 0;
}

static int naming(struct stable_index *ix, enum line_name_kind kind,
		  const struct oid *oid, struct stable_hits *ret, struct err *e)
{
	_cleanup_(named_release) struct named n = { 0 };

	if (named_init(&n, ix, oid, e) < 0 || add_by_id(&n, kind, ret, e) < 0)
		return -(int)e->code;
	return kind == LINE_UPSTREAM ? 0 : add_by_title(&n, kind, ret, e);
}

/*
 * In a stable tree a commit is also taken back by a backport of the revert of what it is
 * the backport of.
 */
static int add_upstream_reverts(struct stable_index *ix, const struct oid *oid,
				struct stable_hits *ret, struct err *e)
{
	_cleanup_stable_commit_ struct stable_commit c = { 0 };
	const struct upstream_claim *claim;
	struct oid id;
	int r;

	if (!ix->mainline)
		return 0;
	r = stable_index_get(ix, oid, &c, e);
	claim = r > 0 ? upstream_claims_main(&c.upstream) : NULL;
	if (!claim || claim->form == UPSTREAM_REVERT || !hex_normal(claim->commit, &id) ||
	    strlen(id.hex) != sizeof(id.hex) - 1)
		return r < 0 ? r : 0;
	return naming(ix, LINE_REVERTS, &id, ret, e);
}

static int position(struct stable_index *ix, const struct oid *oid, int64_t *ret,
		    struct err *e)
{
	_cleanup_line_row_ struct line_row row = { 0 };
	int r = line_get(ix->line, oid, &row, e);

	*ret = r > 0 ? row.pos : 0;
	return r;
}

static int find_revert(struct stable_index *ix, const struct oid *oid, unsigned int depth,
		       struct oid *ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits v = { 0 };
	int64_t at, pos;

	if (position(ix, oid, &at, e) < 0 || naming(ix, LINE_REVERTS, oid, &v, e) < 0 ||
	    add_upstream_reverts(ix, oid, &v, e) < 0)
		return -(int)e->code;
	for (size_t i = v.nr; i-- > 0;) {
		struct oid back;
		int r = position(ix, &v.v[i].oid, &pos, e);

		/* One that came before took an earlier copy of it back. */
		if (r >= 0 && (v.v[i].partial || pos < at))
			continue;
		if (r >= 0)
			r = depth ? find_revert(ix, &v.v[i].oid, depth - 1, &back, e) : 0;
		if (r < 0)
			return r;
		if (r == 0) {
			*ret = v.v[i].oid;
			return 1;
		}
	}
	return 0;
}

int stable_index_reverted(struct stable_index *ix, const struct oid *oid, struct oid *ret,
			  struct err *e)
{
	return find_revert(ix, oid, MAX_DEPTH, ret, e);
}

int hits_note_reverts(struct stable_index *ix, struct stable_hits *h, struct err *e)
{
	for (size_t i = 0; i < h->nr; i++)
		if (stable_index_reverted(ix, &h->v[i].oid, &h->v[i].reverted_by, e) < 0)
			return -(int)e->code;
	return 0;
}

int stable_index_fixes(struct stable_index *ix, const struct oid *oid,
		       struct stable_hits *ret, struct err *e)
{
	if (naming(ix, LINE_FIXES, oid, ret, e) < 0)
		return -(int)e->code;
	return hits_note_reverts(ix, ret, e);
}

int stable_index_reverts(struct stable_index *ix, const struct oid *oid,
			 struct stable_hits *ret, struct err *e)
{
	if (naming(ix, LINE_REVERTS, oid, ret, e) < 0)
		return -(int)e->code;
	return hits_note_reverts(ix, ret, e);
}

int stable_index_backports(struct stable_index *ix, const struct oid *upstream,
			   struct stable_hits *ret, struct err *e)
{
	if (naming(ix, LINE_UPSTREAM, upstream, ret, e) < 0)
		return -(int)e->code;
	return hits_note_reverts(ix, ret, e);
}
