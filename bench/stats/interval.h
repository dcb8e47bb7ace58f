// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The difference of two sides on the log scale, with its interval and p, for boots whose
 * scatter is known from a calibration, or too few to do without a model of it (rank.h).
 *
 * Two intervals are computed and the wider one is given; p is the larger of their p, so
 * that it and the interval never contradict each other.
 *
 * The known one rests on the repeatability measured beforehand, never on luck:
 *	t(1 - alpha/2, boot_df) * boot_sd * sqrt(1/n1 + 1/n2)
 * with the degrees of freedom of that measurement, and the normal quantile when the sd
 * was told. It covers as promised when boots scatter as calibrated, however few there
 * are. So it is what decides with 2+2 boots, where ranks cannot (their least p is 0.33)
 * and where Welch's t has about 2 degrees of freedom.
 *
 * Welch's rests on what was seen:
 *	t(1 - alpha/2, df) * sqrt(v1/n1 + v2/n2)
 *	df = (w1/n1 + w2/n2)^2 / ((w1/n1)^2/(n1-1) + (w2/n2)^2/(n2-1))
 * (Welch, Biometrika 34, 1947; Satterthwaite's degrees of freedom). It holds at any
 * scatter. v is the variance seen and w the same but no less than boot_sd^2: two boots
 * that agree to the digit are luck, and must not cost the other side its degrees of
 * freedom.
 *
 * Two builds differ in the layout of their code, which no number of boots averages out:
 * 2 build_sd^2 is added to the variance of the difference, in both.
 *
 * Using the floor when it exceeds the scatter seen, and Welch's interval otherwise, would
 * be narrower and wrong: of boots that scatter by twice the floor some agree by luck and
 * get the narrow interval. False alarms at a nominal 5 %, two boots a side, scatter 1,
 * 1.5, 2, 3 times a floor that was told: 3.3, 7.0, 7.2, 6.0 % so; 1.4, 3.1, 3.7, 4.2 % by
 * the wider one (test-stats-interval.c holds it to that).
 */
#include <stdbool.h>
#include <stddef.h>

/* Boot means of one side, as logs; borrowed. */
struct boot_means {
	const double *v;
	size_t nr;
};

/* What is known of a target before it is asked: relative sd. */
struct known_noise {
	double boot_sd;	 /* of a boot: no interval is narrower than it allows */
	double boot_df;	 /* degrees of freedom it was measured with; 0: it was told */
	double build_sd; /* of a build's layout; 0 when both sides are one build */
	double build_df;
};

struct interval {
	double diff; /* mean of patched less mean of base; 0 when a side is empty */
	double half; /* half width; infinity when nothing bounds it */
	double p;    /* of "no difference"; 1 when not tested */
	double sd;   /* of one boot, pooled, no less than boot_sd */
	bool tested; /* two boots on each side, and a scatter to judge them by */
};

/* Never fails; all of noise >= 0, 0 < confidence < 1. */
void interval_of(const struct boot_means *base, const struct boot_means *patched,
		 const struct known_noise *noise, double confidence,
		 struct interval *ret);

/* Welch's alone, as if nothing were known beforehand. */
void interval_welch(const struct boot_means *base, const struct boot_means *patched,
		    double confidence, struct interval *ret);

/*
 * A t quantile and tail for a sum of independent variances, each with its degrees of
 * freedom (0: exactly known), by Satterthwaite.
 */
struct variance_part {
	double v, df;
};
double variance_df(const struct variance_part *parts, size_t nr);
double noise_quantile(double tail, double df);
double noise_tail(double x, double df);
