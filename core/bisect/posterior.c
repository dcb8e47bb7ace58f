// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/posterior.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* Sums over the first tested commits; a segment is a difference of two of them. */
struct sums {
	double w, s, q, d; /* of 1/v, y/v, y^2/v, log(2 pi v) */
};

struct work {
	const struct chain *c;
	struct sums *upto;   /* [nr_tested + 1] */
	double *gap_weight;  /* [g]: prior of the commits in (tested[g], tested[g + 1]] */
	double *gap_squares; /* [g]: sum of the squares of these priors */
	double total, squares; /* over all gaps */
	size_t nr_gaps;
};

static double weight_of(const struct chain *c, size_t commit)
{
	return c->weight ? c->weight[commit] : 1;
}

static void work_sums(struct work *w)
{
	const struct chain *c = w->c;
	double centre = 0;

	/* Rates are large and noise is small: without centring the squares would cancel.
	 */
	for (size_t i = 0; i < c->nr_tested; i++)
		centre += c->tested[i].y / (double)c->nr_tested;
	w->upto = xcalloc(c->nr_tested + 1, sizeof(*w->upto));
	for (size_t i = 0; i < c->nr_tested; i++) {
		double y = c->tested[i].y - centre, v = c->tested[i].v;

		assert(v > 0);
		w->upto[i + 1] = (struct sums){
			.w = w->upto[i].w + 1 / v,
			.s = w->upto[i].s + y / v,
			.q = w->upto[i].q + y * y / v,
			.d = w->upto[i].d + log(2 * M_PI * v),
		};
	}
}

static void work_init(struct work *w, const struct chain *c)
{
	assert(c->nr_tested >= 2);
	*w = (struct work){ .c = c, .nr_gaps = c->nr_tested - 1 };
	work_sums(w);
	w->gap_weight = xcalloc(w->nr_gaps, sizeof(*w->gap_weight));
	w->gap_squares = xcalloc(w->nr_gaps, sizeof(*w->gap_squares));
	for (size_t g = 0; g < w->nr_gaps; g++) {
		for (size_t k = c->tested[g].commit + 1; k <= c->tested[g + 1].commit;
		     k++) {
			double p = weight_of(c, k);

			w->gap_weight[g] += p;
			w->gap_squares[g] += p * p;
		}
		w->total += w->gap_weight[g];
		w->squares += w->gap_squares[g];
	}
}

static void work_release(struct work *w)
{
	free(w->upto);
	free(w->gap_weight);
	free(w->gap_squares);
}

/* Log likelihood of tested commits [from, to) on one level; 0 when there are none. */
static double segment(const struct work *w, size_t from, size_t to)
{
	const struct sums *a = &w->upto[from], *b = &w->upto[to];
	double weight = b->w - a->w, s = b->s - a->s;

	if (from == to)
		return 0;
	return -(b->d - a->d) / 2 - (b->q - a->q - s * s / weight) / 2 +
	       log(2 * M_PI / weight) / 2 - log(LEVEL_RANGE);
}

/* The level's best value, relative to the centre. */
static double level(const struct work *w, size_t from, size_t to)
{
	return (w->upto[to].s - w->upto[from].s) / (w->upto[to].w - w->upto[from].w);
}

/* Log likelihood of a change in gap g: tested[0..g] are old. */
static double one_change(const struct work *w, size_t g)
{
	return segment(w, 0, g + 1) + segment(w, g + 1, w->c->nr_tested);
}

/* Sum of exp(term) in logs. */
static double log_add(double sum, double term)
{
	double hi = fmax(sum, term), lo = fmin(sum, term);

	return isinf(lo) ? hi : hi + log1p(exp(lo - hi));
}

/* Log of the mean likelihood over one change. */
static double log_one(const struct work *w)
{
	double sum = -INFINITY;

	for (size_t g = 0; g < w->nr_gaps; g++)
		sum = log_add(sum, one_change(w, g) + log(w->gap_weight[g]));
	return sum - log(w->total);
}

double posterior(const struct chain *c, double *p)
{
	double mean, norm;
	struct work w;

	work_init(&w, c);
	mean = log_one(&w);
	norm = mean + log(w.total);
	p[0] = 0;
	for (size_t g = 0; g < w.nr_gaps; g++) {
		double each = exp(one_change(&w, g) - norm);

		for (size_t k = c->tested[g].commit + 1; k <= c->tested[g + 1].commit;
		     k++)
			p[k] = each * weight_of(c, k);
	}
	work_release(&w);
	return mean;
}

double posterior_log_bf10(const struct chain *c)
{
	struct work w;
	double bf;

	work_init(&w, c);
	bf = log_one(&w) - segment(&w, 0, c->nr_tested);
	work_release(&w);
	return bf;
}

/* The smaller step of changes in gaps g <= h; 0 when no tested commit lies between. */
static double smaller_step(const struct work *w, size_t g, size_t h)
{
	double old = level(w, 0, g + 1), mid, new = level(w, h + 1, w->c->nr_tested);

	if (g == h)
		return 0;
	mid = level(w, g + 1, h + 1);
	return fmin(fabs(mid - old), fabs(new - mid));
}

double posterior_log_bf21(const struct chain *c, double *ret_step)
{
	double sum = -INFINITY, best = -INFINITY, step = 0, pairs;
	struct work w;

	work_init(&w, c);
	pairs = (w.total * w.total - w.squares) / 2;
	for (size_t g = 0; g < w.nr_gaps; g++) {
		for (size_t h = g; h < w.nr_gaps; h++) {
			double prior = g == h ? (w.gap_weight[g] * w.gap_weight[g] -
						 w.gap_squares[g]) /
							2
					      : w.gap_weight[g] * w.gap_weight[h];
			double term = segment(&w, 0, g + 1) + segment(&w, g + 1, h + 1) +
				      segment(&w, h + 1, c->nr_tested) + log(prior);

			if (prior <= 0)
				continue;
			sum = log_add(sum, term);
			if (term > best) {
				best = term;
				step = smaller_step(&w, g, h);
			}
		}
	}
	sum = pairs > 0 ? sum - log(pairs) - log_one(&w) : -INFINITY;
	work_release(&w);
	*ret_step = step;
	return sum;
}
