// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Evidence for two changes: level + d1 where the first culprit is an ancestor, + d2 where
 * the second is, all flat; in closed form by the normal equations. On a chain these are
 * three levels.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/gauss.h"
#include "core/bisect/log-add.h"

/* Sums over a set of units. */
struct part {
	double w, s; /* of 1/v, y/v */
};

struct pairs {
	const struct problem *pr;
	const struct gauss *ga;
	size_t words;
	uint64_t *row;	   /* [groups][words]: units with the change */
	struct part *part; /* [groups] */
	struct part all;
	double base;   /* what is the same for all: norms, squares */
	double weight; /* of all groups */
};

static uint64_t *row_of(const struct pairs *p, size_t g)
{
	return p->row + g * p->words;
}

static void pairs_at(struct pairs *p)
{
	const struct gauss *ga = p->ga;

	p->all = (struct part){ 0, 0 };
	p->base = ga->within;
	for (size_t u = 0; u < ga->nr; u++) {
		p->all.w += 1 / ga->v[u].v;
		p->all.s += ga->v[u].y / ga->v[u].v;
		p->base -= (ga->v[u].log_norm + ga->v[u].y * ga->v[u].y / ga->v[u].v) / 2;
	}
	for (size_t g = 0; g < p->pr->groups->nr; g++) {
		const uint8_t *side = group_side(p->pr->groups, g);

		p->part[g] = (struct part){ 0, 0 };
		for (size_t u = 0; u < ga->nr; u++) {
			if (!side[ga->v[u].tested])
				continue;
			bits_set(row_of(p, g), u);
			p->part[g].w += 1 / ga->v[u].v;
			p->part[g].s += ga->v[u].y / ga->v[u].v;
		}
	}
}

/* Sums over the units that have both changes. */
static struct part both(const struct pairs *p, size_t g, size_t h)
{
	const uint64_t *a = row_of(p, g), *b = row_of(p, h);
	bool in_a = true, in_b = true;
	struct part sum = { 0, 0 };

	for (size_t i = 0; i < p->words; i++) {
		in_a = in_a && !(a[i] & ~b[i]);
		in_b = in_b && !(b[i] & ~a[i]);
	}
	if (in_a || in_b)
		return p->part[in_a ? g : h];
	for (size_t u = 0; u < p->ga->nr; u++) {
		if (!bits_has(a, u) || !bits_has(b, u))
			continue;
		sum.w += 1 / p->ga->v[u].v;
		sum.s += p->ga->v[u].y / p->ga->v[u].v;
	}
	return sum;
}

/* One step, in group g, or none when its units are all or no units. */
static double one(const struct pairs *p, size_t g)
{
	const struct part *n = &p->part[g];
	double w = p->all.w - n->w, s = p->all.s - n->s;
	double log_like = p->base;

	if (n->w > 0)
		log_like += n->s * n->s / n->w / 2 + log(2 * M_PI / n->w) / 2 -
			    log(LEVEL_RANGE);
	if (w > 1e-9 * p->all.w)
		log_like += s * s / w / 2 + log(2 * M_PI / w) / 2 - log(LEVEL_RANGE);
	return log_like;
}

/* Two steps; ret_step is that of h. The first level is swept out of the equations. */
static double two(const struct pairs *p, size_t g, size_t h, double *ret_step)
{
	const struct part *a = &p->part[g], *b = &p->part[h], ab = both(p, g, h);
	const double w = p->all.w;
	double aa = a->w - a->w * a->w / w, bb = b->w - b->w * b->w / w;
	double cross = ab.w - a->w * b->w / w;
	double ya = a->s - a->w * p->all.s / w, yb = b->s - b->w * p->all.s / w;
	double det = aa * bb - cross * cross;

	*ret_step = 0;
	if (!(det > 1e-9 * aa * bb)) /* the data do not tell the two apart */
		return one(p, aa > bb ? g : h);
	*ret_step = (aa * yb - cross * ya) / det;
	return p->base + p->all.s * p->all.s / w / 2 +
	       (bb * ya * ya - 2 * cross * ya * yb + aa * yb * yb) / det / 2 +
	       1.5 * log(2 * M_PI) - log(w * det) / 2 - 3 * log(LEVEL_RANGE);
}

/* What is summed over all points of the grid. */
struct sums {
	double one, two, *second, best, step;
};

static double pair_prior(const struct pairs *p, size_t g, size_t h)
{
	const struct group *a = &p->pr->groups->v[g], *b = &p->pr->groups->v[h];

	return g == h ? (a->weight * a->weight - a->squares) / 2 : a->weight * b->weight;
}

static void add_pairs(const struct pairs *p, double log_weight, size_t first,
		      struct sums *ret)
{
	const size_t nr = p->pr->groups->nr;

	for (size_t g = 0; g < nr; g++) {
		ret->one = log_add(ret->one, one(p, g) + log_weight +
						     log(p->pr->groups->v[g].weight));
		for (size_t h = g; h < nr; h++) {
			size_t a = h == first ? h : g, b = h == first ? g : h;
			double prior = pair_prior(p, g, h), step = 0, term;

			if (!(prior > 1e-12 * p->weight))
				continue;
			term = (g == h ? one(p, g) : two(p, a, b, &step)) + log(prior) +
			       log_weight;
			ret->two = log_add(ret->two, term);
			if (a != first)
				continue;
			ret->second[b] = log_add(ret->second[b], term);
			if (g != h && term > ret->best) {
				ret->best = term;
				ret->step = step;
			}
		}
	}
}

static void normalise(double *v, size_t nr)
{
	double total = -INFINITY;

	for (size_t g = 0; g < nr; g++)
		total = log_add(total, v[g]);
	for (size_t g = 0; g < nr; g++)
		v[g] = exp(v[g] - total);
}

void posterior_two(const struct problem *pr, size_t first, struct two_changes *ret)
{
	const struct groups *gr = pr->groups;
	struct sums s = { -INFINITY, -INFINITY, NULL, -INFINITY, 0 };
	struct pairs p = { .pr = pr, .words = bits_words(pr->data->nr + 1) };
	_cleanup_(gauss_release) struct gauss ga = { 0 };
	double squares = 0;

	gauss_init(&ga, pr->data, &pr->run);
	p.ga = &ga;
	p.row = xcalloc(gr->nr * p.words, sizeof(*p.row));
	p.part = xcalloc(gr->nr, sizeof(*p.part));
	s.second = xcalloc(gr->nr, sizeof(*s.second));
	for (size_t g = 0; g < gr->nr; g++) {
		s.second[g] = -INFINITY;
		p.weight += gr->v[g].weight;
		squares += gr->v[g].squares;
	}
	for (size_t h = 0; h < pr->grid->nr; h++) {
		gauss_at(&ga, pr->data, &pr->grid->v[h]);
		pairs_at(&p);
		add_pairs(&p, pr->grid->v[h].log_weight, first, &s);
	}
	normalise(s.second, gr->nr);
	*ret = (struct two_changes){ .second = s.second, .step = s.step };
	ret->log_bf21 = s.two - log((p.weight * p.weight - squares) / 2) -
			(s.one - log(p.weight));
	if (!(p.weight * p.weight - squares > 1e-9 * p.weight))
		ret->log_bf21 = -INFINITY;
	free(p.row);
	free(p.part);
}
