// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "core/base/base.h"

/* Means of equal logs over unlike numbers of runs differ in the last bits; no more. */
static const double rounding = 1e-12;

double variance_df(const struct variance_part *parts, size_t nr)
{
	double sum = 0, inverse = 0;

	for (size_t i = 0; i < nr; i++)
		sum += parts[i].v;
	for (size_t i = 0; i < nr; i++) {
		/* no squares of tiny variances: they underflow */
		double share = sum > 0 ? parts[i].v / sum : 0;

		inverse += parts[i].df > 0 ? share * share / parts[i].df : 0;
	}
	return inverse > 0 ? 1 / inverse : 0;
}

double noise_quantile(double tail, double df)
{
	return df > 0 ? gsl_cdf_tdist_Qinv(tail, df) : gsl_cdf_ugaussian_Qinv(tail);
}

double noise_tail(double x, double df)
{
	return df > 0 ? gsl_cdf_tdist_Q(x, df) : gsl_cdf_ugaussian_Q(x);
}

static double mean(const struct boot_means *m)
{
	return gsl_stats_mean(m->v, 1, m->nr);
}

static double variance(const struct boot_means *m)
{
	return m->nr > 1 ? gsl_stats_variance(m->v, 1, m->nr) : 0;
}

/* Widen ret to what this variance of the difference allows. */
static void widen(struct interval *ret, double v, double df, double tail)
{
	double se = sqrt(v);

	ret->half = fmax(ret->half, noise_quantile(tail, df) * se);
	ret->p = fmax(ret->p, 2 * noise_tail(fabs(ret->diff) / se, df));
}

static void known(struct interval *ret, double sd, const size_t n[2],
		  const struct known_noise *k, double tail)
{
	const struct variance_part parts[] = {
		{ sd * sd * (1 / (double)n[0] + 1 / (double)n[1]), k->boot_df },
		{ 2 * k->build_sd * k->build_sd, k->build_df },
	};

	widen(ret, parts[0].v + parts[1].v, variance_df(parts, ARRAY_SIZE(parts)), tail);
}

/* v are the variances of a boot. */
static void welch(struct interval *ret, const double v[2], const size_t n[2],
		  const struct known_noise *k, double tail)
{
	double least = k->boot_sd * k->boot_sd, build = 2 * k->build_sd * k->build_sd;
	const struct variance_part parts[] = {
		{ fmax(v[0], least) / (double)n[0], (double)(n[0] - 1) },
		{ fmax(v[1], least) / (double)n[1], (double)(n[1] - 1) },
		{ build, k->build_df },
	};

	widen(ret, v[0] / (double)n[0] + v[1] / (double)n[1] + build,
	      variance_df(parts, ARRAY_SIZE(parts)), tail);
}

void interval_of(const struct boot_means *base, const struct boot_means *patched,
		 const struct known_noise *noise, double confidence, struct interval *ret)
{
	double tail = (1 - confidence) / 2;
	size_t n[2] = { base->nr, patched->nr };
	double v[2], known_sd, scatter = 0;

	*ret = (struct interval){ .half = INFINITY, .p = 1, .sd = noise->boot_sd };
	if (!n[0] || !n[1])
		return;
	ret->diff = mean(patched) - mean(base);
	v[0] = variance(base);
	v[1] = variance(patched);
	if (n[0] + n[1] > 2)
		scatter = sqrt(((double)(n[0] - 1) * v[0] + (double)(n[1] - 1) * v[1]) /
			       (double)(n[0] + n[1] - 2));
	if (scatter > rounding)
		ret->sd = fmax(noise->boot_sd, scatter);
	ret->tested = n[0] > 1 && n[1] > 1 && ret->sd > 0;
	if (!ret->tested && noise->boot_sd <= 0)
		return;
	ret->half = ret->p = 0;
	known_sd = ret->tested ? noise->boot_sd : ret->sd;
	if (known_sd > 0)
		known(ret, known_sd, n, noise, tail);
	if (ret->tested && scatter > rounding)
		welch(ret, v, n, noise, tail);
	if (!ret->tested)
		ret->p = 1;
}

void interval_welch(const struct boot_means *base, const struct boot_means *patched,
		    double confidence, struct interval *ret)
{
	interval_of(base, patched, &(struct known_noise){ 0 }, confidence, ret);
}
