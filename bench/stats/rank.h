// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The shift between two sides without a model of their noise: Hodges and Lehmann's median
 * of all n1 n2 differences of a patched and a base boot (Ann. Math. Stat. 34, 1963), with
 * the interval that inverts the test of Mann and Whitney (ibid. 18, 1947).
 *
 * Sorted, the differences d(1) <= ... <= d(n1 n2) give [d(k), d(n1 n2 + 1 - k)] with k
 * the largest for which P(U <= k - 1) <= alpha/2 when both sides are alike. The
 * distribution of U is exact up to RANK_EXACT boots a side, normal with correction for
 * continuity beyond. Ties count against a difference, so that p and interval never
 * contradict each other: p <= alpha exactly when 0 lies outside.
 *
 * Few boots cannot decide, whatever they say: the least p is 2 / C(n1 + n2, n1), 0.33 of
 * 2+2 boots, 0.1 of 3+3, 0.029 of 4+4.
 */
#include "bench/stats/interval.h"

enum { RANK_EXACT = 50 };

struct rank_shift {
	double shift, lo, hi; /* of logs; lo and hi infinite with too few boots */
	double p;	      /* two-sided; 1 with an empty side */
	bool enough;	      /* boots for this confidence */
};

/* Never fails; 0 < confidence < 1. */
void rank_shift_of(const struct boot_means *base, const struct boot_means *patched,
		   double confidence, struct rank_shift *ret);

/* The least p that so many boots can give. */
double rank_least_p(size_t n1, size_t n2);

/* Boots a side at which a p of alpha is possible: 4 for 0.05. */
unsigned int rank_needs(double alpha);
