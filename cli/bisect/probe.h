// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How a bisection asks one point: a number measured, or a predicate that passes or fails.
 * The search knows questions and answers only; what is booted for them is the probe's.
 */
#include "cli/stages.h"
#include "core/bisect/bisect.h"

struct question {
	struct kernel *kernel; /* built, status "ok", unless the probe asks builds */
	unsigned int boot;     /* ordinal of this kernel's boots within the search */
	unsigned int runs;     /* wanted in it; the probe may make more */
	unsigned int layout;   /* 0 the usual build */
};

struct answer {
	enum { ANSWER_RUNS, ANSWER_PASS, ANSWER_UNTESTABLE } kind;
	double *runs; /* with ANSWER_RUNS: proven ones only, at least one */
	size_t nr_runs;
	unsigned int passed, failed; /* with ANSWER_PASS */
	enum bisect_stage stage;     /* with ANSWER_UNTESTABLE */
	char *reason;		     /* why untestable or failed, else NULL */
	double seconds;		     /* the boot's, for the costs */
};

struct probe {
	enum bisect_kind kind;
	bool asks_build; /* a kernel that does not build is an answer, not a failure */
	/*
	 * Answer nr questions, several machines at once where the lab allows. Results of
	 * boots that were done are in the journal, so asking again after a kill is cheap.
	 * A kernel that fails is an answer; only the environment's failures are errors.
	 */
	int (*ask)(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct answer *ret, struct err *e);
	const void *ctx;
};

/* The number of one cell of the lab's benchmark. */
struct probe probe_number(const struct cell *cell);

void answer_release(struct answer *a);
