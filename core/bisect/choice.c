// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/choice.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/state.h"

/* Below this share of what a fresh and even split buys, a commit not yet built is booted
 * instead: only fresh builds average their effects out. */
#define EXPLORE 0.01
#define NEGLIGIBLE 1e-6
/* With outliers among runs a boot has enough of them for a robust location. */
#define ROBUST_RUNS 5

unsigned int runs_for(const struct bisect *b, bool fresh_build)
{
	const struct posterior *p = &b->post;
	double fixed = b->o.costs.boot + (fresh_build ? b->o.costs.build : 0), m;
	struct run_noise noise = data_run_noise(&b->data);

	if (b->o.kind == BISECT_PASS)
		return 1;
	/* The mean of tau's square is what its largest values make it, and would ask for
	 * too few runs until tau is known. */
	m = best_runs(sqrt(noise.variance),
		      sqrt(exp(2 * p->log_tau) + (fresh_build ? p->lam2 : 0)), fixed,
		      b->o.costs.run);
	/* The optimum is flat; on its upper side there are fewer boots. */
	m = fmax(ceil(m), noise.outliers ? ROBUST_RUNS : 1);
	return (unsigned int)fmin(m, b->o.max_runs);
}

bool may_boot(const struct bisect *b, size_t k)
{
	if (!testable(b, k))
		return false;
	return !b->cell || b->cell[k] == k || b->cell[k] == b->open_cell;
}

/* The share of each group that has commit x as a descendant, or is it. */
static void shares(const struct bisect *b, size_t x, double *ret)
{
	const struct groups *gr = &b->groups;
	_cleanup_free_ uint64_t *a = xcalloc(bits_words(gr->nr_commits), sizeof(*a));

	graph_ancestors(&b->graph, x, a);
	for (size_t k = 1; k < gr->nr_commits; k++)
		if (bits_has(a, k))
			ret[gr->of[k]] += gr->weight[k];
	for (size_t g = 0; g < gr->nr; g++)
		ret[g] /= gr->v[g].weight;
}

/* How far the values of a boot of x shrink to what its build has shown before. */
static double shown_before(const struct bisect *b, size_t x, unsigned int layout,
			   double *ret_mean)
{
	const struct unit *u = data_unit(&b->data, x, layout);
	struct run_noise noise = data_run_noise(&b->data);
	double w = 0, s = 0;

	if (!u || !u->nr)
		return 0;
	for (size_t k = 0; k < u->nr; k++) {
		double v = b->post.tau2 + noise.variance / u->boots[k].runs;

		w += 1 / v;
		s += boot_location(&u->boots[k], &noise) / v;
	}
	*ret_mean = s / w;
	return b->post.lam2 * w / (1 + b->post.lam2 * w);
}

static double information_of_number(const struct bisect *b, size_t x, unsigned int runs)
{
	const struct posterior *post = &b->post;
	_cleanup_free_ double *in = xcalloc(post->nr, sizeof(*in));
	_cleanup_free_ struct component *c = xcalloc(2 * post->nr + 1, sizeof(*c));
	double own = 0, rho = shown_before(b, x, 0, &own);
	double noise = exp(2 * post->log_tau) + post->run2 / runs +
		       post->lam2 * (1 - rho);
	size_t nr = 0;

	shares(b, x, in);
	for (size_t g = 0; g < post->nr; g++) {
		const struct levels *l = &post->levels[g];
		double p = post->p[g] * (1 - post->none_p);

		if (p < NEGLIGIBLE)
			continue;
		if (in[g] > 0)
			c[nr++] = (struct component){ p * in[g], l->new, l->new_var };
		if (in[g] < 1)
			c[nr++] =
				(struct component){ p * (1 - in[g]), l->old, l->old_var };
	}
	if (post->none_p > NEGLIGIBLE)
		c[nr++] = (struct component){ post->none_p, post->none.old,
					      post->none.old_var };
	for (size_t i = 0; i < nr; i++) {
		c[i].mean = (1 - rho) * c[i].mean + rho * own;
		c[i].var = (1 - rho) * (1 - rho) * c[i].var + noise;
	}
	return mixture_information(c, nr);
}

static double plog(double p)
{
	return p > 0 ? p * log(p) : 0;
}

/* Information of a test that fails with probability p under each hypothesis. */
static double information_of_test(const struct bisect *b, size_t x)
{
	const struct posterior *post = &b->post;
	_cleanup_free_ double *in = xcalloc(post->nr, sizeof(*in));
	double fails = 0, inside = 0, total = 0;

	shares(b, x, in);
	for (size_t g = 0; g < post->nr; g++) {
		const struct levels *l = &post->levels[g];
		double p = post->p[g] * (1 - post->none_p);
		double split[] = { p * in[g], p * (1 - in[g]) };
		double q[] = { l->new, l->old };

		for (int i = 0; i < 2; i++) {
			total += split[i];
			fails += split[i] * q[i];
			inside -= split[i] * (plog(q[i]) + plog(1 - q[i]));
		}
	}
	total += post->none_p;
	fails += post->none_p * post->none.old;
	inside -= post->none_p * (plog(post->none.old) + plog(1 - post->none.old));
	fails /= total;
	return fmax(-plog(fails) - plog(1 - fails) - inside / total, 0);
}

static double seconds(const struct bisect *b, bool fresh, unsigned int runs)
{
	return (fresh ? b->o.costs.build : 0) + b->o.costs.boot + runs * b->o.costs.run;
}

/* Nats a second. */
static double rate(const struct bisect *b, size_t x, unsigned int *ret_runs)
{
	bool fresh = !(b->flags[x] & COMMIT_BUILT);
	double nats;

	*ret_runs = runs_for(b, fresh);
	nats = b->o.kind == BISECT_PASS ? information_of_test(b, x)
					: information_of_number(b, x, *ret_runs);
	return nats / seconds(b, fresh, *ret_runs);
}

static size_t likeliest(const struct bisect *b)
{
	size_t best = bad_end(b);

	for (size_t k = 1; k < b->graph.nr; k++)
		if (b->p[k] > b->p[best])
			best = k;
	return best;
}

/* What a fresh build that splits evenly would buy a second. */
static double even_rate(const struct bisect *b)
{
	const struct posterior *post = &b->post;
	const struct levels *l = &post->levels[b->groups.of[likeliest(b)]];
	unsigned int runs = runs_for(b, true);
	double var = post->tau2 + post->run2 / runs + post->lam2;
	struct component c[] = { { .5, l->old, l->old_var + var },
				 { .5, l->new, l->new_var + var } };

	return mixture_information(c, 2) / seconds(b, true, runs);
}

/* The bootable, untested commit nearest in share to the likeliest one. */
static size_t beside(const struct bisect *b)
{
	double at = b->f[likeliest(b)], nearest = INFINITY;
	size_t best = b->graph.nr;

	for (size_t k = 1; k < b->graph.nr; k++) {
		double d = fabs(b->f[k] - at);

		if (d < nearest && !tested(b, k) && may_boot(b, k)) {
			nearest = d;
			best = k;
		}
	}
	return best;
}

void choose(const struct bisect *b, struct bisect_move *ret)
{
	size_t list[MAX_CANDIDATES + 1], nr = candidates(b, list);
	bool split = b->split < b->graph.nr;
	double best = -1;

	*ret = (struct bisect_move){ BISECT_MOVE_COMMIT, bad_end(b), 1, 0 };
	if (split)
		list[nr++] = b->split;
	for (size_t i = 0; i < nr; i++) {
		unsigned int runs;
		double r;

		/* Where a commit must be told from others, more boots of those that are
		 * tested cannot do it. */
		if (split && tested(b, list[i]))
			continue;
		r = rate(b, list[i], &runs);
		if (r <= best)
			continue;
		best = r;
		ret->commit = list[i];
		ret->runs = runs;
	}
	if (!split && b->o.kind == BISECT_NUMBER && best < EXPLORE * even_rate(b)) {
		size_t k = beside(b);

		if (k < b->graph.nr) {
			ret->commit = k;
			ret->runs = runs_for(b, !(b->flags[k] & COMMIT_BUILT));
		}
	}
}
