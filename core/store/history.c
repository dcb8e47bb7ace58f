// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/history.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/store/cache.h"

#define HISTORY_VERSION 1

/* Digits of an id that make a key: 60 bits, so that SQL's signed numbers keep order. */
#define KEY_DIGITS 15

struct history {
	struct store s;
};

static const char schema[] =
	"CREATE TABLE segments ("
	" id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, parent_pos INTEGER NOT NULL,"
	" lo INTEGER NOT NULL, hi INTEGER NOT NULL, floor INTEGER NOT NULL);"
	"CREATE TABLE commits ("
	" segment INTEGER NOT NULL, pos INTEGER NOT NULL, oid TEXT NOT NULL UNIQUE,"
	" time INTEGER NOT NULL, PRIMARY KEY (segment, pos)) WITHOUT ROWID;"
	"CREATE TABLE events ("
	" path INTEGER NOT NULL, segment INTEGER NOT NULL, pos INTEGER NOT NULL,"
	" blob INTEGER NOT NULL, PRIMARY KEY (path, segment, pos)) WITHOUT ROWID;";

uint64_t history_path_add(uint64_t hash, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)s[i]) * 1099511628211ULL;
	return hash;
}

uint64_t history_path_key(const char *path)
{
	return history_path_add(HISTORY_PATH_START, path, strlen(path)) >> 1;
}

static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return (unsigned int)((c | 0x20) - 'a' + 10) & 15;
}

void history_blob_range(const char *hex, size_t n, uint64_t *lo, uint64_t *hi)
{
	uint64_t key = 0;
	size_t i = 0;

	for (; i < n && i < KEY_DIGITS; i++)
		key = key << 4 | digit(hex[i]);
	*lo = key << 4 * (KEY_DIGITS - i);
	*hi = *lo | ((1ULL << 4 * (KEY_DIGITS - i)) - 1);
}

uint64_t history_blob_key(const char *hex)
{
	uint64_t lo, hi;

	history_blob_range(hex, KEY_DIGITS, &lo, &hi);
	return lo;
}

int history_open(const char *path, struct history **ret, struct err *e)
{
	const struct cache_db db = { path, HISTORY_VERSION, schema };
	_cleanup_history_ struct history *h = xzalloc(sizeof(*h));

	if (cache_db_open(&db, &h->s, e) < 0)
		return err_wrap(e, "cannot open the history index");
	*ret = take_ptr(h);
	return 0;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	cache_db_close(&h->s);
	free(h);
}

int history_find(struct history *h, const struct oid *commit, struct history_at *ret,
		 struct err *e)
{
	int r = sql_query(&h->s, SQL_HISTORY_FIND, e, "s", commit->hex);

	if (r == 0)
		r = sql_next(&h->s, SQL_HISTORY_FIND, e);
	if (r == 1) {
		ret->segment = sql_int(&h->s, SQL_HISTORY_FIND, 0);
		ret->pos = sql_int(&h->s, SQL_HISTORY_FIND, 1);
		sql_done(&h->s, SQL_HISTORY_FIND);
	}
	return r;
}

static int lost(struct history *h, struct err *e)
{
	err_set(e, ERR_STORE, "the history index '%s' lacks a row", h->s.path);
	return err_hint(e, "remove the file, it is made anew");
}

int history_commit(struct history *h, const struct history_at *at, struct oid *ret,
		   int64_t *ret_time, struct err *e)
{
	_cleanup_free_ char *hex = NULL;
	int r = sql_query(&h->s, SQL_HISTORY_COMMIT, e, "ii", at->segment, at->pos);

	if (r == 0)
		r = sql_next(&h->s, SQL_HISTORY_COMMIT, e);
	if (r < 0)
		return r;
	if (r == 0)
		return lost(h, e);
	hex = sql_text(&h->s, SQL_HISTORY_COMMIT, 0);
	if (ret_time)
		*ret_time = sql_int(&h->s, SQL_HISTORY_COMMIT, 1);
	sql_done(&h->s, SQL_HISTORY_COMMIT);
	if (!hex || strlen(hex) != 40)
		return lost(h, e);
	memcpy(ret->hex, hex, sizeof(ret->hex));
	return 0;
}

int history_segment(struct history *h, int64_t id, struct history_segment *ret,
		    struct err *e)
{
	int r = sql_query(&h->s, SQL_HISTORY_SEGMENT, e, "i", id);

	if (r == 0)
		r = sql_next(&h->s, SQL_HISTORY_SEGMENT, e);
	if (r < 0)
		return r;
	if (r == 0)
		return lost(h, e);
	*ret = (struct history_segment){
		.id = id,
		.parent = { sql_int(&h->s, SQL_HISTORY_SEGMENT, 0),
			    sql_int(&h->s, SQL_HISTORY_SEGMENT, 1) },
		.lo = sql_int(&h->s, SQL_HISTORY_SEGMENT, 2),
		.hi = sql_int(&h->s, SQL_HISTORY_SEGMENT, 3),
		.floor = (enum history_floor)sql_int(&h->s, SQL_HISTORY_SEGMENT, 4),
	};
	sql_done(&h->s, SQL_HISTORY_SEGMENT);
	return 0;
}

int history_path(struct history *h, uint64_t path, size_t max, struct history_event **v,
		 size_t *nr, struct err *e)
{
	int r = sql_query(&h->s, SQL_HISTORY_PATH, e, "ii", (int64_t)path, (int64_t)max);

	while (r >= 0 && (r = sql_next(&h->s, SQL_HISTORY_PATH, e)) == 1)
		*array_push(*v, *nr) = (struct history_event){
			.path = path,
			.at = { sql_int(&h->s, SQL_HISTORY_PATH, 0),
				sql_int(&h->s, SQL_HISTORY_PATH, 1) },
			.blob = (uint64_t)sql_int(&h->s, SQL_HISTORY_PATH, 2),
		};
	return r;
}

int history_begin(struct history *h, struct err *e)
{
	return sql_begin(&h->s, e);
}

int history_end(struct history *h, struct err *e)
{
	return sql_commit(&h->s, e);
}

void history_rollback(struct history *h)
{
	sql_rollback(&h->s);
}

static int new_id(struct history *h, int64_t *ret, struct err *e)
{
	int r = sql_query(&h->s, SQL_HISTORY_NEW_ID, e, "");

	if (r == 0)
		r = sql_next(&h->s, SQL_HISTORY_NEW_ID, e);
	if (r < 0)
		return r;
	*ret = sql_int(&h->s, SQL_HISTORY_NEW_ID, 0);
	sql_done(&h->s, SQL_HISTORY_NEW_ID);
	return 0;
}

int history_put_segment(struct history *h, struct history_segment *s, struct err *e)
{
	enum sql q = s->id ? SQL_HISTORY_SEGMENT_SET : SQL_HISTORY_SEGMENT_ADD;

	if (!s->id && new_id(h, &s->id, e) < 0)
		return -(int)e->code;
	return sql_run(&h->s, q, e, "iiiiii", s->id, s->parent.segment, s->parent.pos,
		       s->lo, s->hi, (int64_t)s->floor);
}

int history_add_commit(struct history *h, const struct history_at *at,
		       const struct oid *commit, int64_t time, struct err *e)
{
	return sql_run(&h->s, SQL_HISTORY_COMMIT_ADD, e, "iisi", at->segment, at->pos,
		       commit->hex, time);
}

static int by_path(const void *va, const void *vb)
{
	const struct history_event *a = va, *b = vb;

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	return a->at.pos < b->at.pos ? -1 : a->at.pos > b->at.pos;
}

int history_add_events(struct history *h, struct history_event *v, size_t nr,
		       struct err *e)
{
	if (nr)
		qsort(v, nr, sizeof(*v), by_path);
	for (size_t i = 0; i < nr; i++)
		if (sql_run(&h->s, SQL_HISTORY_EVENT_ADD, e, "iiii", (int64_t)v[i].path,
			    v[i].at.segment, v[i].at.pos, (int64_t)v[i].blob) < 0)
			return -(int)e->code;
	return 0;
}
