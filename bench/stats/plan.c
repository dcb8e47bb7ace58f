// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/plan.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "bench/stats/sequence.h"

enum { TOO_MANY = 10000 };

static bool shows(unsigned int n, double ratio, double confidence)
{
	double t = gsl_cdf_tdist_Qinv((1 - confidence) / 2, 2.0 * n - 2);
	double z = gsl_cdf_ugaussian_Pinv(0.85);

	return (t + z) * ratio * sqrt(2.0 / n) <= 1;
}

unsigned int plan_boots(double sd, double effect, unsigned int have, double confidence)
{
	unsigned int lo = have < 2 ? 2 : have + 1, hi = TOO_MANY;
	double ratio = sd / effect;

	if (!(ratio > 0) || have >= TOO_MANY || !shows(hi, ratio, confidence))
		return 0;
	while (lo < hi) { /* more boots never show less */
		unsigned int mid = lo + (hi - lo) / 2;

		if (shows(mid, ratio, confidence))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static bool pairs_show(unsigned int n, double sd, double effect,
		       const struct known_noise *noise, double confidence)
{
	double luck = gsl_cdf_ugaussian_Pinv(0.85) * sd * sqrt(2.0 / n);

	return sequence_half(n, sd, noise, confidence) + luck <= effect;
}

unsigned int plan_pairs(double sd, double effect, const struct known_noise *noise,
			double confidence)
{
	unsigned int lo = 2, hi = TOO_MANY;

	if (!(sd > 0) || !pairs_show(hi, sd, effect, noise, confidence))
		return 0;
	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (pairs_show(mid, sd, effect, noise, confidence))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}
