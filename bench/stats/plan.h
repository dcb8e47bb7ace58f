// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How many boots a decision takes. */

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
