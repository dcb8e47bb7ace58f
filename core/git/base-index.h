// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The history index of one repository (core/store/history.h), kept up to date from its
 * commits: which blob each path had along the first parents of a branch. Several
 * processes may use it at once; who is killed in an update leaves what was complete.
 */
#include "core/base/progress.h"
#include "core/git/repo.h"
#include "core/store/history.h"

struct base_index;

/* The index of the repository, in the cache folder. */
_must_check_ int base_index_open(struct repo *r, struct base_index **ret, struct err *e);
void base_index_free(struct base_index *ix);
DEFINE_FREEP(base_index_free, struct base_index *)
#define _cleanup_base_index_ _cleanup_(base_index_freep)

struct base_part {
	int64_t segment, lo, hi;
	size_t above; /* commits of the line that are newer than hi */
};

/* The first parents of a commit, newest first; commits are named by their distance. */
struct base_line {
	struct oid tip;
	struct base_part *parts;
	size_t nr_parts;
	size_t len; /* commits; distances are below it */
	enum history_floor floor;
};
void base_line_release(struct base_line *l);

/*
 * The line of tip, at least depth commits of it, reading into the index what it lacks.
 * Shorter when the history ends before: floor says why. *ret_new counts the commits read,
 * may be NULL.
 */
struct base_want {
	const struct oid *tip;
	size_t depth;
	const struct progress *progress;
};
_must_check_ int base_index_line(struct base_index *ix, const struct base_want *want,
				 struct base_line *ret, size_t *ret_new, struct err *e);

/* The commit at a distance, which must be below len; ret_time may be NULL. */
_must_check_ int base_index_commit(struct base_index *ix, const struct base_line *l,
				   size_t distance, struct oid *ret, int64_t *ret_time,
				   struct err *e);

/*
 * The distance of a place on the line, or -1 when the line does not pass there.
 */
int64_t base_line_distance(const struct base_line *l, const struct history_at *at);

/* The rows of the index itself; borrowed. */
struct history *base_index_history(struct base_index *ix);
