// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/bisect only: the posterior over the culprit on a chain of commits, in
 * closed form. Values are logs of rates; a commit's true value is one of two (or three)
 * levels with a flat prior of width LEVEL_RANGE, the change stands at the culprit, noise
 * is Gaussian with known variance.
 *
 * The likelihood of a culprit depends only on which tested commits come before it, so it
 * is constant on the gap between two tested ones.
 */
#include <stddef.h>

#include "core/base/base.h"

#define LEVEL_RANGE 0.5

/* A commit that was measured: weighted mean of its boots and the variance of that mean,
 * build effect included. */
struct tested {
	size_t commit;
	double y, v;
};

/*
 * tested is sorted by commit and holds commit 0 and nr_commits - 1. weight has the prior
 * of each commit (0 for the good end is implied), NULL for equal ones.
 */
struct chain {
	size_t nr_commits;
	const double *weight;
	const struct tested *tested;
	size_t nr_tested;
};

/* Fill p[nr_commits] with the probability of each commit to be the one that changed the
 * value; p[0] is 0. Returns the log of the mean likelihood of one change. */
double posterior(const struct chain *c, double *p);

/* Log of the Bayes factor of one change against none. */
double posterior_log_bf10(const struct chain *c);

/* Log of the Bayes factor of two changes against one; ret_step is the smaller of the two
 * steps (absolute) under the likeliest pair. */
double posterior_log_bf21(const struct chain *c, double *ret_step);
