// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Boots with t5 tails: one boot that went wrong by ten sd then says little, where under a
 * Gaussian it would move a level. No closed form: both levels are summed over a grid.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/posterior.h"

#define MOST_LEVELS 420
#define LEAST_STEP 6e-4
#define PAD 0.05	 /* levels may lie so far beyond what was measured */
#define T5_SCALE 0.85	 /* a t5 with this scale spreads about like a unit Gaussian */
#define LOG_T5 -0.968620 /* log of gamma(3) / (gamma(5/2) sqrt(5 pi)) */
#define OFTEN 24	 /* factors between logs: 24 of at most 1e12 stay finite */

/* Gauss-Hermite, for the mean over N(0, 1). */
static const double node[] = { 0, 1.154405394739968, 2.366759410734541,
			       3.750439717725742 };
static const double node_weight[] = { 0.457142857142857, 0.240123178605013,
				      0.0307571239675865, 0.000548268855972217 };

struct tails {
	const struct problem *pr;
	size_t nr; /* levels */
	double lo, step;
	double *curve;	   /* [units][nr] log likelihoods */
	double *old, *new; /* [nr] */
};

/* Log likelihood of the boots of u when its own value is y. */
static double boots_at(const struct tails *t, const struct unit *u, double tau2, double y)
{
	const struct run_noise *run = &t->pr->run;
	double product = 1, sum = 0, scale = 1;

	for (size_t k = 0; k < u->nr; k++) {
		double s2 = (tau2 + run->variance / u->boots[k].runs) * T5_SCALE *
			    T5_SCALE;
		double d = boot_location(&u->boots[k], run) - y;

		product *= 1 + d * d / s2 / 5;
		scale *= s2 * 1e4;
		if (k % OFTEN == OFTEN - 1) {
			sum -= 3 * log(product) + log(scale) / 2;
			product = scale = 1;
		}
	}
	sum -= 3 * log(product) + log(scale) / 2;
	return sum + (double)u->nr * (LOG_T5 + log(1e4) / 2);
}

static void fill_curve(const struct tails *t, const struct unit *u,
		       const struct noise_point *at, double *ret)
{
	double tau2 = at->tau * at->tau;

	for (size_t i = 0; i < t->nr; i++) {
		double y = t->lo + (double)i * t->step, v[7], top = -INFINITY, sum = 0;

		if (at->lam <= 0) {
			ret[i] = boots_at(t, u, tau2, y);
			continue;
		}
		for (int n = 0; n < 7; n++) {
			double z = n < 3 ? -node[3 - n] : node[n - 3];

			v[n] = boots_at(t, u, tau2, y + z * at->lam);
			top = fmax(top, v[n]);
		}
		for (int n = 0; n < 7; n++)
			sum += node_weight[abs(n - 3)] * exp(v[n] - top);
		ret[i] = top + log(sum);
	}
}

/* From logs to values below 1; returns what they were scaled by. */
static double scale_down(double *v, size_t nr)
{
	double top = -INFINITY;

	for (size_t i = 0; i < nr; i++)
		top = fmax(top, v[i]);
	for (size_t i = 0; i < nr; i++)
		v[i] = exp(v[i] - top);
	return top;
}

/* Log of the sum over both levels with new - old as asked. */
static double both_levels(struct tails *t)
{
	const struct change_prior *c = &t->pr->change;
	double cell = t->step / LEVEL_RANGE, top, sum = 0, all = 0, below = 0, above = 0;
	size_t gap = (size_t)ceil(c->least / t->step), next = 0;

	top = scale_down(t->old, t->nr) + scale_down(t->new, t->nr);
	for (size_t i = 0; i < t->nr; i++)
		all += t->old[i];
	above = all;
	for (size_t i = 0; i < t->nr; i++) {
		if (i >= gap)
			below += t->old[i - gap];
		for (; next < t->nr && next < i + gap; next++)
			above -= t->old[next];
		if (c->direction >= 0)
			sum += below * t->new[i];
		if (c->direction <= 0)
			sum += fmax(above, 0) * t->new[i];
	}
	if (c->direction)
		sum *= 2;
	return top + log(sum * cell * cell + 1e-300);
}

static double one_level(double *v, size_t nr, double cell)
{
	double top = scale_down(v, nr), sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += v[i];
	return top + log(sum * cell);
}

static void group_curves(const struct tails *t, size_t g)
{
	const struct data *d = t->pr->data;
	const uint8_t *side = group_side(t->pr->groups, g);

	for (size_t i = 0; i < t->nr; i++)
		t->old[i] = t->new[i] = 0;
	for (size_t u = 0; u < d->nr; u++) {
		double *sum = side[d->units[u].tested] ? t->new : t->old;
		const double *c = t->curve + u * t->nr;

		for (size_t i = 0; i < t->nr; i++)
			sum[i] += c[i];
	}
}

static bool one_sided(const struct tails *t, size_t g)
{
	const uint8_t *side = group_side(t->pr->groups, g);
	size_t changed = 0;

	for (size_t i = 0; i < t->pr->groups->nr_tested; i++)
		changed += side[i];
	return !changed || changed == t->pr->groups->nr_tested;
}

static void fill_row(struct tails *t, const struct noise_point *at, double *row)
{
	const struct groups *gr = t->pr->groups;
	const struct data *d = t->pr->data;
	double cell = t->step / LEVEL_RANGE, none;

	for (size_t u = 0; u < d->nr; u++)
		fill_curve(t, &d->units[u], at, t->curve + u * t->nr);
	for (size_t i = 0; i < t->nr; i++) {
		t->old[i] = 0;
		for (size_t u = 0; u < d->nr; u++)
			t->old[i] += t->curve[u * t->nr + i];
	}
	none = one_level(t->old, t->nr, cell);
	row[gr->nr] = none;
	for (size_t g = 0; g < gr->nr; g++) {
		row[g] = none;
		if (one_sided(t, g))
			continue;
		group_curves(t, g);
		row[g] = both_levels(t);
	}
}

/* The grid of levels; false when it would be too coarse for so little noise. */
static bool lay_grid(struct tails *t)
{
	const struct data *d = t->pr->data;
	double lo = INFINITY, hi = -INFINITY, fine = t->pr->grid->v[0].tau;

	for (size_t u = 0; u < d->nr; u++) {
		for (size_t k = 0; k < d->units[u].nr; k++) {
			double y = boot_location(&d->units[u].boots[k], &t->pr->run);

			lo = fmin(lo, y);
			hi = fmax(hi, y);
		}
	}
	lo -= fmin(PAD, 30 * fine);
	hi += fmin(PAD, 30 * fine);
	t->lo = lo;
	t->step = fmax(fmin(LEAST_STEP, fine / 2), (hi - lo) / (MOST_LEVELS - 1));
	t->nr = (size_t)((hi - lo) / t->step) + 1;
	return t->step <= fine;
}

bool posterior_tails(const struct problem *pr, struct posterior *ret)
{
	const size_t cols = pr->groups->nr + 1;
	_cleanup_free_ double *log_like = xcalloc(pr->grid->nr * cols, sizeof(*log_like));
	struct tails t = { .pr = pr };

	if (!lay_grid(&t))
		return false;
	t.curve = xcalloc(pr->data->nr * t.nr, sizeof(*t.curve));
	t.old = xcalloc(t.nr, sizeof(*t.old));
	t.new = xcalloc(t.nr, sizeof(*t.new));
	for (size_t h = 0; h < pr->grid->nr; h++)
		fill_row(&t, &pr->grid->v[h], log_like + h * cols);
	posterior_combine(pr, log_like, ret);
	free(t.curve);
	free(t.old);
	free(t.new);
	return true;
}
