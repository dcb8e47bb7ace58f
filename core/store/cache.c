// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/cache.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"

#define BUSY_MS 30000

static int make_tables(const struct cache_db *c, struct store *s, struct err *e)
{
	_cleanup_free_ char *mark = xasprintf("PRAGMA user_version = %d", c->version);

	if (sql_begin(s, e) < 0)
		return -(int)e->code;
	if (sql_exec(s, c->schema, e) < 0 || sql_exec(s, mark, e) < 0 ||
	    sql_commit(s, e) < 0) {
		sql_rollback(s);
		return -(int)e->code;
	}
	return 0;
}

/* NORMAL loses the newest transactions with the power, never the file: enough here. */
static int prepare(const struct cache_db *c, struct store *s, struct err *e)
{
	int64_t version;

	if (sql_exec(s,
		     "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
		     "PRAGMA cache_size = -65536;",
		     e) < 0 ||
	    sql_number(s, "PRAGMA user_version", &version, e) < 0)
		return -(int)e->code;
	if (version == 0)
		return make_tables(c, s, e);
	if (version != c->version)
		return err_set(e, ERR_STORE, "'%s' is of another version", c->path);
	return 0;
}

static int open_once(const struct cache_db *c, struct store *ret, struct err *e)
{
	struct store s = { .path = xstrdup(c->path) };

	if (sqlite3_open_v2(c->path, &s.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL)) {
		sql_error(&s, e);
	} else {
		sqlite3_extended_result_codes(s.db, 1);
		sqlite3_busy_timeout(s.db, BUSY_MS);
		if (prepare(c, &s, e) == 0) {
			*ret = s;
			return 0;
		}
	}
	cache_db_close(&s);
	return -(int)e->code;
}

int cache_db_remove(const char *path, struct err *e)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = xasprintf("%s%s", path, suffixes[i]);

		if (fs_remove_tree(name, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int cache_db_open(const struct cache_db *c, struct store *ret, struct err *e)
{
	_cleanup_free_ char *lock_path = xasprintf("%s.open", c->path);
	_cleanup_close_ int lock = -1;

	/* As in the result store: the switch to WAL does not wait for others. */
	if (fs_lock(lock_path, BUSY_MS, &lock, e) < 0)
		return -(int)e->code;
	if (open_once(c, ret, e) == 0)
		return 0;
	if (e->code != ERR_STORE)
		return -(int)e->code;
	err_release(e);
	if (cache_db_remove(c->path, e) < 0 || open_once(c, ret, e) < 0)
		return err_wrap(e, "cannot make '%s' anew", c->path);
	return 0;
}

void cache_db_close(struct store *s)
{
	sql_release(s);
	sqlite3_close(s->db);
	free(s->path);
	*s = (struct store){ 0 };
}
