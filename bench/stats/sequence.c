// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/sequence.h"

#include <math.h>

/* The prior variance of the difference, in variances of a pair. */
static const double g = 1;
static const double rounding = 1e-12;

/* What n pairs have told of their scatter. */
struct look {
	double n, s, mean, squares, v, df;
	bool told;
};

static struct look look_at(size_t n, double squares, const struct known_noise *k)
{
	double v = 2 * k->boot_sd * k->boot_sd;
	bool told = v > 0 && !(k->boot_df > 0);
	struct look l = { .n = (double)n, .s = 1 + (double)n * g, .v = v, .told = told };

	l.df = v > 0 ? k->boot_df : 0;
	l.squares = fmax(squares + l.df * v, (l.n - 1 + l.df) * v);
	if (told)
		l.v = fmax(v, n > 1 ? squares / (l.n - 1) : 0);
	return l;
}

/* The logarithm of the e-value against a difference that is off the mean by x. */
static double log_e(const struct look *l, double x)
{
	double q = l->n * x * x;

	if (l->told)
		return q * (1 - 1 / l->s) / (2 * l->v) - log(l->s) / 2;
	return (l->n + l->df) / 2 * log((l->squares + q) / (l->squares + q / l->s)) -
	       log(l->s) / 2;
}

/* The x at which the e-value is 1/alpha; infinity when it never is. */
static double half_of(const struct look *l, double alpha)
{
	double need = log(1 / alpha) + log(l->s) / 2, a;

	if (l->told)
		return sqrt(2 * l->v * need / (1 - 1 / l->s) / l->n);
	a = exp(2 * need / (l->n + l->df));
	if (a >= l->s)
		return INFINITY;
	return sqrt(l->squares * (a - 1) / (1 - a / l->s) / l->n);
}

static double layout_half(const struct known_noise *k, double alpha)
{
	double sd = sqrt(2) * k->build_sd;

	return sd > 0 ? noise_quantile(alpha / 2, k->build_df) * sd : 0;
}

static double layout_p(const struct known_noise *k, double mean)
{
	double sd = sqrt(2) * k->build_sd;

	return sd > 0 ? 2 * noise_tail(fabs(mean) / sd, k->build_df) : 0;
}

void sequence_of(const double *d, size_t nr, const struct known_noise *noise,
		 double confidence, struct sequence *ret)
{
	double alpha = 1 - confidence, mean = 0, squares = 0, best = 0;

	*ret = (struct sequence){ nr, 0, -INFINITY, INFINITY, 1, false };
	for (size_t i = 0; i < nr; i++) {
		double off = d[i] - mean, half;
		struct look l;

		mean += off / (double)(i + 1); /* Welford */
		squares += off * (d[i] - mean);
		l = look_at(i + 1, squares, noise);
		if (i < 1 || !(l.squares > rounding * rounding || l.told))
			continue;
		best = fmax(best, log_e(&l, mean));
		half = hypot(half_of(&l, alpha), layout_half(noise, alpha));
		ret->lo = fmax(ret->lo, mean - half);
		ret->hi = fmin(ret->hi, mean + half);
	}
	ret->mean = mean;
	ret->p = fmin(1, fmax(exp(-best), layout_p(noise, mean)));
	ret->drifts = ret->lo > ret->hi;
}

double sequence_half(size_t n, double sd, const struct known_noise *noise,
		     double confidence)
{
	struct look l = look_at(n, (double)(n - 1) * 2 * sd * sd, noise);

	if (n < 2 || !(l.squares > 0 || l.told))
		return INFINITY;
	return hypot(half_of(&l, 1 - confidence), layout_half(noise, 1 - confidence));
}
