// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/store only: SQLite files that hold what can be made again. A damaged one, or
 * one of another version, is made anew. Several processes may have it open.
 */
#include "core/store/sql.h"

struct cache_db {
	const char *path;
	int version;	    /* above 0, kept as user_version */
	const char *schema; /* statements that make the tables of an empty file */
};

/* On success *ret is open and is released by cache_db_close(). */
_must_check_ int cache_db_open(const struct cache_db *c, struct store *ret,
			       struct err *e);
void cache_db_close(struct store *s);

/* Take the file away, with what SQLite keeps beside it; absent is success. */
_must_check_ int cache_db_remove(const char *path, struct err *e);
