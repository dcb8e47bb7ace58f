// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a bisection ended with. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"

struct bisect;

enum bisect_verdict {
	BISECT_RUNNING,
	BISECT_FOUND,	  /* one commit */
	BISECT_SET,	  /* one of a set that no testable commit divides */
	BISECT_NO_CHANGE, /* the ends do not differ */
	BISECT_UNDECIDED, /* budget used up, samples too noisy, or verification failed */
};

struct bisect_result {
	enum bisect_verdict verdict;
	size_t culprit; /* with BISECT_FOUND; else the likeliest commit */
	size_t parent;	/* the tested commit before it */
	/* Ascending, owned by the engine until its next event: the culprit itself with
	 * FOUND, the smallest likely set (90 %) with UNDECIDED, none with NO_CHANGE. */
	const size_t *set;
	size_t nr_set;
	size_t set_first, set_last; /* the least and the greatest of set[] */
	/* Posterior of culprit or set, given a change (log_bf10 says how sure that is);
	 * of "no change" with NO_CHANGE. */
	double confidence;

	/* Bad end over good end, and the step at the culprit, as fractions with their
	 * 95 % intervals; a pass rate's difference with BISECT_PASS. */
	double change, ci_lo, ci_hi;
	double step, step_lo, step_hi;

	/* Evidence (natural logs): one change against none, two against one. */
	double log_bf10, log_bf21;
	double ends_e; /* e-value of the ends' boots in pairs: changed from 1/alpha on */
	bool second_change; /* the data speak for another one, in second_first..last */
	size_t second_first, second_last; /* likeliest range (90 %), ends of it */
	double second_step;

	bool verified; /* fresh layouts agreed */
	bool rejected; /* fresh layouts of the likeliest commit did not agree */
	double verified_step;
	unsigned int boots, builds, runs;
	double seconds; /* by costs */
};
void bisect_result(const struct bisect *b, struct bisect_result *ret);

/* "found", "set", "no-change", "undecided", "running" */
const char *bisect_verdict_name(enum bisect_verdict v);
