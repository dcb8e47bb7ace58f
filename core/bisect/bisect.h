// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The bisection engine: pure, no I/O, no clock. It is told what was measured and says
 * what to measure next, until it can name the commit, a set, "no change", or that it
 * cannot tell. Inside is a posterior over commits (and "no change"): it never asks
 * whether one noisy number is good or bad, and nothing is ever excluded for good.
 *
 * Commits are numbered 0..nr-1 so that parents come before their children; 0 is the good
 * end, nr-1 the bad end. A commit has the change iff the culprit is its ancestor or
 * itself. The state follows from what was told alone, in any order: a resumed bisection
 * tells it all again and is where it was.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/bisect/result.h"

struct bisect;
struct buf;

/* The commits. Arrays are copied. */
struct bisect_history {
	size_t nr;
	/* Parents of k inside the history: parent[first_parent_of[k]] up to, not
	 * including, parent[first_parent_of[k + 1]], the first parent first. NULL: a
	 * chain. A commit without one here forked before the good end: it is old. */
	const size_t *parent_start, *parents;
	const double *weight; /* prior of each commit; NULL: equal. Raised to 1e-3. */
	bool first_parent;    /* boot side branches only below the merge that was found */
};

enum bisect_kind {
	BISECT_NUMBER, /* a rate: larger is better */
	BISECT_PASS,   /* a predicate that passes or fails, perhaps not every time */
};

/* Seconds. Measured averages of the campaign; only their ratios matter to the choice. */
struct bisect_costs {
	double build, boot, run;
};

struct bisect_opts {
	enum bisect_kind kind;
	double min_effect; /* smallest relative change worth finding, e.g. 0.002 */
	double min_sd;	   /* best repeatability of a boot (relative sd), e.g. 0.0015 */
	double build_sd;   /* known sd of a build's layout; negative: not known */
	double confidence; /* stop when the posterior reaches it, e.g. 0.99 */
	int direction;	   /* -1 look for a loss, 1 for a gain, 0 either */
	bool gaussian;	   /* boots are Gaussian: no outliers among them (else t5) */
	bool verify;	   /* rebuild culprit and parent in fresh layouts before naming */
	unsigned int end_boots; /* boots of each end before the search, at least 1 */
	unsigned int end_runs;	/* runs in each of these, at least 1 */
	unsigned int max_runs;	/* most runs in one boot, at least 1 */
	unsigned int max_boots; /* give up after so many, verification included */
	double max_seconds;	/* the same by costs; 0: no limit */
	struct bisect_costs costs;
};

/* 0.2 %, 0.15 %, unknown layout, 0.99, 2 end boots x 5 runs, 20 runs, 300 boots,
 * 300 + 120 + 30 s. */
struct bisect_opts bisect_defaults(void);

/* ERR_USAGE for options or a history out of range (NaN too). */
_must_check_ int bisect_new(const struct bisect_history *h, const struct bisect_opts *o,
			    struct bisect **ret, struct err *e);

/*
 * Tell: one more boot of commit, with the rate of each of its runs (all > 0, after
 * warm-up). layout 0 is the usual build; others name fresh layouts of it.
 */
struct bisect_boot {
	size_t commit;
	unsigned int layout;
	const double *runs;
	size_t nr_runs;
};
_must_check_ int bisect_observe(struct bisect *b, const struct bisect_boot *boot,
				struct err *e);

/* Tell: one more boot of commit in which the predicate passed and failed so often. */
_must_check_ int bisect_observe_pass(struct bisect *b, size_t commit, unsigned int passed,
				     unsigned int failed, struct err *e);

/* Tell: commit cannot be measured. Its prior stays: it may be the culprit. */
enum bisect_stage {
	BISECT_AT_BUILD,
	BISECT_AT_BOOT,
	BISECT_AT_L1,
	BISECT_AT_L2,
	BISECT_AT_BENCHMARK,
	BISECT_AT_TIMEOUT,
};
_must_check_ int bisect_untestable(struct bisect *b, size_t commit,
				   enum bisect_stage stage, struct err *e);

/* Tell: a kernel of commit exists, so its next boot costs no build. Booting implies it. */
_must_check_ int bisect_built(struct bisect *b, size_t commit, struct err *e);

/*
 * Tell: these two have the same binary. No commit that only one of them descends from can
 * have changed anything: their priors fall to 1e-9.
 */
_must_check_ int bisect_same(struct bisect *b, size_t one, size_t other, struct err *e);

/* Tell: what things cost by now. Values not > 0 (0 allowed for build) are ERR_USAGE. */
_must_check_ int bisect_set_costs(struct bisect *b, const struct bisect_costs *c,
				  struct err *e);

enum bisect_move_kind {
	BISECT_MOVE_DONE,   /* the search has ended: see bisect_result() */
	BISECT_MOVE_END,    /* boot an end, before the search */
	BISECT_MOVE_COMMIT, /* boot a commit */
	BISECT_MOVE_VERIFY, /* boot culprit or parent in a fresh layout */
};

struct bisect_move {
	enum bisect_move_kind kind;
	size_t commit;
	unsigned int runs;
	unsigned int layout; /* tell it back with the boot; 0 is the usual build */
};
void bisect_next(const struct bisect *b, struct bisect_move *ret);

/* The commits likeliest to be booted next and not yet built, best first: to build ahead.
 * Returns how many were filled, at most nr. */
size_t bisect_ahead(const struct bisect *b, size_t *ret, size_t nr);

/* Posterior probability that commit is the culprit, 0 for the good end; together with
 * bisect_no_change() they sum to 1. */
double bisect_posterior(const struct bisect *b, size_t commit);
double bisect_no_change(const struct bisect *b);

/* What the search is expected to cost from here for a relative change of effect. */
struct bisect_cost_plan {
	double boots, builds, seconds;
};
void bisect_plan(const struct bisect *b, double effect, struct bisect_cost_plan *ret);

/* The state in one line without newline: for logs. */
void bisect_dump(const struct bisect *b, struct buf *ret);

void bisect_free(struct bisect *b);
DEFINE_FREEP(bisect_free, struct bisect *)
#define _cleanup_bisect_ _cleanup_(bisect_freep)
