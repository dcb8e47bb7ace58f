// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Predicates that pass or fail. Old commits fail with p_old, new ones with p_new > p_old.
 * Three models, weighed by the data: it never flips (0 and 1); old ones never fail; both
 * may. Rates have Jeffreys priors, which are flat in the angle t of p = sin^2 t.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/posterior.h"

#define ANGLES 96
#define MODELS 3
static const double model_weight[MODELS] = { .5, .3, .2 };

struct counts {
	double passed, failed;
};

struct angles {
	double p[ANGLES], log_p[ANGLES], log_q[ANGLES];
};

static void angles_init(struct angles *a)
{
	for (int i = 0; i < ANGLES; i++) {
		double s = sin((i + .5) / ANGLES * M_PI_2);

		a->p[i] = s * s;
		a->log_p[i] = log(s * s);
		a->log_q[i] = log1p(-s * s);
	}
}

/* The likelihood along the angles; what is largest is returned, and scaled to 1. */
static double curve(const struct angles *a, const struct counts *c, double *ret)
{
	double top = -INFINITY;

	for (int i = 0; i < ANGLES; i++) {
		ret[i] = c->failed * a->log_p[i] + c->passed * a->log_q[i];
		top = fmax(top, ret[i]);
	}
	for (int i = 0; i < ANGLES; i++)
		ret[i] = exp(ret[i] - top);
	return top;
}

/* Likelihood (as log) and mean rates of one model. */
struct outcome {
	double log_like, old, new;
};

static struct outcome never_flips(const struct counts *old, const struct counts *new)
{
	return (struct outcome){ old->failed || new->passed ? -INFINITY : 0, 0, 1 };
}

static struct outcome old_never_fails(const struct angles *a, const struct counts *old,
				      const struct counts *new)
{
	double f[ANGLES], top = curve(a, new, f), sum = 0, mean = 0;

	for (int i = 0; i < ANGLES; i++) {
		sum += f[i];
		mean += f[i] * a->p[i];
	}
	return (struct outcome){ old->failed ? -INFINITY : top + log(sum / ANGLES), 0,
				 mean / sum };
}

static struct outcome both_may_fail(const struct angles *a, const struct counts *old,
				    const struct counts *new)
{
	double f[ANGLES], g[ANGLES], top = curve(a, old, f) + curve(a, new, g);
	double below = 0, below_p = 0, sum = 0, p_old = 0, p_new = 0;

	for (int i = 0; i < ANGLES; i++) {
		sum += below * g[i];
		p_old += below_p * g[i];
		p_new += below * g[i] * a->p[i];
		below += f[i];
		below_p += f[i] * a->p[i];
	}
	if (!(sum > 0))
		return (struct outcome){ -INFINITY, 0, 1 };
	return (struct outcome){ top + log(2 * sum / ANGLES / ANGLES), p_old / sum,
				 p_new / sum };
}

/* No change: one rate for all. */
static double no_change(const struct angles *a, const struct counts *all,
			double *ret_mean)
{
	double f[ANGLES], top = curve(a, all, f), sum = 0, mean = 0;
	double steady = !all->failed || !all->passed ? 0.5 : 0;

	for (int i = 0; i < ANGLES; i++) {
		sum += f[i];
		mean += f[i] * a->p[i];
	}
	*ret_mean = mean / sum;
	return log(model_weight[0] * steady +
		   (1 - model_weight[0]) * exp(top) * sum / ANGLES + 1e-300);
}

/* Models averaged: log likelihood, mean rates. */
static double average(const struct angles *a, const struct counts *old,
		      const struct counts *new, struct levels *ret)
{
	const struct outcome o[MODELS] = { never_flips(old, new),
					   old_never_fails(a, old, new),
					   both_may_fail(a, old, new) };
	double top = -INFINITY, sum = 0;

	*ret = (struct levels){ 0, 0, 0, 0 };
	for (int i = 0; i < MODELS; i++)
		top = fmax(top, o[i].log_like);
	if (isinf(top))
		return -690;
	for (int i = 0; i < MODELS; i++) {
		double w = model_weight[i] * exp(o[i].log_like - top);

		sum += w;
		ret->old += w * o[i].old;
		ret->new += w *o[i].new;
	}
	ret->old /= sum;
	ret->new /= sum;
	ret->old_var = ret->old * (1 - ret->old) / (old->passed + old->failed + 2);
	ret->new_var = ret->new *(1 - ret->new) / (new->passed + new->failed + 2);
	return top + log(sum);
}

static struct counts count(const struct data *d, const uint8_t *side, int which)
{
	struct counts c = { 0, 0 };

	for (size_t u = 0; u < d->nr; u++) {
		if (which >= 0 && side[d->units[u].tested] != which)
			continue;
		c.passed += d->units[u].passed;
		c.failed += d->units[u].failed;
	}
	return c;
}

void posterior_predicate(const struct problem *pr, struct posterior *ret)
{
	const struct groups *gr = pr->groups;
	_cleanup_free_ double *log_like = xcalloc(gr->nr + 1, sizeof(*log_like));
	struct counts all = count(pr->data, NULL, -1);
	struct angles a;

	posterior_release(ret);
	angles_init(&a);
	ret->levels = xcalloc(gr->nr + 1, sizeof(*ret->levels));
	for (size_t g = 0; g < gr->nr; g++) {
		struct counts old = count(pr->data, group_side(gr, g), 0);
		struct counts new = count(pr->data, group_side(gr, g), 1);

		log_like[g] = average(&a, &old, &new, &ret->levels[g]);
	}
	log_like[gr->nr] = no_change(&a, &all, &ret->none.old);
	posterior_combine(pr, log_like, ret);
}
