// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Core's bisection engine driven by real builds and boots: what bisect and triage share.
 */
#include "cli/bisect/log.h"
#include "cli/bisect/probe.h"
#include "cli/bisect/space.h"
#include "cli/campaign.h"

struct bisect_settings {
	double min_effect; /* fraction, 0 = 0.002 */
	double confidence; /* 0 = 0.99 */
	double expect;	   /* fraction the plan reckons with, 0 = 0.05 */
	uint64_t end_boots, max_boots;
	uint64_t budget; /* seconds, 0 = no limit */
	char *old, *new; /* terms; NULL = "good" and "bad", or "broken" and "fixed" */
	bool fixed;	 /* the new end is the good one */
	bool no_speculate;
	bool first_parent;
	char *verify; /* "auto", "on", "off"; NULL = auto */
	char *prior;  /* "paths", "uniform"; NULL = paths */
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
	  "give up after so many; default 60", "kiln.maxBoots" },                        \
	{ "verify", 0, OPT_STRING, offsetof(type, m.verify), "MODE",                     \
	  "rebuild and revert the culprit: auto (unless emulated), on, off",             \
	  "kiln.verify" },                                                               \
	{ "prior", 0, OPT_STRING, offsetof(type, m.prior), "KIND",                       \
	  "what is likely beforehand: paths (default) or uniform", "kiln.prior" }
/* clang-format on */

/* One thing the search did. */
struct bisect_step {
	size_t commit;
	const char *stage; /* "build" when that failed, else "boot" */
	unsigned int boot; /* number of this point's boot, from 0 */
	bool answered;	   /* else untestable */
	double value;	   /* rate, or share of answers like the old end's */
	double posterior_max, seconds;
	char *reason; /* why untestable or failed, else NULL */
};

/* What became of taking the culprit back on the bad end. */
enum bisect_revert {
	REVERT_NOT_TRIED,
	REVERT_CONFIRMED, /* at least half of the step went away */
	REVERT_REFUTED,
	REVERT_CONFLICT,
	REVERT_UNTESTABLE, /* does not build or gives no number */
};

struct bisection {
	struct space space;
	struct bisect_result result; /* set[] is owned here */
	size_t *set;
	double *posterior, no_change; /* of each point, in the end */
	struct bisect_step *moves;
	size_t nr_moves;
	unsigned int boots, builds, runs;
	unsigned int same;		  /* builds that equal an earlier one */
	unsigned int built_ahead, hidden; /* builds ahead, and those of use */
	double hidden_seconds;		  /* of builds that cost no waiting */
	double seconds;			  /* of builds and boots that did */
	struct bisect_cost_plan plan;	  /* as it was before the first boot */
	bool virtual_clock;
	bool measured;	    /* here, by kernels that proved themselves */
	bool alike;	    /* the ends are one binary: nothing was booted */
	bool layout_failed; /* a fresh layout gave no number, so nothing is verified */
	char *implausible;  /* why the culprit cannot well be one; NULL: it can */
	enum bisect_revert revert;
	double revert_change; /* what the revert did to the bad end, as a fraction */
};

/* Everything one search works with; all borrowed. */
struct search_site {
	struct run *run; /* remembers; NULL only for a replay */
	struct lab *lab; /* handed to the probe, which may do without */
	const struct probe *probe;
	struct bisect_opts o; /* a run that goes on keeps those it began with */
	const char *question; /* "number cpuid_rate npt/npt" */
	const char *old, *new;
	double expect;
	unsigned int spare; /* processors for builds ahead, 0: none are made */
	bool fixed, first_parent, asks_build, quiet, revert;
	const struct progress *progress; /* NULL: silence */
};

/*
 * Search the space, which is taken over, for the point that changed the probe's answer.
 * An undecided search is a result, not an error; see result.verdict. ERR_BUDGET before
 * anything is measured when the plan exceeds it; ERR_NO_DIFFERENCE when the ends do not
 * answer as claimed; ERR_UNDECIDED when one gives no answer.
 */
_must_check_ int bisection_run(struct lab *l, struct space *space,
			       const struct probe *probe, const struct bisect_settings *o,
			       struct bisection *ret, struct err *e);

/* The same below the lab: what bisection_run() fills in, tests fill in themselves. */
_must_check_ int search_run(const struct search_site *site, struct space *space,
			    struct bisection *ret, struct err *e);

/*
 * The result of a log, whose space is taken over. p_new, when given, receives for each
 * point the probability that it has the change (owned by the caller).
 */
_must_check_ int search_replay(struct bisect_log *log, struct bisection *ret,
			       double **p_new, struct err *e);

/* "confirmed", "not-confirmed", "does-not-apply", "cannot-be-tested", "not-tried" */
const char *bisect_revert_name(enum bisect_revert r);

/* 0 when one commit was found, else 125: a set, no change, not decided. */
int bisection_exit_code(const struct bisection *b);

void bisection_release(struct bisection *b);
