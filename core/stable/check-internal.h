// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files of the checks share. */
#include "core/git/patch.h"
#include "core/stable/check.h"
#include "core/stable/facts.h"

struct symbols;

/* A commit of mainline that a patch builds on and that neither the tree nor the queue
 * before it has. */
struct need {
	const struct facts_commit *commit; /* NULL = nobody knows which */
	char *why;			   /* "brought 'word', which it uses" */
	bool behind;			   /* it is in the queue, too late */
	size_t at;			   /* where */
};

/* A patch while it is checked. */
struct checked {
	const struct queue_entry *entry;
	const struct patch *patch;
	struct patch_verdict *verdict;	    /* of the report */
	const struct upstream_claim *claim; /* the main one, NULL = none */
	enum facts_answer resolved;	    /* what the claim names in mainline */
	const struct facts_commit *up;	    /* borrowed of facts; NULL = not known */
	struct oid before;		    /* what it goes on; none without a base */
	char *failure;			    /* why it does not apply, NULL = it does */
	size_t shift;			    /* of the farthest hunk, in lines */
	char *range_text;		    /* against upstream, NULL = equal */
	char *upstream_text;		    /* as range-diff has it, NULL = not read */
	char *own_text;
	struct need *needs; /* of check_needs() */
	size_t nr_needs;
	bool needs_known;
};

struct checker {
	struct repo *r;
	struct repo *mainline; /* that has mainline's objects; r, or another */
	const struct queue *q;
	struct stable_facts *facts; /* NULL = no mainline */
	const struct check_opts *o;
	struct queue_report *ret;
	struct checked *v;
	size_t nr;
	const struct check *row; /* that runs */
	struct symbols *symbols; /* of the base, NULL until asked for */
};

/* A finding of the running check about patch i. */
struct finding *check_say(struct checker *c, size_t i, enum check_severity s,
			  const char *fmt, ...) _printf_(4, 5);

/* The same about the queue. */
struct finding *check_say_whole(struct checker *c, enum check_severity s, const char *fmt,
				...) _printf_(3, 4);

/* The running check cannot be made, once for each reason. */
void check_gap_add(struct checker *c, const char *fmt, ...) _printf_(2, 3);

/* Whether this commit of mainline comes in the queue before patch i (not counted when it
 * is taken back in between); *ret is where. */
bool check_queued_before(const struct checker *c, const struct oid *upstream, size_t i,
			 size_t *ret);
bool check_queued(const struct checker *c, const struct oid *upstream, size_t *ret);

/* Put all patches on the base, step by step, before any check runs. */
_must_check_ int check_apply_all(struct checker *c, struct err *e);

/* Compare each patch with its commit upstream; the same. */
_must_check_ int check_compare_all(struct checker *c, struct err *e);

/* Whether the tree or the queue has a commit of mainline; presence alone, without a tree
 * STABLE_ABSENT. */
_must_check_ int check_holds(struct checker *c, const struct oid *commit,
			     enum stable_held *ret, struct oid *ret_stable,
			     struct err *e);

/* As the checks take it: what cannot be told is no reason for a finding. */
bool check_is_there(enum stable_held p);

/* Fill needs of patch i, once. */
_must_check_ int check_needs(struct checker *c, size_t i, struct err *e);
void needs_release(struct checked *p);

/* Add one of them, unless it is there, or the tree or the queue before i has the commit.
 * Takes why over. */
_must_check_ int need_add(struct checker *c, size_t i, const struct facts_commit *commit,
			  char *why, struct err *e);

/* The parts of check_needs(): what the message names, the lines that are missing, the
 * words that are, the functions that are others. */
_must_check_ int needs_of_message(struct checker *c, size_t i, struct err *e);
_must_check_ int needs_of_lines(struct checker *c, size_t i, struct err *e);
_must_check_ int needs_of_words(struct checker *c, size_t i, struct err *e);
_must_check_ int needs_of_calls(struct checker *c, size_t i, struct err *e);

/*
 * The newest commit of mainline before that of patch i, and younger than the branch, for
 * which changes() says yes of a file before and after it: 1, 0 when there is none within
 * the limits.
 */
struct blame {
	bool (*changes)(void *ctx, const struct buf *before, const struct buf *after);
	void *ctx;
};
_must_check_ int blame_find(struct checker *c, size_t i, const char *path,
			    const struct blame *b, const struct facts_commit **ret,
			    struct err *e);

/* A file in the tree of a commit, of the queue or of mainline: 1, 0 when there is none. */
_must_check_ int check_read_upstream(struct checker *c, const struct oid *commit,
				     const char *path, struct buf *ret, struct err *e);
_must_check_ int check_read_file(struct checker *c, const struct oid *commit,
				 const char *path, struct buf *ret, struct err *e);

/* The words of the base, read once; *ret NULL without a base. */
_must_check_ int check_symbols(struct checker *c, const struct symbols **ret,
			       struct err *e);

/* Functions of the rows, a file each or more. */
int check_files(struct checker *c, struct err *e);		      /* S01 */
int check_names_upstream(struct checker *c, size_t i, struct err *e); /* S02 */
int check_exists(struct checker *c, size_t i, struct err *e);	      /* S03 */
int check_same_title(struct checker *c, size_t i, struct err *e);     /* S04 */
int check_same_patch(struct checker *c, size_t i, struct err *e);     /* S05 */
int check_applies(struct checker *c, size_t i, struct err *e);	      /* S06 */
int check_already_there(struct checker *c, size_t i, struct err *e);  /* S07 */
int check_duplicate(struct checker *c, size_t i, struct err *e);      /* S08 */
int check_fixes_present(struct checker *c, size_t i, struct err *e);  /* S09 */
int check_follow_up(struct checker *c, size_t i, struct err *e);      /* S10 */
int check_reverted(struct checker *c, size_t i, struct err *e);	      /* S11 */
int check_order(struct checker *c, size_t i, struct err *e);	      /* S12 */
int check_prerequisite(struct checker *c, size_t i, struct err *e);   /* S13 */
int check_same_series(struct checker *c, size_t i, struct err *e);    /* S14 */
int check_dropped(struct checker *c, size_t i, struct err *e);	      /* S15 */
int check_newer_branches(struct checker *c, size_t i, struct err *e); /* S16 */
int check_objections(struct checker *c, size_t i, struct err *e);     /* S17 */
int check_age(struct checker *c, size_t i, struct err *e);	      /* S18 */
int check_sign_off(struct checker *c, size_t i, struct err *e);	      /* S19 */
int check_size(struct checker *c, size_t i, struct err *e);	      /* S20 */
int check_range_of_tag(struct checker *c, size_t i, struct err *e);   /* S21 */
int check_dependency(struct checker *c, size_t i, struct err *e);     /* S22 */
int check_config_symbols(struct checker *c, size_t i, struct err *e); /* S27 */
int check_own_fixes(struct checker *c, size_t i, struct err *e);      /* S28 */
