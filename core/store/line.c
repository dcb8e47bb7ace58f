// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/line.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/store/cache.h"
#include "core/store/history.h"

#define LINE_VERSION 1

/* Digits by which the names of commits are found: what every name has. */
#define NAME_DIGITS 7

struct line {
	struct store s;
};

/*
 * Keys are the first 60 bits of an id, or a hash of a text: half the size of an index
 * over texts. What is found by one is compared whole.
 */
static const char schema[] =
	"CREATE TABLE state (id INTEGER PRIMARY KEY, tip TEXT NOT NULL, root TEXT NOT "
	"NULL,"
	" pos INTEGER NOT NULL, commits INTEGER NOT NULL, missing INTEGER NOT NULL,"
	" oldest INTEGER NOT NULL);"
	"CREATE TABLE commits (id INTEGER PRIMARY KEY, key INTEGER NOT NULL,"
	" oid TEXT NOT NULL, pos INTEGER NOT NULL, line INTEGER NOT NULL,"
	" date INTEGER NOT NULL, authored INTEGER NOT NULL, title INTEGER NOT NULL,"
	" subject TEXT NOT NULL);"
	"CREATE INDEX commits_key ON commits (key);"
	"CREATE INDEX commits_title ON commits (title);"
	"CREATE INDEX commits_authored ON commits (authored);"
	"CREATE TABLE names (commit_id INTEGER NOT NULL, kind INTEGER NOT NULL,"
	" key INTEGER, title_key INTEGER, partial INTEGER NOT NULL, hex TEXT, title "
	"TEXT);"
	"CREATE INDEX names_key ON names (kind, key) WHERE key IS NOT NULL;"
	"CREATE INDEX names_title ON names (kind, title_key) WHERE title_key IS NOT NULL;"
	"CREATE TABLE points (oid TEXT PRIMARY KEY, pos INTEGER NOT NULL);";

int line_open(const char *path, struct line **ret, struct err *e)
{
	const struct cache_db db = { path, LINE_VERSION, schema };
	_cleanup_line_ struct line *l = xzalloc(sizeof(*l));

	if (cache_db_open(&db, &l->s, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(l);
	return 0;
}

void line_free(struct line *l)
{
	if (!l)
		return;
	cache_db_close(&l->s);
	free(l);
}

int line_remove(const char *path, struct err *e)
{
	return cache_db_remove(path, e);
}

int line_begin(struct line *l, struct err *e)
{
	return sql_begin(&l->s, e);
}

int line_end(struct line *l, struct err *e)
{
	return sql_commit(&l->s, e);
}

void line_rollback(struct line *l)
{
	sql_rollback(&l->s);
}

int line_freeze(struct line *l, struct err *e)
{
	struct line_state s;

	/* The first row read fixes the moment. */
	return sql_begin_read(&l->s, e) < 0 ? -(int)e->code : line_state(l, &s, e);
}

void line_thaw(struct line *l)
{
	sql_rollback(&l->s);
}

static void take_oid(struct line *l, enum sql q, int column, struct oid *ret)
{
	_cleanup_free_ char *hex = sql_text(&l->s, q, column);

	*ret = (struct oid){ 0 };
	if (hex && strlen(hex) == sizeof(ret->hex) - 1)
		memcpy(ret->hex, hex, sizeof(ret->hex));
}

int line_state(struct line *l, struct line_state *ret, struct err *e)
{
	const enum sql q = SQL_LINE_STATE;
	int r = sql_query(&l->s, q, e, "");

	if (r == 0)
		r = sql_next(&l->s, q, e);
	if (r < 0)
		return r;
	*ret = (struct line_state){ 0 };
	if (r == 0)
		return 0;
	take_oid(l, q, 0, &ret->tip);
	take_oid(l, q, 1, &ret->root);
	ret->pos = sql_int(&l->s, q, 2);
	ret->commits = sql_int(&l->s, q, 3);
	ret->missing = sql_int(&l->s, q, 4);
	ret->oldest = sql_int(&l->s, q, 5);
	sql_done(&l->s, q);
	return 0;
}

int line_set_state(struct line *l, const struct line_state *s, struct err *e)
{
	return sql_run(&l->s, SQL_LINE_STATE_SET, e, "ssiiii", s->tip.hex, s->root.hex,
		       s->pos, s->commits, s->missing, s->oldest);
}

int line_add(struct line *l, const struct line_row *row, struct err *e)
{
	return sql_run(&l->s, SQL_LINE_ADD, e, "iisiiiiis", row->id,
		       (int64_t)history_blob_key(row->oid.hex), row->oid.hex, row->pos,
		       (int64_t)row->on_line, row->date, row->authored,
		       (int64_t)history_path_key(row->subject), row->subject);
}

int line_add_name(struct line *l, int64_t id, const struct line_name *n, struct err *e)
{
	const char *text = n->group ? n->group : n->title;
	uint64_t lo = 0, hi;

	if (n->hex)
		history_blob_range(n->hex, strlen(n->hex), &lo, &hi);
	/* A key of 0 is kept as none, and such a name is not found: it has 15 zeros. */
	return sql_run(&l->s, SQL_LINE_NAME_ADD, e, "iiiiiss", id, (int64_t)n->kind,
		       (int64_t)lo, text ? (int64_t)history_path_key(text) : (int64_t)0,
		       (int64_t)n->partial, n->hex, n->title);
}

int line_cut(struct line *l, int64_t pos, int64_t *ret_id, struct err *e)
{
	int r = sql_query(&l->s, SQL_LINE_CUT_ID, e, "i", pos);
	int64_t id;

	if (r == 0)
		r = sql_next(&l->s, SQL_LINE_CUT_ID, e);
	if (r < 0)
		return r;
	id = sql_int(&l->s, SQL_LINE_CUT_ID, 0);
	sql_done(&l->s, SQL_LINE_CUT_ID);
	if (sql_run(&l->s, SQL_LINE_CUT, e, "i", id) < 0 ||
	    sql_run(&l->s, SQL_LINE_CUT_NAMES, e, "i", id) < 0 ||
	    sql_run(&l->s, SQL_LINE_CUT_POINTS, e, "i", pos) < 0)
		return -(int)e->code;
	*ret_id = id;
	return 0;
}

int line_add_point(struct line *l, const struct oid *oid, int64_t pos, struct err *e)
{
	return sql_run(&l->s, SQL_LINE_POINT_ADD, e, "si", oid->hex, pos);
}

int line_points(struct line *l, struct oid **ret, size_t *ret_nr, struct err *e)
{
	int r = sql_query(&l->s, SQL_LINE_POINTS, e, "");
	_cleanup_free_ struct oid *v = NULL;
	size_t nr = 0;

	while (r >= 0 && (r = sql_next(&l->s, SQL_LINE_POINTS, e)) == 1)
		take_oid(l, SQL_LINE_POINTS, 0, array_push(v, nr));
	if (r < 0)
		return r;
	*ret = take_ptr(v);
	*ret_nr = nr;
	return 0;
}

void line_row_release(struct line_row *r)
{
	free(r->subject);
	free(r->hex);
	free(r->title);
	*r = (struct line_row){ 0 };
}

void line_rows_release(struct line_rows *r)
{
	for (size_t i = 0; i < r->nr; i++)
		line_row_release(&r->v[i]);
	free(r->v);
	*r = (struct line_rows){ 0 };
}

static void take_row(struct line *l, enum sql q, struct line_row *ret)
{
	*ret = (struct line_row){
		.id = sql_int(&l->s, q, 0),
		.pos = sql_int(&l->s, q, 2),
		.on_line = sql_int(&l->s, q, 3),
		.date = sql_int(&l->s, q, 4),
		.authored = sql_int(&l->s, q, 5),
		.subject = sql_text(&l->s, q, 6),
	};
	take_oid(l, q, 1, &ret->oid);
}

/* The rows of a query that was bound. */
static int take_rows(struct line *l, enum sql q, struct line_rows *ret, struct err *e)
{
	bool named = q == SQL_LINE_NAMES_BY_KEY || q == SQL_LINE_NAMES_BY_TITLE ||
		     q == SQL_LINE_NAMES_BEHIND;
	int r;

	while ((r = sql_next(&l->s, q, e)) == 1) {
		struct line_row *row = array_push(ret->v, ret->nr);

		take_row(l, q, row);
		if (!named)
			continue;
		row->hex = sql_text(&l->s, q, 7);
		row->title = sql_text(&l->s, q, 8);
		row->partial = sql_int(&l->s, q, 9);
		row->name = sql_int(&l->s, q, 10);
	}
	return r;
}

int line_get(struct line *l, const struct oid *oid, struct line_row *ret, struct err *e)
{
	const enum sql q = SQL_LINE_BY_OID;
	int r = sql_query(&l->s, q, e, "is", (int64_t)history_blob_key(oid->hex),
			  oid->hex);

	if (r == 0)
		r = sql_next(&l->s, q, e);
	if (r == 1) {
		if (ret)
			take_row(l, q, ret);
		sql_done(&l->s, q);
	}
	return r;
}

/* Keep those from at on that keep() says yes to. */
static void sift(struct line_rows *v, size_t at,
		 bool (*keep)(const struct line_row *row, const char *text),
		 const char *text)
{
	size_t nr = at;

	for (size_t i = at; i < v->nr; i++) {
		if (keep(&v->v[i], text))
			v->v[nr++] = v->v[i];
		else
			line_row_release(&v->v[i]);
	}
	v->nr = nr;
}

static bool begins_with(const struct line_row *row, const char *hex)
{
	return !strncmp(row->oid.hex, hex, strlen(hex));
}

static bool is_titled(const struct line_row *row, const char *title)
{
	return !strcmp(row->subject, title);
}

static bool names_titled(const struct line_row *row, const char *title)
{
	return row->title && !strcmp(row->title, title);
}

int line_by_hex(struct line *l, const char *hex, struct line_rows *ret, struct err *e)
{
	size_t at = ret->nr;
	uint64_t lo, hi;

	history_blob_range(hex, strlen(hex), &lo, &hi);
	if (sql_query(&l->s, SQL_LINE_BY_KEY, e, "ii", (int64_t)lo, (int64_t)hi) < 0 ||
	    take_rows(l, SQL_LINE_BY_KEY, ret, e) < 0)
		return -(int)e->code;
	sift(ret, at, begins_with, hex);
	return 0;
}

int line_by_title(struct line *l, const char *title, struct line_rows *ret, struct err *e)
{
	size_t at = ret->nr;

	if (sql_query(&l->s, SQL_LINE_BY_TITLE, e, "i",
		      (int64_t)history_path_key(title)) < 0 ||
	    take_rows(l, SQL_LINE_BY_TITLE, ret, e) < 0)
		return -(int)e->code;
	sift(ret, at, is_titled, title);
	return 0;
}

int line_by_authored(struct line *l, int64_t time, struct line_rows *ret, struct err *e)
{
	if (sql_query(&l->s, SQL_LINE_BY_AUTHORED, e, "i", time) < 0)
		return -(int)e->code;
	return take_rows(l, SQL_LINE_BY_AUTHORED, ret, e);
}

int line_naming_hex(struct line *l, enum line_name_kind kind, const char *hex,
		    struct line_rows *ret, struct err *e)
{
	size_t n = strlen(hex);
	uint64_t lo, hi;

	history_blob_range(hex, n < NAME_DIGITS ? n : NAME_DIGITS, &lo, &hi);
	if (sql_query(&l->s, SQL_LINE_NAMES_BY_KEY, e, "iii", (int64_t)kind, (int64_t)lo,
		      (int64_t)hi) < 0)
		return -(int)e->code;
	return take_rows(l, SQL_LINE_NAMES_BY_KEY, ret, e);
}

static int naming_text(struct line *l, enum line_name_kind kind, const char *text,
		       struct line_rows *ret, struct err *e)
{
	if (sql_query(&l->s, SQL_LINE_NAMES_BY_TITLE, e, "ii", (int64_t)kind,
		      (int64_t)history_path_key(text)) < 0)
		return -(int)e->code;
	return take_rows(l, SQL_LINE_NAMES_BY_TITLE, ret, e);
}

int line_naming_title(struct line *l, enum line_name_kind kind, const char *title,
		      struct line_rows *ret, struct err *e)
{
	size_t at = ret->nr;

	if (naming_text(l, kind, title, ret, e) < 0)
		return -(int)e->code;
	sift(ret, at, names_titled, title);
	return 0;
}

int line_naming_group(struct line *l, const char *group, struct line_rows *ret,
		      struct err *e)
{
	return naming_text(l, LINE_MAIL, group, ret, e);
}

int line_behind(struct line *l, int64_t id, struct line_rows *ret, struct err *e)
{
	if (sql_query(&l->s, SQL_LINE_ALL, e, "i", id) < 0)
		return -(int)e->code;
	return take_rows(l, SQL_LINE_ALL, ret, e);
}

int line_names_behind(struct line *l, enum line_name_kind kind, int64_t name,
		      struct line_rows *ret, struct err *e)
{
	if (sql_query(&l->s, SQL_LINE_NAMES_BEHIND, e, "ii", (int64_t)kind, name) < 0)
		return -(int)e->code;
	return take_rows(l, SQL_LINE_NAMES_BEHIND, ret, e);
}
