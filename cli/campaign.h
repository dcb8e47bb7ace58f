// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Two commits measured against each other: what compare, triage and queue share. */
#include "bench/stats/compare.h"
#include "cli/noise.h"
#include "cli/stages.h"

struct compare_settings {
	double same_within; /* fraction, 0 = target_effect, else 0.002 */
	double min_sd;	    /* fraction, 0 = as calibrated, see noise.h */
	double confidence;  /* 0 = 0.95 */
	bool unlike;	    /* compare boots of unlike environments */
	/* Those of compare alone: */
	double target_effect; /* fraction: go on until it is shown or refuted; 0 = off */
	uint64_t budget;      /* seconds, 0 = no limit */
	uint64_t seed;	      /* of the order, 0 = drawn */
	bool stored;	      /* measure nothing, use the boots of earlier runs */
};

/* clang-format off */
#define COMPARE_ROWS(type, m)                                                            \
	{ "same-within", 0, OPT_DOUBLE, offsetof(type, m.same_within), "FRACTION",       \
	  "a change inside this is none; default 0.002", "kiln.sameWithin" },            \
	{ "min-sd", 0, OPT_DOUBLE, offsetof(type, m.min_sd), "FRACTION",                 \
	  "repeatability of the target; no interval is narrower", "kiln.minSd" },        \
	{ "confidence", 0, OPT_DOUBLE, offsetof(type, m.confidence), "P",                \
	  "of the intervals; default 0.95", "kiln.confidence" },                         \
	{ "unlike", 0, OPT_FLAG, offsetof(type, m.unlike), NULL,                         \
	  "compare although the environments of the boots differ", "kiln.unlike" }
#define CAMPAIGN_ROWS(type, m)                                                           \
	{ "target-effect", 0, OPT_DOUBLE, offsetof(type, m.target_effect), "FRACTION",   \
	  "boot pairs until such a change is shown or refuted", "kiln.targetEffect" },   \
	{ "budget", 0, OPT_DURATION, offsetof(type, m.budget), "DURATION",               \
	  "refuse a plan that takes longer, and stop after so long", "kiln.budget" },    \
	{ "seed", 0, OPT_UINT, offsetof(type, m.seed), "N",                              \
	  "of the order of boots; default: drawn and recorded", "kiln.seed" },           \
	{ "stored", 0, OPT_FLAG, offsetof(type, m.stored), NULL,                         \
	  "measure nothing: compare the boots of earlier runs", NULL }
/* clang-format on */

/* Filled in place: shots point at the kernels, so it is not copied. Zeroed before use. */
struct campaign {
	struct kernel base, patched;
	struct shots shots;
	struct samples stored[2]; /* of base and patched, in place of shots */
	struct comparison *rows;  /* one a point of the lab, once they are compared */
	size_t nr;
	struct noise *noise; /* one a point of the lab */
	size_t nr_noise;
	uint64_t seed; /* of the order of boots; 0: none was measured */
	bool virtual_clock;
	bool same_code;	  /* both are one kernel: nothing was booted */
	bool flagged;	  /* that environments differ a little was said */
	bool out_of_time; /* the budget ended it */
};

/*
 * Build both and boot them in turn: as often as the lab says, or with target_effect until
 * every row is decided, the lab's boots (40 without) or the budget are used up. Then
 * compare every benchmark in every cell. Builds of the same code are not booted: every row
 * is "same", without boots. ERR_BUDGET before anything is built when the plan exceeds it;
 * a kernel that does not build or boot is the error that says so (exit code 125).
 */
_must_check_ int campaign_run(struct lab *l, const struct oid *base,
			      const struct oid *patched, const struct compare_settings *o,
			      struct campaign *ret, struct err *e);

/* 1 when a cell is slower, else 125 when one is undecided, else 0. */
int campaign_exit_code(const struct campaign *c);

/* The slower cell with the largest loss; NULL when none is slower. */
const struct comparison *campaign_worst(const struct campaign *c);

/* What the numbers are computed with; ERR_USAGE for settings out of range. */
_must_check_ int campaign_opts(const struct compare_settings *o, const struct noise *n,
			       struct compare_opts *ret, struct err *e);

/* Lines below the table: what decided, what is known of the target, in which order. */
void campaign_text(const struct campaign *c, struct buf *ret);

void campaign_release(struct campaign *c);
