// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The difference of two sides on the log scale, with its interval and p.
 *
 * Two intervals are computed and the wider one is given; p is the larger of their p, so
 * that it and the interval never contradict each other.
 *
 * The known one rests on the floor, the calibrated sd of a boot on this target:
 *	z(1 - alpha/2) * min_sd * sqrt(1/n1 + 1/n2)
 * with the normal quantile, because nothing was estimated. It covers at 95 % when boots
 * scatter as calibrated, however few there are.
 *
 * Welch's rests on what was seen:
 *	t(1 - alpha/2, df) * sqrt(v1/n1 + v2/n2)
 *	df = (w1/n1 + w2/n2)^2 / ((w1/n1)^2/(n1-1) + (w2/n2)^2/(n2-1))
 * (Welch, Biometrika 34, 1947; Satterthwaite's degrees of freedom). It holds at any
 * scatter. v is the variance seen and w the same but no less than min_sd^2: two boots
 * that agree to the digit are luck, and must not cost the other side its degrees of
 * freedom.
 *
 * Using the floor when it exceeds the scatter seen, and Welch's interval otherwise, would
 * be narrower and wrong: of boots that scatter by twice the floor some agree by luck and
 * get the narrow interval. False alarms at a nominal 5 %, two boots a side, scatter 1,
 * 1.5, 2, 3 times the floor: 3.3, 7.0, 7.2, 6.0 % so; 1.4, 3.1, 3.7, 4.2 % by the wider
 * one (test-stats-interval.c holds it to that).
 */
#include <stdbool.h>
#include <stddef.h>

/* Boot means of one side, as logs; borrowed. */
struct boot_means {
	const double *v;
	size_t nr;
};

struct interval {
	double diff; /* mean of patched less mean of base; 0 when a side is empty */
	double half; /* half width; infinity when nothing bounds it */
	double p;    /* of "no difference"; 1 when not tested */
	double sd;   /* of one boot, pooled, no less than min_sd */
	bool tested; /* two boots on each side, and a scale to judge them by */
};

/* Never fails; min_sd >= 0, 0 < confidence < 1. */
void interval_of(const struct boot_means *base, const struct boot_means *patched,
		 double min_sd, double confidence, struct interval *ret);
