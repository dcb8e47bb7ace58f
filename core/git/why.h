// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Why a patch does not apply: what is different, since when, and where it would fit. Looks
 * at trees and history only; everything it walks is bounded.
 */
#include "core/git/apply.h"

/* A commit with its subject; oid none = unknown. */
struct why_commit {
	struct oid oid;
	char *subject;
};

/* One line that differs at the nearest place: NULL on the side that lacks it. */
struct why_line {
	size_t line; /* in the file, from 1 */
	char *have, *want;
};

enum why_kind {
	WHY_CONTEXT,	/* like it, but some lines differ */
	WHY_APPLIED,	/* what it would make is there already */
	WHY_WHITESPACE, /* only blanks differ */
	WHY_PLACE,	/* its lines are there, where they may not be */
	WHY_FOREIGN,	/* hardly a line of it is in the file */
};

struct why_hunk {
	char *path;
	int hunk, of;	   /* number from 1, hunks of the file */
	size_t line;	   /* the patch says */
	size_t patch_line; /* of "@@" in the mail's diff */
	enum why_kind kind;
	size_t nearest;	    /* line of the place most like it, 0 = none */
	size_t same, lines; /* lines of the hunk that are there, of all it expects */
	struct why_line *differs;
	size_t nr_differs;
	/*
	 * WHY_APPLIED: the commit that brought it. Else the one after which the hunk no
	 * longer fits, or that changed the differing lines.
	 */
	struct why_commit commit;
	bool certain;  /* the hunk fits before that commit */
	int own_patch; /* a patch of the same series did it, 0 = none */
};

enum why_blob {
	WHY_BLOB_UNSAID,  /* the mail has no index line */
	WHY_BLOB_SAME,	  /* the file is as the author had it */
	WHY_BLOB_KNOWN,	  /* the repository has the author's file, elsewhere */
	WHY_BLOB_UNKNOWN, /* the repository has never seen it */
};

struct why_file {
	char *path;
	enum why_blob blob;
	char id[41];		       /* of the index line */
	struct why_commit blob_commit; /* the newest that has it, on the first of these */
	struct strv blob_refs;	       /* branches and tags that had it so, a few */
	bool missing, exists;	       /* no such file; or one where the patch makes it */
	struct why_commit commit;      /* that took it away, or made it */
	char *moved_to;		       /* with missing; NULL = deleted */
	bool fits_there;	       /* all hunks do, under the new name */
};

struct why {
	int number;
	char *damage;		   /* of the mail, NULL = none */
	struct why_commit applied; /* has the same patch-id */
	struct why_file *files;	   /* that are not as expected */
	size_t nr_files;
	struct why_hunk *hunks; /* that do not fit */
	size_t nr_hunks;
};

struct why_query {
	const struct series *series;
	const struct apply_result *result; /* with failed set */
};

/* Explain the failure; a history that cannot be read leaves commits unknown. */
_must_check_ int why_explain(struct repo *r, const struct why_query *q, struct why *ret,
			     struct err *e);
void why_release(struct why *w);

/* "context", "applied", "whitespace", "place", "foreign"; "unsaid", "same", "known",
 * "unknown". */
const char *why_kind_name(enum why_kind k);
const char *why_blob_name(enum why_blob b);
