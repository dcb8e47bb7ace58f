// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Means of equal logs over unlike numbers of runs differ in the last bits; no more. */
static const double rounding = 1e-12;

static double mean(const struct boot_means *m)
{
	return gsl_stats_mean(m->v, 1, m->nr);
}

static double variance(const struct boot_means *m)
{
	return m->nr > 1 ? gsl_stats_variance(m->v, 1, m->nr) : 0;
}

/* Widen ret to what the calibrated floor allows. */
static void known(struct interval *ret, double se, double tail)
{
	double p = 2 * gsl_cdf_ugaussian_Q(fabs(ret->diff) / se);

	ret->half = fmax(ret->half, gsl_cdf_ugaussian_Qinv(tail) * se);
	ret->p = fmax(ret->p, p);
}

/* Welch's degrees of freedom; a and b are the variances of the two means. */
static double satterthwaite(double a, double b, const size_t n[2])
{
	double share = a / (a + b); /* no squares of tiny variances: they underflow */

	return 1 / (share * share / (double)(n[0] - 1) +
		    (1 - share) * (1 - share) / (double)(n[1] - 1));
}

/* Widen ret to Welch's interval; v are the variances of a boot. */
static void welch(struct interval *ret, const double v[2], const size_t n[2],
		  double min_sd, double tail)
{
	double least = min_sd * min_sd;
	double se = sqrt(v[0] / (double)n[0] + v[1] / (double)n[1]);
	double df = satterthwaite(fmax(v[0], least) / (double)n[0],
				  fmax(v[1], least) / (double)n[1], n);

	ret->half = fmax(ret->half, gsl_cdf_tdist_Qinv(tail, df) * se);
	ret->p = fmax(ret->p, 2 * gsl_cdf_tdist_Q(fabs(ret->diff) / se, df));
}

void interval_of(const struct boot_means *base, const struct boot_means *patched,
		 double min_sd, double confidence, struct interval *ret)
{
	double tail = (1 - confidence) / 2;
	size_t n[2] = { base->nr, patched->nr };
	double v[2], known_sd, scatter = 0;

	*ret = (struct interval){ .half = INFINITY, .p = 1, .sd = min_sd };
	if (!n[0] || !n[1])
		return;
	ret->diff = mean(patched) - mean(base);
	v[0] = variance(base);
	v[1] = variance(patched);
	if (n[0] + n[1] > 2)
		scatter = sqrt(((double)(n[0] - 1) * v[0] + (double)(n[1] - 1) * v[1]) /
			       (double)(n[0] + n[1] - 2));
	if (scatter > rounding)
		ret->sd = fmax(min_sd, scatter);
	ret->tested = n[0] > 1 && n[1] > 1 && ret->sd > 0;
	if (!ret->tested && min_sd <= 0)
		return;
	ret->half = ret->p = 0;
	known_sd = ret->tested ? min_sd : ret->sd;
	if (known_sd > 0)
		known(ret, known_sd * sqrt(1 / (double)n[0] + 1 / (double)n[1]), tail);
	if (ret->tested && scatter > rounding)
		welch(ret, v, n, min_sd, tail);
	if (!ret->tested)
		ret->p = 1;
}
