// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Pairs of boots, one a side, looked at after every one: when to stop, with a promise that
 * holds however often one looks (a t-test looked at from 3 to 20 pairs gives 23 % false
 * alarms at a nominal 5 %).
 *
 * The e-value of n pairs d against a difference x, s = 1 + n g, g = 1:
 *	s^-1/2 [(R + n (mean - x)^2) / (R + n (mean - x)^2 / s)]^((n + df)/2)
 *	R = SUM (d - mean)^2 + df v,	v = 2 boot_sd^2
 * For df 0 it is that of core/bisect/evalue.h. A calibration goes in as what it is: df
 * more pairs whose mean nobody asked for. R is no less than (n - 1 + df) v: no target
 * repeats better than it was measured to. With a sd that was told, df is infinite:
 *	s^-1/2 exp(n (mean - x)^2 (1 - 1/s) / 2v),	v no less than the variance seen
 *
 * Without a difference an e-value ever passes 1/alpha with a probability of alpha at most
 * (Ville), so p is 1 / the largest so far, and the interval holds each x that no look has
 * refused. Uncalibrated, 5 pairs are the fewest that can decide at 95 %; with the 12
 * degrees of freedom of a full calibration 2 can.
 *
 * The layout of the two builds is in every pair alike: the interval is widened by it.
 */
#include "bench/stats/interval.h"

struct sequence {
	size_t pairs;
	double mean, lo, hi; /* of d; infinite when nothing bounds it */
	double p;
	bool drifts; /* no difference at all is left: the pairs are not of one kind */
};

/* Never fails. Pairs in the order in which they were taken; infinite and p 1 for fewer
 * than two, or without any scatter known or seen. */
void sequence_of(const double *d, size_t nr, const struct known_noise *noise,
		 double confidence, struct sequence *ret);

/* Half the interval after n pairs that scatter by sd as one boot does; infinity: none. */
double sequence_half(size_t n, double sd, const struct known_noise *noise,
		     double confidence);
