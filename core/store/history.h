// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Which contents a path had, commit by commit, along first parents: a cache kept in one
 * SQLite file a repository. All it holds are facts about commits by their id, so nothing
 * in it is ever wrong; rewritten history only leaves rows that no branch leads to.
 *
 * First parents make a forest. It is cut into segments: runs of commits at rising
 * positions, oldest first. What lies below the lowest position is told by the floor.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/oid.h"

struct history;

struct history_at {
	int64_t segment, pos;
};

enum history_floor {
	HISTORY_FORK,	 /* the first parent is at segment.parent */
	HISTORY_ROOT,	 /* there is no parent */
	HISTORY_MISSING, /* the repository lacks the parent: shallow or partial clone */
	HISTORY_MORE,	 /* the parent was not looked at yet */
};

struct history_segment {
	int64_t id; /* 0 = new */
	struct history_at parent;
	int64_t lo, hi; /* positions, both included */
	enum history_floor floor;
};

/* The commit at at gave the path other contents than its first parent has there. */
struct history_event {
	uint64_t path; /* history_path_key() */
	struct history_at at;
	uint64_t blob; /* history_blob_key(), 0 = the path went away */
};

/* FNV-1a of a path, 63 bits; start a path, or go on with a part of one. */
#define HISTORY_PATH_START 14695981039346656037ULL
uint64_t history_path_add(uint64_t hash, const char *s, size_t n);
uint64_t history_path_key(const char *path);

/* The first 60 bits of an id; the range that an abbreviated id of n digits stands for. */
uint64_t history_blob_key(const char *hex);
void history_blob_range(const char *hex, size_t n, uint64_t *lo, uint64_t *hi);

/*
 * Open or create the file. One that is damaged or of another version is made anew: it is
 * only a cache.
 */
_must_check_ int history_open(const char *path, struct history **ret, struct err *e);
void history_free(struct history *h);
DEFINE_FREEP(history_free, struct history *)
#define _cleanup_history_ _cleanup_(history_freep)

/* 1 and where the commit is; 0 when it is not there. */
_must_check_ int history_find(struct history *h, const struct oid *commit,
			      struct history_at *ret, struct err *e);

/* The commit at a place and its time; ERR_STORE when there is none. */
_must_check_ int history_commit(struct history *h, const struct history_at *at,
				struct oid *ret, int64_t *ret_time, struct err *e);

_must_check_ int history_segment(struct history *h, int64_t id,
				 struct history_segment *ret, struct err *e);

/* Append at most max events of a path. */
_must_check_ int history_path(struct history *h, uint64_t path, size_t max,
			      struct history_event **v, size_t *nr, struct err *e);

/* What is added between begin and commit is there as a whole or not at all. */
_must_check_ int history_begin(struct history *h, struct err *e);
_must_check_ int history_end(struct history *h, struct err *e);
void history_rollback(struct history *h);
_must_check_ int history_put_segment(struct history *h, struct history_segment *s,
				     struct err *e);
_must_check_ int history_add_commit(struct history *h, const struct history_at *at,
				    const struct oid *commit, int64_t time,
				    struct err *e);

/* Add all; they get sorted, which is what makes millions of them fast. */
_must_check_ int history_add_events(struct history *h, struct history_event *v, size_t nr,
				    struct err *e);
