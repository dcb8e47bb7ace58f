// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Two commits measured against each other: what compare and triage share. */
#include "bench/stats/compare.h"
#include "cli/stages.h"

struct compare_settings {
	double same_within; /* fraction, 0 = 0.002 */
	double min_sd;	    /* fraction, 0 = 0.0005 if emulated, else none */
	double confidence;  /* 0 = 0.95 */
	bool unlike;	    /* compare boots of unlike environments */
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
/* clang-format on */

/* Filled in place: shots point at the kernels, so it is not copied. Zeroed before use. */
struct campaign {
	struct kernel base, patched;
	struct shots shots;
	struct comparison *rows; /* one a cell of the lab */
	size_t nr;
	bool virtual_clock;
	bool same_code; /* both are one kernel: nothing was booted */
};

/*
 * Build both, boot them alternately as often as the lab says, compare every cell. Builds
 * of the same code are not booted: every row is "same", without boots. A kernel that does not build or boot is the error that says so (exit code 125).
 */
_must_check_ int campaign_run(struct lab *l, const struct oid *base,
			      const struct oid *patched, const struct compare_settings *o,
			      struct campaign *ret, struct err *e);

/* 1 when a cell is slower, else 125 when one is undecided, else 0. */
int campaign_exit_code(const struct campaign *c);

/* The slower cell with the largest loss; NULL when none is slower. */
const struct comparison *campaign_worst(const struct campaign *c);

/* What the numbers are computed with: settings, or the defaults for this lab's clock. */
struct compare_opts campaign_opts(const struct lab *l, const struct compare_settings *o);

void campaign_release(struct campaign *c);
