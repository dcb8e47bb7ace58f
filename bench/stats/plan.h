// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How many boots a decision takes. */
#include "bench/stats/interval.h"

/*
 * Boots a side, more than have, at which an effect (a difference of logs, > 0) of boots
 * with standard deviation sd is shown at this confidence with a chance of 85 %:
 *
 *	(t(2n-2, 1 - alpha/2) + z(0.85)) * sd * sqrt(2/n) <= effect
 *
 * For many boots and 95 % that is three standard errors, n = 18 (sd/effect)^2; t makes
 * it hold for few. 0 when it cannot be known (no scatter seen) or is beyond any reason
 * (10000).
 */
unsigned int plan_boots(double sd, double effect, unsigned int have, double confidence);

/*
 * The same for pairs looked at one by one (sequence.h): after so many either an effect of
 * this size is shown, or that there is none of it, with a chance of about 85 %. 0: never,
 * as the layout of builds alone hides it, or as above.
 */
unsigned int plan_pairs(double sd, double effect, const struct known_noise *noise,
			double confidence);
