// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What was claimed against what was measured. A claim is held against the cell it names,
 * npt/npt where it names none, by its change: values of another machine do not compare,
 * ratios may.
 */
#include "bench/claims/claims.h"
#include "bench/stats/compare.h"

enum claim_verdict {
	CLAIM_CONFIRMED,      /* decided, and the interval holds the claimed change */
	CLAIM_NOT_CONFIRMED,  /* measured, and it came out otherwise or undecided */
	CLAIM_NOT_COMPARABLE, /* measured or not, it says nothing of the claim */
};

/* What the measurement was. */
struct claim_lab {
	const struct comparison *rows;
	size_t nr_rows;
	bool virtual_clock;  /* emulated: path length, not time */
	const char *machine; /* model of the processor, NULL unknown */
};

struct claim_check {
	const struct claim *claim;
	const struct comparison *row; /* NULL: its cell was not measured */
	double claimed, claimed_half; /* 0 without a usable change */
	bool has_claimed;
	enum claim_verdict verdict;
	const char *why; /* static; a phrase, NULL for a plain confirmation */
};

/* Check one claim; never fails. claim and the lab's rows are borrowed. */
void claim_check(const struct claim *c, const struct claim_lab *lab,
		 struct claim_check *ret);

/*
 * Check all claims of a benchmark kiln knows of, here or elsewhere, each change of a cell
 * once however often cover and patch repeat it. Owned by the caller, borrows c.
 */
struct claim_check *claims_check(const struct claims *c, const struct claim_lab *lab,
				 size_t *ret_nr);

/* "confirmed", "not confirmed", "not comparable" */
const char *claim_verdict_name(enum claim_verdict v);
