// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sql.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>

#include "core/base/alloc.h"

#define RUN_COLUMNS "id, command, cwd, state, exit_code, started, ended"
#define BOOT_COLUMNS                                                               \
	"commit_id, tree, target, accel, path, token, boot_id, build_id, status, " \
	"reason, "                                                                 \
	"console, proven, seconds, title, load, environment, counted"

#define SAMPLE_COLUMNS                                                       \
	"token, commit_id, tree, benchmark, nullif(l0, ''), nullif(l1, '')," \
	" ordinal, value, unit, clock, proven, path, setup, guest, qemu, payload"

#define MAIL_PLACES                                                \
	"SELECT epochs.name, blob FROM ids JOIN mails USING (id) " \
	"JOIN epochs ON epochs.id = mails.epoch "
#define MAIL_ORDER " ORDER BY date, mails.rowid LIMIT 20000"

#define LINE_COLUMNS "c.id, c.oid, c.pos, c.line, c.date, c.authored, c.subject"
#define LINE_ROW "SELECT " LINE_COLUMNS " FROM commits c"
#define LINE_NAME                                                  \
	"SELECT " LINE_COLUMNS ", hex, n.title, partial, n.rowid " \
	"FROM names n JOIN commits c ON c.id = n.commit_id"
#define LINE_END " ORDER BY c.id LIMIT 1000"

static const char *const statements[SQL_NR] = {
	[SQL_BEGIN] = "BEGIN IMMEDIATE",
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
	[SQL_BEGIN_READ] = "BEGIN",
	[SQL_BUILD_ADD] = "INSERT INTO builds (run, commit_id, tree, config, toolchain, "
			  "arch, status,"
			  " reason, build_id, image, log, cached, seconds, code, modules)"
			  " VALUES (?, ?, ?, ifnull(?, ''), ifnull(?, ''), ifnull(?, "
			  "''), ?, ?, ?, ?, ?,"
			  " ?, ?, ?, ?) ON CONFLICT DO NOTHING",
	[SQL_BUILD_LIST] =
		"SELECT commit_id, tree, nullif(config, ''), nullif(toolchain, ''),"
		" nullif(arch, ''), status, reason, build_id, image, log, cached, "
		"seconds,"
		" code, modules FROM builds WHERE run = ? ORDER BY rowid",
	[SQL_BOOT_ADD] = "INSERT INTO boots (run, " BOOT_COLUMNS ")"
			 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
			 "?, ?)"
			 " ON CONFLICT (token) DO NOTHING",
	[SQL_BOOT_LIST] = "SELECT " BOOT_COLUMNS
			  " FROM boots WHERE run = ? ORDER BY rowid",
	[SQL_BOOT_GET] = "SELECT " BOOT_COLUMNS " FROM boots WHERE token = ?",
	[SQL_SAMPLE_ADD] =
		"INSERT INTO samples (run, token, commit_id, tree, benchmark, l0, l1, "
		"ordinal,"
		" value, unit, clock, proven, path, setup, guest, qemu, payload)"
		" VALUES (?, ?, ?, ?, ?, ifnull(?, ''),"
		" ifnull(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
	[SQL_SAMPLE_LIST] =
		"SELECT " SAMPLE_COLUMNS " FROM samples"
		" WHERE run = ?1 AND (?2 IS NULL OR token = ?2) ORDER BY rowid",
	[SQL_SAMPLE_MEASURED] = "SELECT " SAMPLE_COLUMNS
				" FROM samples WHERE benchmark = ? AND proven"
				" ORDER BY rowid",
	[SQL_BOOT_MEASURED] = "SELECT " BOOT_COLUMNS
			      " FROM boots WHERE token IN (SELECT token FROM samples"
			      " WHERE benchmark = ? AND proven) ORDER BY rowid",
	[SQL_SAMPLE_LIKE] =
		"SELECT samples.token, samples.commit_id, samples.tree, benchmark,"
		" nullif(l0, ''), nullif(l1, ''), ordinal, value, unit, clock,"
		" samples.proven, samples.path, setup, guest, qemu, payload"
		" FROM samples JOIN boots USING (token) JOIN held USING (token)"
		" WHERE samples.tree = ?1 AND benchmark = ?2 AND boots.build_id = ?3"
		" AND target = ?4 AND accel = ?5 AND boots.path = ?6 AND digest = ?7"
		" AND samples.proven AND boots.proven AND boots.status = 'ok'"
		" ORDER BY samples.rowid",
	[SQL_HELD_ADD] = "INSERT INTO held (token, digest) VALUES (?, ?)"
			 " ON CONFLICT DO NOTHING",
	[SQL_CALIBRATION_ADD] =
		"INSERT INTO calibrations (run, target, accel, path, benchmark, l0, l1,"
		" params, time, layouts, boots, runs, value, run_sd, boot_sd, build_sd,"
		" run_df, boot_df, build_df, seconds)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		" ON CONFLICT DO NOTHING",
	[SQL_CALIBRATION_GET] =
		"SELECT time, layouts, boots, runs, value, run_sd, boot_sd, build_sd,"
		" run_df, boot_df, build_df, seconds, run FROM calibrations"
		" WHERE target = ? AND accel = ? AND path = ? AND benchmark = ?"
		" AND l0 = ? AND l1 = ? AND params = ? ORDER BY rowid DESC LIMIT 1",
	[SQL_RUN_ADD] =
		"INSERT INTO runs (id, command, cwd, state, exit_code, started, ended)"
		" VALUES (?, ?, ?, 0, 0, ?, 0)",
	[SQL_RUN_ARG_ADD] = "INSERT INTO run_args (run, nr, arg) VALUES (?, ?, ?)",
	[SQL_RUN_ARGS] = "SELECT arg FROM run_args WHERE run = ? ORDER BY nr",
	[SQL_RUN_FIND] = "SELECT " RUN_COLUMNS
			 " FROM runs WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2",
	[SQL_RUN_LAST] = "SELECT " RUN_COLUMNS " FROM runs ORDER BY rowid DESC LIMIT 1",
	[SQL_RUN_LIST] = "SELECT " RUN_COLUMNS " FROM runs ORDER BY rowid DESC",
	[SQL_RUN_FINISH] =
		"UPDATE runs SET state = ?2, exit_code = ?3, ended = ?4 WHERE id = ?1",
	[SQL_FACT_SET] = "INSERT INTO facts (run, key, value) VALUES (?, ?, ?)"
			 " ON CONFLICT (run, key) DO UPDATE SET value = excluded.value",
	[SQL_FACT_GET] = "SELECT value FROM facts WHERE run = ? AND key = ?",
	[SQL_FACT_LIST] = "SELECT key, value FROM facts WHERE run = ? ORDER BY key",
	[SQL_FACT_NEWEST] = "SELECT facts.run, facts.value FROM facts JOIN runs ON "
			    "runs.id = facts.run"
			    " WHERE facts.key = ? ORDER BY runs.rowid DESC LIMIT 1",
	[SQL_JOURNAL_ADD] = "INSERT INTO journal (run, time, state, step, detail)"
			    " VALUES (?, ?, ?, ?, ?)",
	[SQL_JOURNAL_DONE] = "SELECT detail FROM journal"
			     " WHERE run = ? AND step = ? AND state = 'done'",
	[SQL_JOURNAL_LIST] = "SELECT time, state, step, detail FROM journal"
			     " WHERE run = ? ORDER BY id",
	[SQL_EPOCH_ADD] = "INSERT INTO epochs (name, tip) VALUES (?, '')"
			  " ON CONFLICT DO NOTHING",
	[SQL_EPOCH_GET] = "SELECT id, tip FROM epochs WHERE name = ?",
	[SQL_EPOCH_TIP] = "UPDATE epochs SET tip = ?2 WHERE id = ?1",
	[SQL_EPOCH_FORGET] = "DELETE FROM mails WHERE epoch = ?",
	[SQL_ID_GET] = "SELECT id, thread FROM ids WHERE message_id = ?",
	[SQL_ID_ADD] = "INSERT INTO ids (thread, message_id) VALUES (?, ?)",
	[SQL_ID_OWN] = "UPDATE ids SET thread = id WHERE id = ?",
	[SQL_ID_MERGE] = "UPDATE ids SET thread = ?1 WHERE thread = ?2",
	[SQL_MAIL_ADD] = "INSERT INTO mails (id, epoch, blob, date, subject, sender,"
			 " change_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
	[SQL_MAIL_REMOVE] = "DELETE FROM mails WHERE blob = ?2 AND id ="
			    " (SELECT id FROM ids WHERE message_id = ?1)",
	[SQL_MAIL_BY_ID] = MAIL_PLACES "WHERE thread = (SELECT thread FROM ids"
				       " WHERE message_id = ?)" MAIL_ORDER,
	[SQL_MAIL_BY_CHANGE] = MAIL_PLACES
	"WHERE thread IN (SELECT thread FROM mails JOIN ids"
	" USING (id) WHERE change_id = ?)" MAIL_ORDER,
	[SQL_MAIL_BY_SUBJECT] = MAIL_PLACES
	"WHERE thread IN (SELECT thread FROM mails JOIN ids"
	" USING (id) WHERE subject = ?1"
	" AND (?2 IS NULL OR instr(sender, ?2)))" MAIL_ORDER,
	[SQL_HISTORY_FIND] = "SELECT segment, pos FROM commits WHERE oid = ?",
	[SQL_HISTORY_COMMIT] =
		"SELECT oid, time FROM commits WHERE segment = ? AND pos = ?",
	[SQL_HISTORY_COMMIT_ADD] =
		"INSERT INTO commits (segment, pos, oid, time) VALUES (?, ?, ?, ?)",
	[SQL_HISTORY_SEGMENT] = "SELECT parent, parent_pos, lo, hi, floor FROM segments"
				" WHERE id = ?",
	[SQL_HISTORY_SEGMENT_ADD] =
		"INSERT INTO segments (id, parent, parent_pos, lo, hi, floor)"
		" VALUES (?, ?, ?, ?, ?, ?)",
	[SQL_HISTORY_SEGMENT_SET] =
		"UPDATE segments SET parent = ?2, parent_pos = ?3, lo = ?4, hi = ?5,"
		" floor = ?6 WHERE id = ?1",
	[SQL_HISTORY_NEW_ID] = "SELECT ifnull(max(id), 0) + 1 FROM segments",
	[SQL_HISTORY_EVENT_ADD] = "INSERT INTO events (path, segment, pos, blob)"
				  " VALUES (?, ?, ?, ?)",
	[SQL_HISTORY_PATH] = "SELECT segment, pos, blob FROM events WHERE path = ?"
			     " LIMIT ?",
	[SQL_LINE_STATE] = "SELECT tip, root, pos, commits, missing, oldest FROM state",
	[SQL_LINE_STATE_SET] =
		"INSERT OR REPLACE INTO state (id, tip, root, pos, commits,"
		" missing, oldest) VALUES (1, ?, ?, ?, ?, ?, ?)",
	[SQL_LINE_ADD] = "INSERT INTO commits (id, key, oid, pos, line, date, authored,"
			 " title, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[SQL_LINE_NAME_ADD] =
		"INSERT INTO names (commit_id, kind, key, title_key, partial,"
		" hex, title) VALUES (?, ?, nullif(?, 0), nullif(?, 0), ?, ?, ?)",
	[SQL_LINE_CUT_ID] = "SELECT ifnull(max(id), 0) FROM commits WHERE pos <= ?",
	[SQL_LINE_CUT] = "DELETE FROM commits WHERE id > ?",
	[SQL_LINE_CUT_NAMES] = "DELETE FROM names WHERE commit_id > ?",
	[SQL_LINE_CUT_POINTS] = "DELETE FROM points WHERE pos > ?1 OR ?1 = 0",
	[SQL_LINE_POINT_ADD] = "INSERT INTO points (oid, pos) VALUES (?, ?)"
			       " ON CONFLICT DO NOTHING",
	[SQL_LINE_POINTS] = "SELECT oid FROM points ORDER BY pos, oid",
	[SQL_LINE_BY_OID] = LINE_ROW " WHERE key = ? AND oid = ?",
	[SQL_LINE_BY_KEY] = LINE_ROW " WHERE key BETWEEN ? AND ?" LINE_END,
	[SQL_LINE_BY_TITLE] = LINE_ROW " WHERE title = ?" LINE_END,
	[SQL_LINE_BY_AUTHORED] = LINE_ROW " WHERE authored = ?" LINE_END,
	[SQL_LINE_ALL] = LINE_ROW " WHERE c.id > ?" LINE_END,
	[SQL_LINE_NAMES_BY_KEY] = LINE_NAME
	" WHERE kind = ? AND n.key BETWEEN ? AND ?" LINE_END,
	[SQL_LINE_NAMES_BY_TITLE] = LINE_NAME
	" WHERE kind = ? AND title_key = ?" LINE_END,
	[SQL_LINE_NAMES_BEHIND] = LINE_NAME
	" WHERE kind = ? AND n.rowid > ? ORDER BY n.rowid LIMIT 1000",
	[SQL_PATCH_ID_GET] = "SELECT patch_id FROM patch_ids WHERE oid = ?",
	[SQL_PATCH_ID_ADD] = "INSERT INTO patch_ids (oid, patch_id) VALUES (?, ?)"
			     " ON CONFLICT DO NOTHING",
};

static int damaged(struct store *s, struct err *e)
{
	err_set(e, ERR_STORE, "store '%s' is damaged: %s", s->path,
		sqlite3_errmsg(s->db));
	return err_hint(
		e, "move the file away to start anew; `sqlite3 FILE .recover` may save "
		   "its rows");
}

int sql_error(struct store *s, struct err *e)
{
	int sys = sqlite3_system_errno(s->db);

	switch (sqlite3_errcode(s->db) & 0xff) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return damaged(s, e);
	case SQLITE_FULL:
		err_set(e, ERR_DISK_FULL, "no space left for store '%s'", s->path);
		return err_hint(e, "free some space, then `kiln resume`");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		err_set(e, ERR_STORE, "store '%s' is held by another program", s->path);
		return err_hint(e, "see who holds it with `fuser -v %s`", s->path);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_IOERR:
		err_sys(e, sys ? sys : EIO, "cannot use store '%s': %s", s->path,
			sqlite3_errmsg(s->db));
		return err_hint(e, "check space and permissions there, or set KILN_HOME");
	case SQLITE_CONSTRAINT:
		return err_set(e, ERR_STORE, "store '%s' refuses a record: %s", s->path,
			       sqlite3_errmsg(s->db));
	default:
		err_set(e, ERR_STORE, "store '%s': %s", s->path, sqlite3_errmsg(s->db));
		return err_hint(e,
				"another kiln's schema or a damaged file: move it away");
	}
}

static int bind(struct store *s, enum sql q, const char *types, va_list ap, struct err *e)
{
	int n = 1, rc = SQLITE_OK;

	if (!s->stmt[q] &&
	    sqlite3_prepare_v3(s->db, statements[q], -1, SQLITE_PREPARE_PERSISTENT,
			       &s->stmt[q], NULL))
		return sql_error(s, e);
	for (const char *t = types; *t && rc == SQLITE_OK; t++, n++) {
		if (*t == 's')
			rc = sqlite3_bind_text(s->stmt[q], n, va_arg(ap, const char *),
					       -1, SQLITE_TRANSIENT);
		else if (*t == 'i')
			rc = sqlite3_bind_int64(s->stmt[q], n, va_arg(ap, int64_t));
		else
			rc = sqlite3_bind_double(s->stmt[q], n, va_arg(ap, double));
	}
	return rc == SQLITE_OK ? 0 : sql_error(s, e);
}

int sql_query(struct store *s, enum sql q, struct err *e, const char *types, ...)
{
	va_list ap;
	int r;

	va_start(ap, types);
	r = bind(s, q, types, ap, e);
	va_end(ap);
	return r;
}

int sql_next(struct store *s, enum sql q, struct err *e)
{
	int rc = sqlite3_step(s->stmt[q]), r = 0;

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		r = sql_error(s, e);
	sql_done(s, q);
	return r;
}

void sql_done(struct store *s, enum sql q)
{
	sqlite3_reset(s->stmt[q]);
	sqlite3_clear_bindings(s->stmt[q]);
}

int sql_run(struct store *s, enum sql q, struct err *e, const char *types, ...)
{
	va_list ap;
	int r;

	va_start(ap, types);
	r = bind(s, q, types, ap, e);
	va_end(ap);
	return r < 0 ? r : sql_next(s, q, e);
}

char *sql_text(struct store *s, enum sql q, int column)
{
	return xstrdup((const char *)sqlite3_column_text(s->stmt[q], column));
}

int64_t sql_int(struct store *s, enum sql q, int column)
{
	return sqlite3_column_int64(s->stmt[q], column);
}

double sql_double(struct store *s, enum sql q, int column)
{
	return sqlite3_column_double(s->stmt[q], column);
}

int sql_begin(struct store *s, struct err *e)
{
	return sql_run(s, SQL_BEGIN, e, "");
}

int sql_begin_read(struct store *s, struct err *e)
{
	return sql_run(s, SQL_BEGIN_READ, e, "");
}

int sql_commit(struct store *s, struct err *e)
{
	return sql_run(s, SQL_COMMIT, e, "");
}

void sql_rollback(struct store *s)
{
	_cleanup_err_ struct err ignored = { 0 };

	/* After a full disk SQLite has rolled back by itself already. */
	if (!sqlite3_get_autocommit(s->db) && sql_run(s, SQL_ROLLBACK, &ignored, "") < 0)
		return;
}

int sql_exec(struct store *s, const char *text, struct err *e)
{
	return sqlite3_exec(s->db, text, NULL, NULL, NULL) ? sql_error(s, e) : 0;
}

int sql_number(struct store *s, const char *query, int64_t *ret, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int r = 0;

	if (sqlite3_prepare_v2(s->db, query, -1, &st, NULL) ||
	    sqlite3_step(st) != SQLITE_ROW)
		r = sql_error(s, e);
	else
		*ret = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return r;
}

void sql_release(struct store *s)
{
	for (size_t i = 0; i < SQL_NR; i++)
		sqlite3_finalize(s->stmt[i]);
}
