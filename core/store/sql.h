// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/store only: the open database, its statements and the journal. Statements
 * live in one static table (sql.c), are prepared on first use and named by their enum.
 * Those of the caches (mail-index.c, history.c, line.c, patch-ids.c) run on
 * files of their own.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct sqlite3;
struct sqlite3_stmt;

enum sql {
	SQL_BEGIN,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_BEGIN_READ,
	SQL_BUILD_ADD,
	SQL_BUILD_LIST,
	SQL_BOOT_ADD,
	SQL_BOOT_LIST,
	SQL_BOOT_GET,
	SQL_SAMPLE_ADD,
	SQL_SAMPLE_LIST,
	SQL_SAMPLE_MEASURED,
	SQL_BOOT_MEASURED,
	SQL_SAMPLE_LIKE,
	SQL_HELD_ADD,
	SQL_CALIBRATION_ADD,
	SQL_CALIBRATION_GET,
	SQL_RUN_ADD,
	SQL_RUN_ARG_ADD,
	SQL_RUN_ARGS,
	SQL_RUN_FIND,
	SQL_RUN_LAST,
	SQL_RUN_LIST,
	SQL_RUN_FINISH,
	SQL_FACT_SET,
	SQL_FACT_GET,
	SQL_FACT_LIST,
	SQL_FACT_NEWEST,
	SQL_JOURNAL_ADD,
	SQL_JOURNAL_DONE,
	SQL_JOURNAL_LIST,
	SQL_EPOCH_ADD,
	SQL_EPOCH_GET,
	SQL_EPOCH_TIP,
	SQL_EPOCH_FORGET,
	SQL_ID_GET,
	SQL_ID_ADD,
	SQL_ID_OWN,
	SQL_ID_MERGE,
	SQL_MAIL_ADD,
	SQL_MAIL_REMOVE,
	SQL_MAIL_BY_ID,
	SQL_MAIL_BY_CHANGE,
	SQL_MAIL_BY_SUBJECT,
	SQL_HISTORY_FIND,
	SQL_HISTORY_COMMIT,
	SQL_HISTORY_COMMIT_ADD,
	SQL_HISTORY_SEGMENT,
	SQL_HISTORY_SEGMENT_ADD,
	SQL_HISTORY_SEGMENT_SET,
	SQL_HISTORY_NEW_ID,
	SQL_HISTORY_EVENT_ADD,
	SQL_HISTORY_PATH,
	SQL_LINE_STATE,
	SQL_LINE_STATE_SET,
	SQL_LINE_ADD,
	SQL_LINE_NAME_ADD,
	SQL_LINE_CUT_ID,
	SQL_LINE_CUT,
	SQL_LINE_CUT_NAMES,
	SQL_LINE_CUT_POINTS,
	SQL_LINE_POINT_ADD,
	SQL_LINE_POINTS,
	SQL_LINE_BY_OID,
	SQL_LINE_BY_KEY,
	SQL_LINE_BY_TITLE,
	SQL_LINE_BY_AUTHORED,
	SQL_LINE_ALL,
	SQL_LINE_NAMES_BY_KEY,
	SQL_LINE_NAMES_BY_TITLE,
	SQL_LINE_NAMES_BEHIND,
	SQL_PATCH_ID_GET,
	SQL_PATCH_ID_ADD,
	SQL_NR,
};

struct store {
	struct sqlite3 *db;
	char *path;
	struct sqlite3_stmt *stmt[SQL_NR];
	uint64_t records; /* journal records written through this store */
};

/*
 * Bind values and execute a statement without rows. types has one letter for each value:
 * s const char * (NULL is SQL's NULL), i int64_t, d double.
 */
_must_check_ int sql_run(struct store *s, enum sql q, struct err *e, const char *types,
			 ...);

/* Bind values of a query; rows then come from sql_next(): 1 row, 0 end, negative error.
 * A loop left early calls sql_done(). */
_must_check_ int sql_query(struct store *s, enum sql q, struct err *e, const char *types,
			   ...);
_must_check_ int sql_next(struct store *s, enum sql q, struct err *e);
void sql_done(struct store *s, enum sql q);

/* Columns of the row; text is owned by the caller, NULL for NULL. */
_must_check_ char *sql_text(struct store *s, enum sql q, int column);
int64_t sql_int(struct store *s, enum sql q, int column);
double sql_double(struct store *s, enum sql q, int column);

/* A transaction that takes the write lock at once, so that it cannot fail half-way for
 * another writer. Rollback never fails. */
_must_check_ int sql_begin(struct store *s, struct err *e);

/* One that only reads: what is read from now on is of one moment. */
_must_check_ int sql_begin_read(struct store *s, struct err *e);
_must_check_ int sql_commit(struct store *s, struct err *e);
void sql_rollback(struct store *s);

/* Several statements given as text, for schema and pragmas. */
_must_check_ int sql_exec(struct store *s, const char *text, struct err *e);

/* The number a query without values answers with. */
_must_check_ int sql_number(struct store *s, const char *query, int64_t *ret,
			    struct err *e);

/* The database's last error as ours: file, cause and next step. */
int sql_error(struct store *s, struct err *e);

/* Release the prepared statements. */
void sql_release(struct store *s);
