// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Two sides of one cell to a decision. The unit is the boot: runs of one boot are
 * averaged on the log scale first, as they share what is particular to the boot. What
 * decides depends on what is known and on the number of boots, never on the values:
 *
 * known     the target's repeatability was calibrated or told: the wider of its interval
 *           and Welch's (interval.h). It decides from 2+2 boots on.
 * welch     nothing is known, and there are too few boots for ranks.
 * rank      nothing is known: Hodges-Lehmann and the exact interval of Mann and Whitney
 *           (rank.h), as soon as so many boots can decide for a table of this size: 4+4
 *           at 95 % with one row, 5+5 with three.
 * sequence  boots were added until it was clear: pairs and their e-value (sequence.h).
 */
#include "bench/bench.h"
#include "bench/stats/interval.h"

enum verdict { VERDICT_UNDECIDED, VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER };

enum basis { BASIS_NONE, BASIS_KNOWN, BASIS_WELCH, BASIS_RANK, BASIS_SEQUENCE };

struct compare_opts {
	double same_within; /* "same" when the whole interval lies inside +- this, e.g.
			       0.002 */
	struct known_noise noise;
	double confidence; /* 0.95 */
	size_t rows;	   /* of the table, 0 = 1: their p are adjusted together */
	bool sequential;   /* boots were added pair by pair, base and patched in order */
};

/* A change as one method has it: fractions, as in struct comparison. */
struct estimate {
	double change, ci_lo, ci_hi, p;
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
	double same_within;	  /* what "same" means */
	enum basis basis;
	/* Beside what decides, bounded only where ranks have boots enough. */
	struct estimate rank, welch;
	bool drifts;	     /* sequence: its pairs contradict each other */
	unsigned int stored; /* boots of both sides that earlier runs made */
};

/*
 * Compare the proven samples of one cell; samples of other cells and benchmarks are
 * passed over. Fewer than two boots on a side leaves VERDICT_UNDECIDED, p 1 and ci as
 * wide as the known noise allows, and so does a side without any scatter when nothing is
 * known: noise that was not seen is not zero. A unit other than the benchmark's, unlike
 * clocks, a value that is not finite and positive, and options out of range are
 * ERR_USAGE.
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

/* "none", "known", "welch", "rank", "sequence" */
const char *basis_name(enum basis b);
