// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Two versions of a series, patch against patch, as git range-diff does it: the same
 * pairs and, for commits, the same text byte for byte (git 2.39, no colour, no notes).
 */
#include <stdbool.h>

#include "core/git/repo.h"
#include "core/series/series.h"

#define RANGE_CREATION_FACTOR 60 /* per cent, git-range-diff(1) */
#define RANGE_MAX 10000		 /* patches on both sides together */

enum { RANGE_UNPAIRED = -1 };

/* One patch of a version, owned by its range. */
struct range_patch {
	struct oid oid; /* none when only the mail is there */
	char *subject;
	char *text;	/* author, message, files and hunks without line numbers */
	size_t diff_at; /* where in text the files begin */
	int diff_lines; /* lines behind that, blank ones left out */
	int match;	/* index on the other side, or RANGE_UNPAIRED */
};

struct range {
	struct range_patch *v;
	size_t nr;
	bool mailed; /* texts come from mails: hunk headings may differ from git's */
};
void range_release(struct range *r);
#define _cleanup_range_ _cleanup_(range_release)

/* Texts of changed files, for ranges that share some; one for both sides of a diff. */
struct range_texts;
_must_check_ struct range_texts *range_texts_new(void);
void range_texts_free(struct range_texts *t);

struct range_ends {
	struct oid base, head;
};

/* The commits reachable from head and not from base, merges left out. */
_must_check_ int range_read(struct repo *r, const struct range_ends *ends,
			    struct range_texts *texts, struct range *ret, struct err *e);

/* The patches of a series as mailed, for when there is no base to apply them to. A diff
 * that does not parse counts as text. */
void range_from_series(const struct series *s, struct range *ret);

/*
 * Pair the patches: first those with equal diffs, then so that the sum of the lengths of
 * the diffs between diffs is least; a patch stays alone when that costs less, its price
 * being factor per cent of its lines. ERR_TOO_BIG above RANGE_MAX.
 */
_must_check_ int range_match(struct range *a, struct range *b, unsigned int factor,
			     struct err *e);

enum pair_state {
	PAIR_UNCHANGED,
	PAIR_MESSAGE, /* only author or message differ */
	PAIR_CONTEXT, /* the lines added and removed are the same, what is around is not */
	PAIR_CHANGED,
	PAIR_NEW,
	PAIR_DROPPED,
};

struct range_pair {
	const struct range_patch *a, *b; /* borrowed; NULL in a new, a dropped one */
	int old_number, new_number;	 /* from 1, 0 when there is none */
	enum pair_state state;
	bool message; /* author or message differ, whatever the state */
	bool moved;   /* pairs before it have come behind it or the other way round */
};

/* The pairs in the order git prints them; array owned by the caller (free()). */
void range_pairs(const struct range *a, const struct range *b, struct range_pair **ret,
		 size_t *ret_nr);

/* "unchanged", "message", "context", "changed", "new", "dropped". */
const char *pair_state_name(enum pair_state s);

/* Append the diff between the texts of a pair with both sides; nothing when equal. */
_must_check_ int range_diff_text(const struct range_pair *p, struct buf *ret,
				 struct err *e);

/*
 * Append what git range-diff prints. r may be NULL when no patch is a commit. As long as the ids are short enough to be unique in
 * the repository, so are they here.
 */
_must_check_ int range_print(struct repo *r, const struct range_pair *v, size_t nr,
			     struct buf *ret, struct err *e);
