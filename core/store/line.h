// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The commits of one line of history, by id, title and what their messages name: a cache
 * kept in one SQLite file a branch.
 *
 * A line is the first parents of the branch, at positions from 1. A commit that came by a
 * merge has the position of the merge, so commits are in the order in which the branch got
 * them: one that is an ancestor of a commit of the line is at its position or before, and
 * every other one behind. What a row says never depends on a later one, so a line may be
 * cut at any position and go on otherwise.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/oid.h"

struct line;

struct line_state {
	struct oid tip;	 /* the commit at pos; none = nothing yet */
	struct oid root; /* of where the repository's history begins, as its owner says */
	int64_t pos;	 /* of the tip */
	int64_t commits; /* all there are */
	int64_t missing; /* parents the repository did not have */
	int64_t oldest;	 /* time of the oldest commit; 0 without any */
};

/* What a message may name another commit, or a mail, for. */
enum line_name_kind { LINE_FIXES, LINE_REVERTS, LINE_UPSTREAM, LINE_MAIL };

struct line_name {
	enum line_name_kind kind;
	const char *hex;   /* first digits of an id, NULL = none */
	const char *title; /* or message-id; NULL = none */
	const char *group; /* of a mail: what a series shares; NULL = its id */
	bool partial;
};

/* Strings of a row are owned by it. */
struct line_row {
	int64_t id; /* rises with pos */
	struct oid oid;
	int64_t pos;
	bool on_line;
	int64_t date, authored; /* seconds since the epoch */
	char *subject;
	char *hex, *title; /* of a name; NULL in a row that was not found by one */
	int64_t name;	   /* its number; rises with id */
	bool partial;
};

struct line_rows {
	struct line_row *v; /* in the order of the branch, 1000 at most */
	size_t nr;
};
void line_rows_release(struct line_rows *r);
#define _cleanup_line_rows_ _cleanup_(line_rows_release)

/* Open or create; a damaged file, or one of another version, is made anew. */
_must_check_ int line_open(const char *path, struct line **ret, struct err *e);
void line_free(struct line *l);

/* Take the file away; it is not open. */
_must_check_ int line_remove(const char *path, struct err *e);
DEFINE_FREEP(line_free, struct line *)
#define _cleanup_line_ _cleanup_(line_freep)

/* What is written between begin and end is there as a whole or not at all. */
_must_check_ int line_begin(struct line *l, struct err *e);
_must_check_ int line_end(struct line *l, struct err *e);
void line_rollback(struct line *l);

/* From now on the file is seen as it is now, whatever others write; and no longer. */
_must_check_ int line_freeze(struct line *l, struct err *e);
void line_thaw(struct line *l);

_must_check_ int line_state(struct line *l, struct line_state *ret, struct err *e);
_must_check_ int line_set_state(struct line *l, const struct line_state *s,
				struct err *e);

/* Append a commit, with an id above all others and no lower position. */
_must_check_ int line_add(struct line *l, const struct line_row *row, struct err *e);
_must_check_ int line_add_name(struct line *l, int64_t id, const struct line_name *n,
			       struct err *e);

/* Forget all above a position; *ret_id is the highest id left. */
_must_check_ int line_cut(struct line *l, int64_t pos, int64_t *ret_id, struct err *e);

/* The commits that are not part of it but that it starts from. */
_must_check_ int line_add_point(struct line *l, const struct oid *oid, int64_t pos,
				struct err *e);
_must_check_ int line_points(struct line *l, struct oid **ret, size_t *ret_nr,
			     struct err *e);

/* 1 and the row, 0 when there is none; ret may be NULL. */
_must_check_ int line_get(struct line *l, const struct oid *oid, struct line_row *ret,
			  struct err *e);
void line_row_release(struct line_row *r);
#define _cleanup_line_row_ _cleanup_(line_row_release)

/* Append those whose id begins with hex (digits, lower case); with this title; authored
 * at this time. */
_must_check_ int line_by_hex(struct line *l, const char *hex, struct line_rows *ret,
			     struct err *e);
_must_check_ int line_by_title(struct line *l, const char *title, struct line_rows *ret,
			       struct err *e);
_must_check_ int line_by_authored(struct line *l, int64_t time, struct line_rows *ret,
				  struct err *e);

/*
 * Append those that name, by digits that hex begins with or that begin with it in the
 * first 7, a commit; by this title; a mail of this group. The caller looks closer.
 */
_must_check_ int line_naming_hex(struct line *l, enum line_name_kind kind,
				 const char *hex, struct line_rows *ret, struct err *e);
_must_check_ int line_naming_title(struct line *l, enum line_name_kind kind,
				   const char *title, struct line_rows *ret,
				   struct err *e);
_must_check_ int line_naming_group(struct line *l, const char *group,
				   struct line_rows *ret, struct err *e);

/* Every row behind an id, at most 1000: for going through all of them. */
_must_check_ int line_behind(struct line *l, int64_t id, struct line_rows *ret,
			     struct err *e);

/* Names of a kind behind a number, at most 1000, likewise. */
_must_check_ int line_names_behind(struct line *l, enum line_name_kind kind, int64_t name,
				   struct line_rows *ret, struct err *e);
