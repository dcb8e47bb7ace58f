// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The bisection engine: pure, no I/O, no clock. It is told what was measured and says
 * what to measure next, until it can name the commit, a set, or that it cannot tell.
 * Inside is a posterior over a chain of commits: it never asks whether one noisy number
 * is good or bad. The state follows from the measurements alone, so a resumed bisection
 * tells them again, in any order, and is where it was.
 *
 * Commits are numbered 0..nr-1 in topological order, 0 is the good end, nr-1 the bad end.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct bisect;

enum bisect_verdict {
	BISECT_RUNNING,
	BISECT_FOUND,	  /* one commit */
	BISECT_SET,	  /* untestable commits around the change: one of a set */
	BISECT_NO_CHANGE, /* the ends do not differ */
	BISECT_UNDECIDED, /* budget used up or samples too noisy */
};

struct bisect_opts {
	double min_effect; /* smallest relative change worth finding, e.g. 0.002 */
	double min_sd; /* measured repeatability of the target (relative sd of a boot): no
			  interval is narrower */
	double confidence; /* stop when max posterior reaches it, e.g. 0.99 */
	unsigned int
		end_boots; /* boots for each end before the search starts, at least 2 */
	unsigned int max_boots; /* give up after so many */
};

/* One boot's location of the metric: log of the mean over its runs, after warm-up. */
_must_check_ int bisect_new(size_t nr_commits, const struct bisect_opts *o,
			    struct bisect **ret, struct err *e);

/* Tell: commit measured in one more boot; value is the rate, must be > 0 (zero is
 * ERR_USAGE). */
_must_check_ int bisect_measured(struct bisect *b, size_t commit, double value,
				 struct err *e);

/* Tell: commit cannot be measured (did not build, boot, or reach L2). Its prior stays. */
void bisect_untestable(struct bisect *b, size_t commit);

/* The next commit to boot. false when the search has ended. */
bool bisect_next(struct bisect *b, size_t *ret_commit);

struct bisect_result {
	enum bisect_verdict verdict;
	size_t culprit;		     /* with BISECT_FOUND */
	size_t set_first, set_last;  /* inclusive; the culprit itself with BISECT_FOUND,
					the likeliest 90 % with BISECT_UNDECIDED */
	double confidence;	     /* posterior of culprit or set */
	double change, ci_lo, ci_hi; /* fraction, bad end over good end */
	bool second_change; /* evidence that one step does not explain the data */
};
void bisect_result(const struct bisect *b, struct bisect_result *ret);

/* Posterior probability that commit is the culprit, 0 for the good end. */
double bisect_posterior(const struct bisect *b, size_t commit);

/* "found", "set", "no-change", "undecided", "running" */
const char *bisect_verdict_name(enum bisect_verdict v);

void bisect_free(struct bisect *b);
DEFINE_FREEP(bisect_free, struct bisect *)
#define _cleanup_bisect_ _cleanup_(bisect_freep)
