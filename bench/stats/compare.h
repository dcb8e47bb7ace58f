// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Two sides of one cell to a decision. The unit is the boot: runs of one boot are
 * averaged on the log scale first, then an interval on the boot means (interval.h),
 * back-transformed.
 */
#include "bench/bench.h"

enum verdict { VERDICT_UNDECIDED, VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER };

struct compare_opts {
	double same_within; /* "same" when the whole interval lies inside +- this, e.g.
			       0.002 */
	double min_sd;	    /* repeatability of the target, relative sd of a boot: no
			       interval is ever narrower than it allows */
	double confidence;  /* 0.95 */
};

struct side {
	double value; /* geometric mean over boots, in the unit; 0 without boots */
	unsigned int boots, runs;
};

struct comparison {
	const struct cell *cell;
	const char *benchmark, *unit; /* the benchmark's own strings */
	struct side base, patched;
	double change;	     /* fraction: 0.173 is +17.3 %; 0 when a side has no boot */
	double ci_lo, ci_hi; /* fractions; -1 and infinity when nothing bounds them */
	double confidence;   /* of the interval */
	double sd;	     /* relative sd of a boot that the interval rests on */
	double p, p_adj; /* p_adj by Benjamini-Hochberg over the table, p until then */
	enum verdict verdict;
	unsigned int needs_boots; /* for undecided: boots a side that would decide, 0
				     unknown */
};

/*
 * Compare the proven samples of one cell; samples of other cells and benchmarks are
 * passed over. Fewer than two boots on a side leaves VERDICT_UNDECIDED, p 1 and ci as
 * wide as min_sd allows, and so does a side without any scatter when min_sd is 0: noise
 * that was not seen is not zero. A unit other than the benchmark's, unlike clocks, a
 * value that is not finite and positive, and options out of range are ERR_USAGE.
 */
_must_check_ int compare_cell(const struct benchmark *b, const struct cell *c,
			      const struct samples *base, const struct samples *patched,
			      const struct compare_opts *o, struct comparison *ret,
			      struct err *e);

/* Fill p_adj of a table's rows (Benjamini-Hochberg) and let verdicts respect it at
 * 1-confidence. */
void compare_adjust(struct comparison *rows, size_t nr, const struct compare_opts *o);

/* "faster", "slower", "same", "undecided" */
const char *verdict_name(enum verdict v);
