// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/posterior.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/gauss.h"
#include "core/bisect/log-add.h"

#define DEFAULT_TAU 0.0015
#define MOST_TAU 0.035
#define TAU_POINTS 8

void noise_grid_init(struct noise_grid *g, double min_sd, double build_sd)
{
	/* Layout effects of 0.5 % are common, larger ones rare. */
	static const double lam[] = { 0, 0.005, 0.012 }, weight[] = { .60, .35, .05 };
	const size_t lams = build_sd < 0 ? ARRAY_SIZE(lam) : 1;
	double low = min_sd > 0 ? min_sd : DEFAULT_TAU;
	double ratio = pow(fmax(MOST_TAU / low, 16), 1.0 / (TAU_POINTS - 1));

	g->nr = 0;
	for (size_t i = 0; i < TAU_POINTS; i++)
		for (size_t k = 0; k < lams; k++)
			g->v[g->nr++] = (struct noise_point){
				.tau = low * pow(ratio, (double)i),
				.lam = build_sd < 0 ? lam[k] : build_sd,
				.log_weight =
					log((build_sd < 0 ? weight[k] : 1) / TAU_POINTS),
			};
}

/* Posterior of the points of the grid, a change and none together. */
static void weigh_points(const struct problem *pr, const double *log_like,
			 struct posterior *ret)
{
	const size_t cols = pr->groups->nr + 1;
	double total = -INFINITY, log_point[NOISE_POINTS], weight = 0;

	for (size_t g = 0; g < pr->groups->nr; g++)
		weight += pr->groups->v[g].weight;
	for (size_t h = 0; h < pr->grid->nr; h++) {
		const double *row = log_like + h * cols;
		double sum = row[cols - 1];

		for (size_t g = 0; g + 1 < cols; g++)
			sum = log_add(sum,
				      row[g] + log(pr->groups->v[g].weight / weight));
		log_point[h] = sum + pr->grid->v[h].log_weight;
		total = log_add(total, log_point[h]);
	}
	ret->tau2 = ret->lam2 = ret->log_tau = 0;
	for (size_t h = 0; h < pr->grid->nr; h++) {
		const struct noise_point *v = &pr->grid->v[h];

		ret->point[h] = exp(log_point[h] - total);
		ret->tau2 += ret->point[h] * v->tau * v->tau;
		ret->lam2 += ret->point[h] * v->lam * v->lam;
		ret->log_tau += ret->point[h] * log(v->tau);
	}
	ret->run2 = pr->run.variance;
}

void posterior_combine(const struct problem *pr, const double *log_like,
		       struct posterior *ret)
{
	const size_t cols = pr->groups->nr + 1;
	_cleanup_free_ double *log_p = xcalloc(cols, sizeof(*log_p));
	double one = -INFINITY, weight = 0;

	for (size_t g = 0; g < cols; g++) {
		log_p[g] = -INFINITY;
		for (size_t h = 0; h < pr->grid->nr; h++)
			log_p[g] = log_add(log_p[g], log_like[h * cols + g] +
							     pr->grid->v[h].log_weight);
	}
	for (size_t g = 0; g < pr->groups->nr; g++) {
		weight += pr->groups->v[g].weight;
		log_p[g] += log(pr->groups->v[g].weight);
		one = log_add(one, log_p[g]);
	}
	if (!ret->p)
		ret->p = xcalloc(cols, sizeof(*ret->p));
	ret->nr = pr->groups->nr;
	for (size_t g = 0; g < pr->groups->nr; g++)
		ret->p[g] = exp(log_p[g] - one);
	ret->log_bf10 = one - log(weight) - log_p[cols - 1];
	ret->none_p = 1 / (1 + exp(ret->log_bf10));
	weigh_points(pr, log_like, ret);
}

/* Sums of one level. */
struct sums {
	double w, s, q, d; /* of 1/v, y/v, y^2/v, log(2 pi v) */
};

static struct sums difference(const struct sums *a, const struct sums *b)
{
	return (struct sums){ a->w - b->w, a->s - b->s, a->q - b->q, a->d - b->d };
}

static double level_log(const struct sums *s)
{
	return -s->d / 2 - (s->q - s->s * s->s / s->w) / 2 + log(2 * M_PI / s->w) / 2 -
	       log(LEVEL_RANGE);
}

static double normal_cdf(double z)
{
	return erfc(-z / M_SQRT2) / 2;
}

/* The share of the step's posterior, against that of its prior, that is asked for. */
static double change_log(const struct change_prior *c, double step, double var)
{
	double sd = sqrt(var), share;

	if (c->direction)
		share = 2 * normal_cdf((c->direction * step - c->least) / sd);
	else
		share = normal_cdf((step - c->least) / sd) +
			normal_cdf((-step - c->least) / sd);
	return log(fmax(share, 1e-300));
}

/* Both levels of one group at one point: the log likelihood. */
static double fit(const struct problem *pr, const struct sums *all,
		  const struct sums *changed, struct levels *ret)
{
	struct sums old = difference(all, changed);
	const double unknown = LEVEL_RANGE * LEVEL_RANGE / 12;
	double log_like = 0;

	*ret = (struct levels){ 0, unknown, 0, unknown };
	if (old.w > 1e-9 * all->w) {
		log_like += level_log(&old);
		ret->old = old.s / old.w;
		ret->old_var = 1 / old.w;
	}
	if (changed->w > 0) {
		log_like += level_log(changed);
		ret->new = changed->s / changed->w;
		ret->new_var = 1 / changed->w;
	}
	if (old.w > 1e-9 * all->w && changed->w > 0)
		log_like += change_log(&pr->change, ret->new - ret->old,
				       ret->new_var + ret->old_var);
	return log_like;
}

static void add(struct sums *s, const struct estimate *u)
{
	double a = 1 / u->v;

	s->w += a;
	s->s += u->y * a;
	s->q += u->y * u->y * a;
	s->d += log(2 * M_PI * u->v);
}

/* One point of the grid: a row of log likelihoods and of levels. */
static void fit_row(const struct problem *pr, const struct gauss *ga, double *row,
		    struct levels *levels)
{
	const struct groups *gr = pr->groups;
	struct sums all = { 0 };

	for (size_t u = 0; u < ga->nr; u++)
		add(&all, &ga->v[u]);
	for (size_t g = 0; g < gr->nr; g++) {
		const uint8_t *side = group_side(gr, g);
		struct sums changed = { 0 };

		for (size_t u = 0; u < ga->nr; u++) {
			const double a = side[ga->v[u].tested] ? 1 / ga->v[u].v : 0;

			changed.w += a;
			changed.s += a * ga->v[u].y;
			changed.q += a * ga->v[u].y * ga->v[u].y;
			changed.d += side[ga->v[u].tested] ? ga->v[u].log_norm : 0;
		}
		row[g] = ga->within + fit(pr, &all, &changed, &levels[g]);
	}
	row[gr->nr] = ga->within + level_log(&all);
	levels[gr->nr] = (struct levels){ all.s / all.w, 1 / all.w, 0, 0 };
}

/* Moments over the grid of one group's levels. */
static struct levels average(const struct problem *pr, const double *log_like,
			     const struct levels *levels, size_t g)
{
	const size_t cols = pr->groups->nr + 1;
	double top = -INFINITY, total = 0;
	struct levels m = { 0 };

	for (size_t h = 0; h < pr->grid->nr; h++)
		top = fmax(top, log_like[h * cols + g] + pr->grid->v[h].log_weight);
	for (size_t h = 0; h < pr->grid->nr; h++) {
		const struct levels *l = &levels[h * cols + g];
		double w = exp(log_like[h * cols + g] + pr->grid->v[h].log_weight - top);

		total += w;
		m.old += w * l->old;
		m.new += w * l->new;
		m.old_var += w * (l->old_var + l->old * l->old);
		m.new_var += w * (l->new_var + l->new * l->new);
	}
	m.old /= total;
	m.new /= total;
	m.old_var = fmax(m.old_var / total - m.old * m.old, 1e-18);
	m.new_var = fmax(m.new_var / total - m.new *m.new, 1e-18);
	return m;
}

void posterior_gauss(const struct problem *pr, struct posterior *ret)
{
	const size_t cols = pr->groups->nr + 1;
	_cleanup_free_ double *log_like = xcalloc(pr->grid->nr * cols, sizeof(*log_like));
	_cleanup_free_ struct levels *levels =
		xcalloc(pr->grid->nr * cols, sizeof(*levels));
	_cleanup_(gauss_release) struct gauss ga = { 0 };

	gauss_init(&ga, pr->data, &pr->run);
	for (size_t h = 0; h < pr->grid->nr; h++) {
		gauss_at(&ga, pr->data, &pr->grid->v[h]);
		fit_row(pr, &ga, log_like + h * cols, levels + h * cols);
	}
	posterior_release(ret);
	posterior_combine(pr, log_like, ret);
	ret->levels = xcalloc(cols, sizeof(*ret->levels));
	for (size_t g = 0; g < cols; g++) {
		struct levels m = average(pr, log_like, levels, g);

		m.old += ga.centre;
		m.new += ga.centre;
		ret->levels[g] = m;
	}
	ret->none = ret->levels[cols - 1];
}

void posterior_release(struct posterior *p)
{
	free(p->p);
	free(p->levels);
	*p = (struct posterior){ 0 };
}
