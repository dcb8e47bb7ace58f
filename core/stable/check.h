// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The checks of a stable queue: a table of rows, each with its id, and the findings they
 * make. Nothing here builds or boots; checks that need that are rows without a function,
 * for who does.
 */
#include "core/base/progress.h"
#include "core/git/apply.h"
#include "core/stable/queue.h"

struct checker;
struct stable_facts;

enum check_severity { CHECK_INFO, CHECK_WARNING, CHECK_ERROR };

/* One row. Of the functions at most one is set; none = needs a build or a boot. */
struct check {
	const char *id;		      /* "S06" */
	const char *name;	      /* "applies": what --only and --skip take as well */
	enum check_severity severity; /* of the worst it says */
	const char *about;	      /* one line for people */
	unsigned int needs;	      /* enum check_needs */
	int (*patch)(struct checker *c, size_t i, struct err *e);
	int (*queue)(struct checker *c, struct err *e);
};

enum check_needs {
	CHECK_NEEDS_MAINLINE = 1, /* an index of mainline */
	CHECK_NEEDS_BASE = 2,	  /* the tree the queue is for */
	CHECK_NEEDS_RUN = 4,	  /* compilers, machines */
	CHECK_NEEDS_MAIL = 8,	  /* the archives of the lists */
};

/* All rows by id; ends with a NULL id. */
extern const struct check checks[];

/* By id or name, letters of either case; NULL when there is none. */
const struct check *check_find(const char *word);

struct finding {
	const struct check *check;
	enum check_severity severity;
	char *text;   /* one line: what, and what to do */
	char *detail; /* lines of a range-diff, NULL = none */
};

enum queue_kind { QUEUE_CLEAN, QUEUE_ADAPTED, QUEUE_STABLE_ONLY, QUEUE_REVERT };

/* A patch against the commit it says it comes from. */
enum queue_compared {
	QUEUE_NOT_COMPARED,
	QUEUE_IDENTICAL,
	QUEUE_CONTEXT, /* the lines added and removed are the same */
	QUEUE_CHANGED,
};

/* What was found out about a patch of the queue. */
struct patch_verdict {
	enum queue_kind kind;
	enum queue_compared compared;
	struct oid upstream; /* none = not known */
	char *claim;	     /* the digits the patch has for it, NULL = none */
	struct oid commit;   /* applied; none = it was not */
	enum apply_method method;
	struct finding *v;
	size_t nr;
};

/* A check that could not be made, for the whole queue. */
struct check_gap {
	const struct check *check;
	char *reason;
};

struct queue_report {
	struct oid base, head;	 /* head: all that apply, in memory until repo_flush() */
	bool applied;		 /* all of them */
	struct patch_verdict *v; /* one for each entry of the queue */
	size_t nr;
	struct finding *whole; /* of no single patch */
	size_t nr_whole;
	struct check_gap *gaps;
	size_t nr_gaps;
	const struct check **made; /* rows that ran */
	size_t nr_made;
};

/* What was said against a patch on the lists: cli finds it, as core speaks no mail. */
struct objection_source {
	/* Append lines fit for people. links are the message-ids its commit upstream names,
	 * NULL = no such commit. */
	int (*find)(void *ctx, const struct patch *p, const struct strv *links,
		    struct strv *ret, struct err *e);
	void *ctx;
};

struct check_opts {
	struct oid base;		/* none = no tree: much is left out */
	const char *base_name;		/* as people know it: "linux-6.1.y" */
	const struct apply_opts *apply; /* committer and rules; may be NULL */
	const struct strv *only, *skip; /* ids or names; NULL or empty = all, none */
	const struct objection_source *objections; /* NULL = not asked */
	size_t max_shift; /* lines a hunk may move before that is worth a word */
	size_t max_lines; /* changed lines above which a patch is large */
	int64_t now;	  /* seconds since the epoch */
	const struct progress *progress;
};

#define CHECK_MAX_SHIFT 100
#define CHECK_MAX_LINES 100 /* stable-kernel-rules.rst, "with context" */

/* ERR_USAGE names a word of --only or --skip that is no check. */
_must_check_ int check_words(const struct strv *words, struct err *e);

/*
 * Run the checks. facts may be NULL: those that need them become gaps. Findings about the
 * patches are no failure; an error is one of the repository, the store or the user.
 */
_must_check_ int check_queue(struct repo *r, const struct queue *q,
			     struct stable_facts *facts, const struct check_opts *o,
			     struct queue_report *ret, struct err *e);

/* Whether --only and --skip leave a check to be made. */
bool check_wanted(const struct strv *only, const struct strv *skip,
		  const struct check *row);

/* Whether a check was made, by its id. */
bool queue_report_made(const struct queue_report *r, const char *id);

/* The worst severity there is, -1 when nothing was found. */
int queue_report_worst(const struct queue_report *r);

void queue_report_release(struct queue_report *r);
#define _cleanup_queue_report_ _cleanup_(queue_report_release)

/* "info", "warning", "error"; "clean", "adapted", "stable-only", "revert"; "identical",
 * "context", "changed", NULL. */
const char *check_severity_word(enum check_severity s);
const char *queue_kind_word(enum queue_kind k);
const char *queue_compared_word(enum queue_compared c);
