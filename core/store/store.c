// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/sql.h"

#define BUSY_MS 30000

/* Schema changes, oldest first; a store that has seen the first n has user_version n. */
static const char *const migrations[] = {
	"CREATE TABLE runs ("
	" id TEXT NOT NULL UNIQUE, command TEXT NOT NULL, cwd TEXT NOT NULL,"
	" state INTEGER NOT NULL, exit_code INTEGER NOT NULL,"
	" started INTEGER NOT NULL, ended INTEGER NOT NULL);"
	"CREATE TABLE run_args ("
	" run TEXT NOT NULL REFERENCES runs (id), nr INTEGER NOT NULL, arg TEXT NOT NULL,"
	" PRIMARY KEY (run, nr)) WITHOUT ROWID;"
	"CREATE TABLE facts ("
	" run TEXT NOT NULL REFERENCES runs (id), key TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY (run, key)) WITHOUT ROWID;"
	"CREATE TABLE journal ("
	" id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id),"
	" time INTEGER NOT NULL, state TEXT NOT NULL, step TEXT NOT NULL,"
	" detail TEXT NOT NULL);"
	"CREATE INDEX journal_run ON journal (run);"
	"CREATE UNIQUE INDEX journal_done ON journal (run, step) WHERE state = 'done';"
	"CREATE TABLE builds ("
	" run TEXT NOT NULL REFERENCES runs (id), commit_id TEXT NOT NULL,"
	" tree TEXT NOT NULL, config TEXT NOT NULL, toolchain TEXT NOT NULL,"
	" arch TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, build_id TEXT, image "
	"TEXT,"
	" log TEXT, cached INTEGER NOT NULL, seconds REAL NOT NULL,"
	" UNIQUE (run, commit_id, config, toolchain, arch));"
	"CREATE TABLE boots ("
	" token TEXT NOT NULL UNIQUE, run TEXT NOT NULL REFERENCES runs (id),"
	" commit_id TEXT NOT NULL, tree TEXT NOT NULL, target TEXT, accel TEXT, path "
	"TEXT,"
	" boot_id TEXT, build_id TEXT, status TEXT NOT NULL, reason TEXT, console TEXT,"
	" proven INTEGER NOT NULL, seconds REAL NOT NULL);"
	"CREATE INDEX boots_run ON boots (run);"
	/* Deferred: a boot's samples may be added before their boot, in one transaction.
	 */
	"CREATE TABLE samples ("
	" run TEXT NOT NULL REFERENCES runs (id),"
	" token TEXT NOT NULL REFERENCES boots (token) DEFERRABLE INITIALLY DEFERRED,"
	" commit_id TEXT NOT NULL, tree TEXT NOT NULL, benchmark TEXT NOT NULL,"
	" l0 TEXT NOT NULL, l1 TEXT NOT NULL, ordinal INTEGER NOT NULL,"
	" value REAL NOT NULL, unit TEXT, clock TEXT, proven INTEGER NOT NULL,"
	" UNIQUE (token, benchmark, l0, l1, ordinal));"
	"CREATE INDEX samples_run ON samples (run);",
	/* What a kernel complained about, how it was loaded; the path of each sample. */
	"ALTER TABLE boots ADD COLUMN title TEXT;"
	"ALTER TABLE boots ADD COLUMN load TEXT;"
	"ALTER TABLE samples ADD COLUMN path TEXT;"
	"UPDATE samples SET path ="
	" (SELECT path FROM boots WHERE boots.token = samples.token);",
	/* What each boot measured with. */
	"ALTER TABLE boots ADD COLUMN environment TEXT;",
	/* What of a build runs, whatever it was built from. */
	"ALTER TABLE builds ADD COLUMN code TEXT;"
	"ALTER TABLE builds ADD COLUMN modules TEXT;",
	/* What else a sample rests on; boots in which events were counted. */
	"ALTER TABLE boots ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE samples ADD COLUMN setup TEXT;"
	"ALTER TABLE samples ADD COLUMN guest TEXT;"
	"ALTER TABLE samples ADD COLUMN qemu TEXT;"
	"ALTER TABLE samples ADD COLUMN payload TEXT;",
	/* How well targets repeat; what boots of different runs have in common. */
	"CREATE TABLE calibrations ("
	" run TEXT NOT NULL REFERENCES runs (id), target TEXT NOT NULL,"
	" accel TEXT NOT NULL, path TEXT NOT NULL, benchmark TEXT NOT NULL,"
	" l0 TEXT NOT NULL, l1 TEXT NOT NULL, params TEXT NOT NULL,"
	" time INTEGER NOT NULL, layouts INTEGER NOT NULL, boots INTEGER NOT NULL,"
	" runs INTEGER NOT NULL, value REAL NOT NULL, run_sd REAL NOT NULL,"
	" boot_sd REAL NOT NULL, build_sd REAL NOT NULL, run_df INTEGER NOT NULL,"
	" boot_df INTEGER NOT NULL, build_df INTEGER NOT NULL, seconds REAL NOT NULL,"
	" UNIQUE (run, benchmark, l0, l1, params));"
	"CREATE TABLE held ("
	" token TEXT NOT NULL UNIQUE REFERENCES boots (token)"
	" DEFERRABLE INITIALLY DEFERRED, digest TEXT NOT NULL);"
	"CREATE INDEX samples_tree ON samples (tree, benchmark);",
};

static int migrate_from(struct store *s, int64_t version, struct err *e)
{
	_cleanup_free_ char *mark =
		xasprintf("PRAGMA user_version = %zu", ARRAY_SIZE(migrations));

	if (sql_begin(s, e) < 0)
		return -(int)e->code;
	for (size_t i = (size_t)version; i < ARRAY_SIZE(migrations); i++) {
		if (sql_exec(s, migrations[i], e) < 0) {
			sql_rollback(s);
			return err_wrap(e, "cannot bring store '%s' to schema %zu",
					s->path, i + 1);
		}
	}
	if (sql_exec(s, mark, e) < 0 || sql_commit(s, e) < 0) {
		sql_rollback(s);
		return -(int)e->code;
	}
	return 0;
}

static int migrate(struct store *s, struct err *e)
{
	int64_t version, tables;

	if (sql_number(s, "PRAGMA user_version", &version, e) < 0 ||
	    sql_number(s, "SELECT count(*) FROM sqlite_master", &tables, e) < 0)
		return -(int)e->code;
	if (version > (int64_t)ARRAY_SIZE(migrations)) {
		err_set(e, ERR_STORE,
			"store '%s' is of a newer kiln: schema %lld, this one knows %zu",
			s->path, (long long)version, ARRAY_SIZE(migrations));
		return err_hint(e, "use that kiln, or another store through KILN_HOME");
	}
	if (version < 0 || (version == 0 && tables)) {
		err_set(e, ERR_STORE, "'%s' is not a store of kiln", s->path);
		return err_hint(e, "move that file away, or set KILN_HOME");
	}
	return version == (int64_t)ARRAY_SIZE(migrations) ? 0
							  : migrate_from(s, version, e);
}

static int open_db(struct store *s, struct err *e)
{
	if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			    NULL))
		return sql_error(s, e);
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	if (sql_exec(s,
		     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		     "PRAGMA foreign_keys = ON;",
		     e) < 0)
		return -(int)e->code;
	return migrate(s, e);
}

int store_open(struct store **ret, struct err *e)
{
	_cleanup_store_ struct store *s = xzalloc(sizeof(*s));
	_cleanup_free_ char *dir = fs_state_dir();
	_cleanup_free_ char *lock_path = fs_path(dir, "kiln.db.lock");
	_cleanup_close_ int lock = -1;

	s->path = fs_path(dir, "kiln.db");
	if (fs_mkdirs(dir, e) < 0)
		return err_hint(e, "set KILN_HOME to a folder kiln may write to");
	/* The switch to WAL and the first schema do not wait for each other in SQLite. */
	if (fs_lock(lock_path, BUSY_MS, &lock, e) < 0 || open_db(s, e) < 0)
		return err_wrap(e, "cannot open the result store");
	*ret = take_ptr(s);
	return 0;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	sql_release(s);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
