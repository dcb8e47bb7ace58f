// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The real engine against simulated worlds: for users to plan, for tests to hold figures.
 * A world is a history with a change of effect at a random commit; rates have noise by
 * build, boot and run; some commits cannot be tested, some runs are slowed.
 */
#include <stdint.h>

#include "core/bisect/bisect.h"

enum sim_method {
	SIM_ENGINE,
	SIM_GIT,   /* git bisect: the mean of runs of one boot against the midpoint */
	SIM_BAYES, /* a Bayesian search on the same passes and failures */
};

struct sim_spec {
	size_t n;		/* commits, the ends included */
	double effect, effect2; /* of each change, as fractions; 0: as the first */
	double run_sd, boot_sd, build_sd; /* fractions */
	double untestable, outliers;	  /* shares of commits, of runs */
	uint64_t changes;		  /* 0 to 2 */
	double dag;			  /* share of merges, 0: a chain */
	double prior; /* weight of the 5 % of commits the culprit is drawn from, or 1 */
	double flaky; /* a predicate: new commits fail so often; 0: a number */
	double flaky_old;
	uint64_t trials, seed, jobs; /* jobs 0: all processors */
	enum sim_method method;
	unsigned int runs; /* of a boot of the methods other than the engine */
	bool first_parent;
	struct bisect_opts o;
};

/* "n=1000 effect=5% run-sd=1%", separated by blanks or commas, over defaults: n=1000
 * effect=5% run-sd=1% boot-sd=1% trials=400 seed=1. */
_must_check_ int sim_parse(const char *text, struct sim_spec *ret, struct err *e);

/* The spec in full, as sim_parse() reads it; owned by the caller. */
_must_check_ char *sim_text(const struct sim_spec *s);

/* Means over trials. */
struct sim_result {
	uint64_t trials;
	/* The likeliest commit (or the set) was a culprit; without a change: none named. */
	double right;
	double declared, right_declared; /* answers; right ones among them (NaN: none) */
	double second;			 /* a second change was reported */
	double no_change, verified;
	double builds, boots, runs, hours;
};
_must_check_ int sim_run(const struct sim_spec *s, struct sim_result *ret, struct err *e);
