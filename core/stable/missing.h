// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The fixes that a stable tree lacks: commits of mainline that say Fixes: of a commit the
 * tree has, or revert one, and that are neither in the tree nor in its queue; with what
 * stands in their way.
 */
#include "core/git/base-hint.h"
#include "core/stable/lookup.h"

enum missing_why {
	MISSING_APPLIES,   /* nothing: it applies to the tree as it is */
	MISSING_DROPPED,   /* it was left out on purpose, or taken out again */
	MISSING_NOT_ASKED, /* its author wants it in newer trees only, or in none */
	MISSING_NEEDS,	   /* it applies behind others that the tree lacks too */
	MISSING_NO_APPLY,  /* it does not apply */
	MISSING_NOT_TRIED,
};

/* A commit that it applies behind. */
struct missing_need {
	struct oid oid;
	char *subject;
};

/* What a mail says: that a commit failed to apply, and what it may need. */
struct missing_failed {
	struct commit_names name; /* one */
	struct commit_names needs;
	char *message_id;
};

struct missing_fix {
	struct oid oid;
	char *subject;
	int64_t date;
	bool revert;   /* it takes the commit back */
	struct oid of; /* the commit of mainline it is for */
	char *of_subject;
	struct oid in_tree; /* that commit in the tree: of itself, or its backport */
	bool asked;	    /* Cc: stable, and for this version */
	enum missing_why why;
	char *reason; /* one phrase, NULL with MISSING_APPLIES */
	char *mail; /* message-id of the newest that says it failed to apply, NULL = none */
	/*
	 * With MISSING_NEEDS, in the order they go in. With MISSING_NO_APPLY the commits
	 * between that changed the file, the oldest first, a few; else those that the mail
	 * names and the tree lacks.
	 */
	struct missing_need *needs;
	size_t nr_needs;
	struct missing_need *follow; /* fixes of it, that belong with it */
	size_t nr_follow;
};

struct missing {
	struct missing_fix *v; /* in the order of mainline's dates */
	size_t nr;
	size_t taken_back; /* fixes that mainline reverted since: left out */
	size_t unresolved; /* names of no commit, or of several: nothing is known of them */
	size_t unknown;	   /* of commits that may be in the history the clone lacks */
};
void missing_release(struct missing *m);
#define _cleanup_missing_ _cleanup_(missing_release)

struct missing_opts {
	struct stable_index *tree; /* opened with its mainline */
	struct version version;
	struct commit_names queued;  /* what the queue has; borrowed */
	struct commit_names dropped; /* what it was decided to leave out; borrowed */
	const struct missing_failed *failed; /* borrowed; the newest last */
	size_t nr_failed;
	bool apply; /* try each on the tip of the tree */
	const struct progress *progress;
};
_must_check_ int missing_find(const struct missing_opts *o, struct missing *ret,
			      struct err *e);

/* "applies", "dropped", "not-asked", "needs", "no-apply", "not-tried". */
const char *missing_why_word(enum missing_why why);
