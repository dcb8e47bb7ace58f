// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Core's bisection engine driven by real builds and boots: what bisect and triage share.
 */
#include "cli/campaign.h"
#include "core/bisect/bisect.h"

struct bisect_settings {
	double min_effect; /* fraction, 0 = 0.002 */
	double confidence; /* 0 = 0.99 */
	uint64_t end_boots, max_boots;
	bool first_parent;
};

/* clang-format off */
#define BISECT_ROWS(type, m)                                                             \
	{ "min-effect", 0, OPT_DOUBLE, offsetof(type, m.min_effect), "FRACTION",         \
	  "smallest change worth finding; default 0.002", "kiln.minEffect" },            \
	{ "sure", 0, OPT_DOUBLE, offsetof(type, m.confidence), "P",                      \
	  "posterior at which the search stops; default 0.99", "kiln.sure" },            \
	{ "end-boots", 0, OPT_UINT, offsetof(type, m.end_boots), "N",                    \
	  "boots of each end before the search; default 2", "kiln.endBoots" },           \
	{ "max-boots", 0, OPT_UINT, offsetof(type, m.max_boots), "N",                    \
	  "give up after so many; default 60", "kiln.maxBoots" }
/* clang-format on */

/* One thing the search did. */
struct bisect_step {
	size_t commit;
	const char *stage; /* "build" when that failed, else "boot" */
	unsigned int boot; /* number of this commit's boot, from 0 */
	double value;	   /* rate, 0 when untestable */
	double posterior_max, seconds;
	char *reason; /* why untestable, else NULL */
};

struct bisection {
	struct oid *commits; /* good end first, bad end last */
	struct strv subjects;
	struct kernel *kernels; /* zeroed where none was built */
	size_t nr;
	struct bisect_result result;
	struct bisect_step *moves;
	size_t nr_moves;
	unsigned int boots, builds, runs;
	double seconds;
	bool virtual_clock;
};

/*
 * Search commits[0..nr) (good end first, in topological order) for the one that changed
 * cell's number. An undecided search is a result, not an error; see result.verdict.
 */
_must_check_ int bisection_run(struct lab *l, const struct oid *commits, size_t nr,
			       const struct cell *cell, const struct bisect_settings *o,
			       struct bisection *ret, struct err *e);

/* The range good..bad of the repository, with good itself in front; owned by the caller.
 */
_must_check_ int bisection_range(struct ctx *c, const struct oid *good,
				 const struct oid *bad, bool first_parent,
				 struct oid **ret, size_t *ret_nr, struct err *e);

/* 0 when one commit was found, else 125: a set, no change, not decided. */
int bisection_exit_code(const struct bisection *b);

void bisection_release(struct bisection *b);
