// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/lookup.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/commit-diff.h"
#include "core/stable/index-internal.h"
#include "core/stable/lookup-internal.h"

/* Files of a commit whose patch-id is made. */
#define MAX_FILES 1000

void stable_hits_release(struct stable_hits *h)
{
	for (size_t i = 0; i < h->nr; i++) {
		free(h->v[i].subject);
		free(h->v[i].hex);
		free(h->v[i].title);
	}
	free(h->v);
	*h = (struct stable_hits){ 0 };
}

struct stable_hit *hits_add(struct stable_hits *h, struct line_row *row)
{
	struct stable_hit *hit = array_push(h->v, h->nr);

	*hit = (struct stable_hit){ .oid = row->oid,
				    .subject = take_ptr(row->subject),
				    .date = row->date,
				    .hex = take_ptr(row->hex),
				    .title = take_ptr(row->title),
				    .partial = row->partial };
	return hit;
}

bool hits_have(const struct stable_hits *h, const struct oid *oid)
{
	for (size_t i = 0; i < h->nr; i++)
		if (oid_equal(&h->v[i].oid, oid))
			return true;
	return false;
}

static void take_all(struct line_rows *rows, struct stable_hits *ret)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!hits_have(ret, &rows->v[i].oid))
			hits_add(ret, &rows->v[i]);
}

bool hex_normal(const char *hex, struct oid *ret)
{
	size_t n = hex ? strlen(hex) : 0;

	*ret = (struct oid){ 0 };
	if (!n || n >= sizeof(ret->hex))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!isxdigit((unsigned char)hex[i]))
			return false;
		ret->hex[i] = (char)tolower((unsigned char)hex[i]);
	}
	return true;
}

int stable_index_find(struct stable_index *ix, const char *hex, struct stable_hits *ret,
		      struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };
	struct oid id;

	if (!hex_normal(hex, &id))
		return 0;
	if (line_by_hex(ix->line, id.hex, &rows, e) < 0)
		return -(int)e->code;
	take_all(&rows, ret);
	return 0;
}

int stable_index_title(struct stable_index *ix, const char *subject,
		       struct stable_hits *ret, struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (line_by_title(ix->line, subject, &rows, e) < 0)
		return -(int)e->code;
	take_all(&rows, ret);
	return 0;
}

static enum stable_match resolve_title(const struct line_rows *rows, struct oid *ret)
{
	if (rows->nr == 1)
		*ret = rows->v[0].oid;
	return rows->nr == 0 ? STABLE_NONE : rows->nr == 1 ? STABLE_TITLE : STABLE_MANY;
}

/* Which of several commits, or the one, a name with an id is of. */
static enum stable_match resolve_id(const struct line_rows *rows, const char *title,
				    struct oid *ret)
{
	const struct line_row *titled = NULL;
	size_t nr = 0;

	for (size_t i = 0; title && i < rows->nr; i++) {
		if (strcmp(rows->v[i].subject, title))
			continue;
		titled = &rows->v[i];
		nr++;
	}
	if (rows->nr > 1 && nr != 1)
		return STABLE_MANY;
	*ret = titled ? titled->oid : rows->v[0].oid;
	return !title || titled ? STABLE_ONE : STABLE_OTHER;
}

int stable_index_resolve(struct stable_index *ix, const struct commit_name *name,
			 enum stable_match *ret_match, struct oid *ret, struct err *e)
{
	_cleanup_line_rows_ struct line_rows by_id = { 0 }, titled = { 0 };
	struct oid id;

	if (hex_normal(name->hex, &id) && line_by_hex(ix->line, id.hex, &by_id, e) < 0)
		return -(int)e->code;
	if (by_id.nr) {
		*ret_match = resolve_id(&by_id, name->title, ret);
		return 0;
	}
	if (name->title && line_by_title(ix->line, name->title, &titled, e) < 0)
		return -(int)e->code;
	*ret_match = resolve_title(&titled, ret);
	return 0;
}

int stable_index_mail(struct stable_index *ix, const char *message_id,
		      struct stable_hits *ret, struct err *e)
{
	_cleanup_free_ char *group = message_id_series(message_id);
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (line_naming_group(ix->line, group ? group : message_id, &rows, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < rows.nr; i++)
		if (!strcmp(rows.v[i].title, message_id) &&
		    !hits_have(ret, &rows.v[i].oid))
			hits_add(ret, &rows.v[i]);
	return 0;
}

static int add_series(struct stable_index *ix, const char *group, struct stable_hits *ret,
		      struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (line_naming_group(ix->line, group, &rows, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < rows.nr; i++) {
		_cleanup_free_ char *own = message_id_series(rows.v[i].title);

		if (own && !strcmp(own, group) && !hits_have(ret, &rows.v[i].oid))
			hits_add(ret, &rows.v[i]);
	}
	return 0;
}

int stable_index_series(struct stable_index *ix, const struct oid *oid,
			struct stable_hits *ret, struct err *e)
{
	_cleanup_stable_commit_ struct stable_commit c = { 0 };
	int r = stable_index_get(ix, oid, &c, e);

	for (size_t i = 0; r > 0 && i < c.notes.links.nr; i++) {
		_cleanup_free_ char *group = message_id_series(c.notes.links.v[i]);

		if (group && add_series(ix, group, ret, e) < 0)
			return -(int)e->code;
	}
	return r < 0 ? r : hits_note_reverts(ix, ret, e);
}

int stable_index_patch_id(struct stable_index *ix, const struct oid *oid, char **ret,
			  struct err *e)
{
	_cleanup_free_ char *id = NULL;
	int r = patch_ids_get(ix->patch_ids, oid, &id, e);

	if (r < 0)
		return r;
	if (r == 0 && (commit_patch_id(ix->r, oid, MAX_FILES, &id, e) < 0 ||
		       patch_ids_add(ix->patch_ids, oid, id, e) < 0))
		return -(int)e->code;
	*ret = take_ptr(id);
	return 0;
}

int stable_index_patch(struct stable_index *ix, const struct stable_patch *p,
		       struct stable_hits *ret, struct err *e)
{
	_cleanup_line_rows_ struct line_rows rows = { 0 };

	if (p->subject && line_by_title(ix->line, p->subject, &rows, e) < 0)
		return -(int)e->code;
	if (p->author_date && line_by_authored(ix->line, p->author_date, &rows, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < rows.nr; i++) {
		_cleanup_free_ char *id = NULL;

		if (hits_have(ret, &rows.v[i].oid))
			continue;
		if (stable_index_patch_id(ix, &rows.v[i].oid, &id, e) < 0)
			return -(int)e->code;
		if (id && !strcmp(id, p->patch_id))
			hits_add(ret, &rows.v[i]);
	}
	return 0;
}

int stable_index_each(struct stable_index *ix,
		      int (*found)(void *ctx, const struct stable_hit *hit,
				   struct err *e),
		      void *ctx, struct err *e)
{
	for (int64_t id = 0;;) {
		_cleanup_stable_hits_ struct stable_hits hits = { 0 };
		_cleanup_line_rows_ struct line_rows rows = { 0 };
		int r = 0;

		if (line_behind(ix->line, id, &rows, e) < 0)
			return -(int)e->code;
		if (!rows.nr)
			return 0;
		id = rows.v[rows.nr - 1].id;
		for (size_t i = 0; r == 0 && i < rows.nr; i++)
			r = found(ctx, hits_add(&hits, &rows.v[i]), e);
		if (r)
			return r;
	}
}

int stable_index_each_name(struct stable_index *ix, const struct stable_each *each,
			   struct err *e)
{
	enum line_name_kind kind = each->reverts ? LINE_REVERTS : LINE_FIXES;

	for (int64_t name = 0;;) {
		_cleanup_stable_hits_ struct stable_hits hits = { 0 };
		_cleanup_line_rows_ struct line_rows rows = { 0 };
		int r = 0;

		if (line_names_behind(ix->line, kind, name, &rows, e) < 0)
			return -(int)e->code;
		if (!rows.nr)
			return 0;
		name = rows.v[rows.nr - 1].name;
		for (size_t i = 0; r == 0 && i < rows.nr; i++)
			if (rows.v[i].pos > each->behind)
				r = each->found(each->ctx, hits_add(&hits, &rows.v[i]),
						e);
		if (r)
			return r;
	}
}
