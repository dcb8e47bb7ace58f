// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/mail-index.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/store/sql.h"

#define BUSY_MS 30000
#define VERSION 1
/* A hostile mail may name thousands; real ones name their thread in fewer. */
#define MAX_REFERENCES 200

struct mail_index {
	struct store s;
};

/*
 * ids has every message-id that a mail has or names, and the thread it is in: a number
 * that threads which turn out to be one come to share.
 */
static const char schema[] =
	"CREATE TABLE epochs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" tip TEXT NOT NULL);"
	"CREATE TABLE ids (id INTEGER PRIMARY KEY, thread INTEGER NOT NULL,"
	" message_id TEXT NOT NULL UNIQUE);"
	"CREATE INDEX ids_thread ON ids (thread);"
	"CREATE TABLE mails (id INTEGER NOT NULL REFERENCES ids (id), epoch INTEGER NOT "
	"NULL,"
	" blob TEXT NOT NULL, date INTEGER NOT NULL, subject TEXT NOT NULL,"
	" sender TEXT NOT NULL, change_id TEXT);"
	"CREATE INDEX mails_id ON mails (id);"
	"CREATE INDEX mails_change ON mails (change_id) WHERE change_id IS NOT NULL;";

/* 1 when it is ours and whole as far as can be seen, 0 when it has to be made anew. */
static int prepare(struct store *s, struct err *e)
{
	_cleanup_free_ char *mark = xasprintf("PRAGMA user_version = %d", VERSION);
	int64_t version, tables;

	/* What is lost with the power is indexed again. */
	if (sql_exec(s,
		     "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
		     "PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY;",
		     e) < 0 ||
	    sql_number(s, "PRAGMA user_version", &version, e) < 0 ||
	    sql_number(s, "SELECT count(*) FROM sqlite_master", &tables, e) < 0)
		return -(int)e->code;
	if (version == VERSION && tables)
		return 1;
	if (version || tables)
		return 0;
	if (sql_begin(s, e) < 0)
		return -(int)e->code;
	if (sql_exec(s, schema, e) < 0 || sql_exec(s, mark, e) < 0 ||
	    sql_commit(s, e) < 0) {
		sql_rollback(s);
		return -(int)e->code;
	}
	return 1;
}

static int open_once(const char *path, struct mail_index **ret, struct err *e)
{
	_cleanup_mail_index_ struct mail_index *x = xzalloc(sizeof(*x));
	int r;

	x->s.path = xstrdup(path);
	if (sqlite3_open_v2(path, &x->s.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL))
		return sql_error(&x->s, e);
	sqlite3_extended_result_codes(x->s.db, 1);
	sqlite3_busy_timeout(x->s.db, BUSY_MS);
	r = prepare(&x->s, e);
	if (r > 0)
		*ret = take_ptr(x);
	return r;
}

int mail_index_remove(const char *path, struct err *e)
{
	static const char *const ends[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		_cleanup_free_ char *name = xasprintf("%s%s", path, ends[i]);

		if (unlink(name) < 0 && access(name, F_OK) == 0)
			return err_set(e, ERR_IO, "cannot remove the mail index '%s'",
				       name);
	}
	return 0;
}

int mail_index_open(const char *path, struct mail_index **ret, struct err *e)
{
	int r = open_once(path, ret, e);

	if (r > 0)
		return 0;
	if (r < 0 && e->code != ERR_STORE)
		return r;
	err_release(e);
	if (mail_index_remove(path, e) < 0)
		return -(int)e->code;
	r = open_once(path, ret, e);
	if (r == 0)
		return err_set(e, ERR_STORE, "cannot make the mail index '%s'", path);
	return r < 0 ? r : 0;
}

void mail_index_free(struct mail_index *x)
{
	if (!x)
		return;
	sql_release(&x->s);
	sqlite3_close(x->s.db);
	free(x->s.path);
	free(x);
}

int mail_index_begin(struct mail_index *x, struct err *e)
{
	return sql_begin(&x->s, e);
}

int mail_index_commit(struct mail_index *x, struct err *e)
{
	return sql_commit(&x->s, e);
}

void mail_index_rollback(struct mail_index *x)
{
	sql_rollback(&x->s);
}

int mail_index_epoch(struct mail_index *x, const char *epoch, int64_t *ret_id,
		     struct oid *ret_tip, struct err *e)
{
	_cleanup_free_ char *tip = NULL;
	struct store *s = &x->s;
	int r;

	if (sql_run(s, SQL_EPOCH_ADD, e, "s", epoch) < 0 ||
	    sql_query(s, SQL_EPOCH_GET, e, "s", epoch) < 0)
		return -(int)e->code;
	r = sql_next(s, SQL_EPOCH_GET, e);
	if (r <= 0)
		return r < 0 ? r : err_set(e, ERR_STORE, "epoch '%s' is lost", epoch);
	*ret_id = sql_int(s, SQL_EPOCH_GET, 0);
	tip = sql_text(s, SQL_EPOCH_GET, 1);
	sql_done(s, SQL_EPOCH_GET);
	*ret_tip = (struct oid){ 0 };
	if (tip && strlen(tip) == 40)
		memcpy(ret_tip->hex, tip, 41);
	return 0;
}

int mail_index_set_tip(struct mail_index *x, int64_t epoch, const struct oid *tip,
		       struct err *e)
{
	return sql_run(&x->s, SQL_EPOCH_TIP, e, "is", epoch, tip->hex);
}

/* Number and thread of a message-id; 0 and both untouched when it is new. */
static int find_id(struct store *s, const char *id, int64_t *ret, int64_t *ret_thread,
		   struct err *e)
{
	int r;

	if (sql_query(s, SQL_ID_GET, e, "s", id) < 0)
		return -(int)e->code;
	r = sql_next(s, SQL_ID_GET, e);
	if (r <= 0)
		return r;
	*ret = sql_int(s, SQL_ID_GET, 0);
	*ret_thread = sql_int(s, SQL_ID_GET, 1);
	sql_done(s, SQL_ID_GET);
	return 1;
}

/* Bring a message-id into *thread; a *thread of 0 becomes that of the id, or a new one. */
static int join(struct store *s, const char *id, int64_t *thread, int64_t *ret_id,
		struct err *e)
{
	int64_t other = 0;
	int r = find_id(s, id, ret_id, &other, e);

	if (r < 0)
		return r;
	if (r > 0) {
		if (!*thread)
			*thread = other;
		if (other == *thread)
			return 0;
		return sql_run(s, SQL_ID_MERGE, e, "ii", *thread, other);
	}
	if (sql_run(s, SQL_ID_ADD, e, "is", *thread, id) < 0)
		return -(int)e->code;
	*ret_id = sqlite3_last_insert_rowid(s->db);
	if (*thread)
		return 0;
	*thread = *ret_id;
	return sql_run(s, SQL_ID_OWN, e, "i", *ret_id);
}

int mail_index_add(struct mail_index *x, int64_t epoch, const struct mail_row *m,
		   struct err *e)
{
	const struct strv *refs = m->references;
	size_t first = refs->nr > MAX_REFERENCES ? refs->nr - MAX_REFERENCES : 0;
	int64_t thread = 0, id, other;

	/* The last ones are the nearest. */
	for (size_t i = first; i < refs->nr; i++)
		if (join(&x->s, refs->v[i], &thread, &other, e) < 0)
			return -(int)e->code;
	if (join(&x->s, m->message_id, &thread, &id, e) < 0)
		return -(int)e->code;
	return sql_run(&x->s, SQL_MAIL_ADD, e, "iisisss", id, epoch, m->blob.hex, m->date,
		       m->subject, m->sender, m->change_id);
}

int mail_index_take_back(struct mail_index *x, const char *message_id,
			 const struct oid *blob, struct err *e)
{
	return sql_run(&x->s, SQL_MAIL_REMOVE, e, "ss", message_id, blob->hex);
}

int mail_index_forget(struct mail_index *x, int64_t epoch, struct err *e)
{
	return sql_run(&x->s, SQL_EPOCH_FORGET, e, "i", epoch);
}

static int read_places(struct store *s, enum sql q, struct mail_places *ret,
		       struct err *e)
{
	int r;

	while ((r = sql_next(s, q, e)) > 0) {
		struct mail_place *p = array_push(ret->v, ret->nr);
		_cleanup_free_ char *blob = sql_text(s, q, 1);

		*p = (struct mail_place){ .epoch = sql_text(s, q, 0) };
		if (blob && strlen(blob) == 40)
			memcpy(p->blob.hex, blob, 41);
	}
	return r;
}

int mail_index_by_id(struct mail_index *x, const char *message_id,
		     struct mail_places *ret, struct err *e)
{
	if (sql_query(&x->s, SQL_MAIL_BY_ID, e, "s", message_id) < 0)
		return -(int)e->code;
	return read_places(&x->s, SQL_MAIL_BY_ID, ret, e);
}

int mail_index_by_change(struct mail_index *x, const char *change_id,
			 struct mail_places *ret, struct err *e)
{
	if (sql_query(&x->s, SQL_MAIL_BY_CHANGE, e, "s", change_id) < 0)
		return -(int)e->code;
	return read_places(&x->s, SQL_MAIL_BY_CHANGE, ret, e);
}

int mail_index_by_subject(struct mail_index *x, const char *subject, const char *sender,
			  struct mail_places *ret, struct err *e)
{
	if (sql_query(&x->s, SQL_MAIL_BY_SUBJECT, e, "ss", subject, sender) < 0)
		return -(int)e->code;
	return read_places(&x->s, SQL_MAIL_BY_SUBJECT, ret, e);
}

void mail_places_release(struct mail_places *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->v[i].epoch);
	free(p->v);
	*p = (struct mail_places){ 0 };
}
