// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Core's bisection engine driven by real builds and boots: what bisect and triage share.
 */
#include "cli/bisect/probe.h"
#include "cli/bisect/space.h"
#include "cli/campaign.h"

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
	unsigned int boot; /* number of this point's boot, from 0 */
	double value;	   /* rate, 0 when untestable */
	double posterior_max, seconds;
	char *reason; /* why untestable, else NULL */
};

struct bisection {
	struct space space;
	struct kernel *kernels;	     /* by point; zeroed where none was built */
	struct bisect_result result; /* set[] is owned here */
	size_t *set;
	struct bisect_step *moves;
	size_t nr_moves;
	unsigned int boots, builds, runs;
	double seconds;
	bool virtual_clock;
};

/*
 * Search the space, which is taken over, for the point that changed the probe's answer.
 * An undecided search is a result, not an error; see result.verdict.
 */
_must_check_ int bisection_run(struct lab *l, struct space *space,
			       const struct probe *probe, const struct bisect_settings *o,
			       struct bisection *ret, struct err *e);

/* 0 when one commit was found, else 125: a set, no change, not decided. */
int bisection_exit_code(const struct bisection *b);

void bisection_release(struct bisection *b);
