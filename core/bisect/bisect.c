// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/bisect/state.h"

/* No prior rules a commit out: a wrong one costs boots, not the answer. */
#define LEAST_WEIGHT 1e-3
#define USUAL_RUN_SD 0.02
#define TAILS_DOUBT 4

struct bisect_opts bisect_defaults(void)
{
	return (struct bisect_opts){
		.min_effect = 0.002,
		.min_sd = 0.0015,
		.build_sd = -1,
		.confidence = 0.99,
		.end_boots = 2,
		.end_runs = 5,
		.max_runs = 20,
		.max_boots = 300,
		.costs = { .build = 300, .boot = 120, .run = 30 },
	};
}

static bool fraction(double x)
{
	return x > 0 && x < 1;
}

static int check_costs(const struct bisect_costs *c, struct err *e)
{
	if (c->build >= 0 && c->boot > 0 && c->run > 0 && isfinite(c->build) &&
	    isfinite(c->boot) && isfinite(c->run))
		return 0;
	return err_set(e, ERR_USAGE, "costs of %g, %g and %g s are no costs", c->build,
		       c->boot, c->run);
}

static int check_opts(const struct bisect_opts *o, struct err *e)
{
	if (!fraction(o->min_effect) || !fraction(o->min_sd))
		return err_set(
			e, ERR_USAGE,
			"smallest effect and repeatability must lie between 0 and 1");
	if (!(o->build_sd < 1))
		return err_set(e, ERR_USAGE, "layout sd %g is not below 1", o->build_sd);
	if (!(o->confidence > 0.5 && o->confidence < 1))
		return err_set(e, ERR_USAGE, "confidence %g is not between 0.5 and 1",
			       o->confidence);
	if (!o->end_boots || !o->end_runs || !o->max_runs)
		return err_set(e, ERR_USAGE, "at least one boot and one run are needed");
	if (!(o->max_seconds >= 0))
		return err_set(e, ERR_USAGE, "a budget of %g s is none", o->max_seconds);
	if (o->kind != BISECT_NUMBER && o->kind != BISECT_PASS)
		return err_set(e, ERR_USAGE, "no such kind of bisection: %d",
			       (int)o->kind);
	return check_costs(&o->costs, e);
}

static int check_weights(const struct bisect_history *h, struct err *e)
{
	for (size_t k = 1; h->weight && k < h->nr; k++)
		if (!(h->weight[k] >= 0) || !isfinite(h->weight[k]))
			return err_set(e, ERR_USAGE, "weight %g of commit %zu is none",
				       h->weight[k], k);
	return 0;
}

/* Which first parent of the bad end brings each commit in. */
static void find_cells(struct bisect *b)
{
	_cleanup_free_ uint64_t *a = xcalloc(bits_words(b->graph.nr), sizeof(*a));
	size_t at = bad_end(b), room, nr;

	b->cell = xcalloc(b->graph.nr, sizeof(*b->cell));
	for (;;) {
		const size_t *parents;

		graph_ancestors(&b->graph, at, a);
		for (size_t k = 0; k <= at; k++)
			if (bits_has(a, k))
				b->cell[k] = at;
		parents = graph_parents(&b->graph, at, &room, &nr);
		if (!nr)
			return;
		at = parents[0];
	}
}

static void set_up(struct bisect *b, const struct bisect_history *h)
{
	b->weight = xcalloc(h->nr, sizeof(*b->weight));
	for (size_t k = 1; k < h->nr; k++)
		b->weight[k] = fmax(h->weight ? h->weight[k] : 1, LEAST_WEIGHT);
	groups_init(&b->groups, h->nr, b->weight);
	b->flags = xcalloc(h->nr, sizeof(*b->flags));
	b->stage = xcalloc(h->nr, sizeof(*b->stage));
	b->p = xcalloc(h->nr, sizeof(*b->p));
	b->f = xcalloc(h->nr, sizeof(*b->f));
	b->set = xcalloc(h->nr, sizeof(*b->set));
	b->open_cell = h->nr;
	if (h->first_parent && h->parent_start)
		find_cells(b);
	/* A target whose builds are known to be alike was measured: its runs are no worse
	 * than its boots. */
	b->data.run_sd = b->o.build_sd < 0 ? USUAL_RUN_SD
					   : fmin(2 * b->o.min_sd, USUAL_RUN_SD);
	noise_grid_init(&b->grid, b->o.min_sd, b->o.build_sd);
	if (b->o.kind == BISECT_PASS)
		b->grid = (struct noise_grid){ .nr = 1 };
}

/* The group that is about to be named; groups.nr: none. */
static size_t about_to_name(const struct bisect *b)
{
	for (size_t g = 0; g < b->post.nr; g++)
		if (group_is_sure(b, g) && splitter(b, g) == b->graph.nr)
			return g;
	return b->groups.nr;
}

/*
 * Gaussian boots decide where to look, for that is quick; before anything is named it has
 * to hold with outliers among them too. Boots that are Gaussian after all leave more doubt
 * under t5, so that so many times the doubt is allowed there; with more than that, t5 is
 * what is believed.
 */
static void doubt(struct bisect *b, const struct problem *pr)
{
	size_t g = about_to_name(b);
	struct posterior tails = { 0 };

	if (g == b->groups.nr || !posterior_tails(pr, &tails))
		return;
	if (1 - tails.p[g] > TAILS_DOUBT * (1 - b->o.confidence)) {
		tails.levels = take_ptr(b->post.levels);
		tails.none = b->post.none;
		posterior_release(&b->post);
		b->post = tails;
		return;
	}
	posterior_release(&tails);
}

static void update_posterior(struct bisect *b)
{
	struct problem pr = { .data = &b->data,
			      .groups = &b->groups,
			      .grid = &b->grid,
			      .run = data_run_noise(&b->data),
			      .change = { b->o.direction, log1p(b->o.min_effect) } };

	if (b->o.kind == BISECT_PASS) {
		posterior_predicate(&pr, &b->post);
	} else {
		posterior_gauss(&pr, &b->post);
		if (!b->o.gaussian)
			doubt(b, &pr);
	}
	for (size_t k = 1; k < b->graph.nr; k++) {
		size_t g = b->groups.of[k];

		b->p[k] = b->post.p[g] * (b->weight[k] / b->groups.v[g].weight);
	}
	graph_shares(&b->graph, b->p, b->f);
}

void decide(struct bisect *b)
{
	if (b->groups.nr_tested) {
		update_posterior(b);
	} else {
		double sum = b->groups.v[0].weight;

		for (size_t k = 1; k < b->graph.nr; k++)
			b->p[k] = b->weight[k] / sum;
		b->post.none_p = 0.5;
	}
	b->res = (struct bisect_result){ .verdict = BISECT_RUNNING, .set = b->set };
	b->move = (struct bisect_move){ .kind = BISECT_MOVE_DONE };
	b->split = b->graph.nr;
	if (judge(b))
		choose(b, &b->move);
}

int bisect_new(const struct bisect_history *h, const struct bisect_opts *o,
	       struct bisect **ret, struct err *e)
{
	_cleanup_bisect_ struct bisect *b = NULL;

	if (h->nr < 2)
		return err_set(e, ERR_USAGE, "nothing to bisect between the two ends");
	if (h->nr > UINT32_MAX / 4)
		return err_set(e, ERR_TOO_BIG, "%zu commits are too many to bisect",
			       h->nr);
	if (check_opts(o, e) < 0 || check_weights(h, e) < 0)
		return -(int)e->code;
	b = xzalloc(sizeof(*b));
	b->o = *o;
	if (graph_init(&b->graph, h, e) < 0)
		return -(int)e->code;
	set_up(b, h);
	decide(b);
	*ret = take_ptr(b);
	return 0;
}

static int check_commit(const struct bisect *b, size_t commit, struct err *e)
{
	if (commit < b->graph.nr)
		return 0;
	return err_set(e, ERR_USAGE, "commit %zu is outside of the bisection", commit);
}

/* The unit of commit and layout; a commit seen for the first time splits the groups. */
static struct unit *unit_for(struct bisect *b, size_t commit, unsigned int layout)
{
	bool fresh = !data_unit(&b->data, commit, layout) &&
		     (layout || !(b->flags[commit] & COMMIT_BUILT));
	struct unit *u = data_add_unit(&b->data, commit, layout);
	size_t i = 0;

	if (fresh) {
		b->builds++;
		b->seconds += b->o.costs.build;
	}
	if (!layout)
		b->flags[commit] |= COMMIT_BUILT;
	if (!(b->flags[commit] & COMMIT_TESTED)) {
		_cleanup_free_ uint64_t *a = xcalloc(bits_words(b->graph.nr), sizeof(*a));

		graph_ancestors(&b->graph, commit, a);
		*array_push(b->tested, b->nr_tested) = commit;
		groups_split(&b->groups, a);
		b->flags[commit] |= COMMIT_TESTED;
		b->flags[commit] &= (unsigned char)~COMMIT_UNTESTABLE;
	}
	while (b->tested[i] != commit)
		i++;
	u->tested = i;
	return u;
}

int bisect_observe(struct bisect *b, const struct bisect_boot *boot, struct err *e)
{
	if (check_commit(b, boot->commit, e) < 0)
		return -(int)e->code;
	if (b->o.kind != BISECT_NUMBER)
		return err_set(e, ERR_USAGE,
			       "this bisection is of a predicate, not of a number");
	if (!boot->nr_runs || boot->nr_runs > 10000)
		return err_set(e, ERR_USAGE, "a boot with %zu runs is no measurement",
			       boot->nr_runs);
	for (size_t i = 0; i < boot->nr_runs; i++)
		if (!(boot->runs[i] > 0) || isinf(boot->runs[i]))
			return err_set(e, ERR_USAGE, "a rate of %g is no measurement",
				       boot->runs[i]);
	data_add_boot(&b->data, unit_for(b, boot->commit, boot->layout), boot->runs,
		      boot->nr_runs);
	b->seconds += b->o.costs.boot + (double)boot->nr_runs * b->o.costs.run;
	decide(b);
	return 0;
}

int bisect_observe_pass(struct bisect *b, size_t commit, unsigned int passed,
			unsigned int failed, struct err *e)
{
	struct unit *u;

	if (check_commit(b, commit, e) < 0)
		return -(int)e->code;
	if (b->o.kind != BISECT_PASS)
		return err_set(e, ERR_USAGE,
			       "this bisection is of a number, not of a predicate");
	if ((!passed && !failed) || passed > 1000000 || failed > 1000000)
		return err_set(e, ERR_USAGE, "%u passes and %u failures are no test",
			       passed, failed);
	u = unit_for(b, commit, 0);
	u->passed += passed;
	u->failed += failed;
	b->data.boots++;
	b->data.runs += passed + failed;
	b->seconds += b->o.costs.boot + (passed + failed) * b->o.costs.run;
	decide(b);
	return 0;
}

int bisect_untestable(struct bisect *b, size_t commit, enum bisect_stage stage,
		      struct err *e)
{
	if (check_commit(b, commit, e) < 0)
		return -(int)e->code;
	if (stage > BISECT_AT_TIMEOUT)
		return err_set(e, ERR_USAGE, "no such stage: %d", (int)stage);
	/* What was measured of it before still counts. */
	if (b->flags[commit] & (COMMIT_TESTED | COMMIT_UNTESTABLE))
		return 0;
	b->seconds += b->flags[commit] & COMMIT_BUILT ? 0 : b->o.costs.build;
	b->builds += !(b->flags[commit] & COMMIT_BUILT);
	if (stage != BISECT_AT_BUILD)
		b->seconds += b->o.costs.boot;
	b->flags[commit] |= COMMIT_UNTESTABLE;
	b->stage[commit] = (unsigned char)stage;
	decide(b);
	return 0;
}

int bisect_built(struct bisect *b, size_t commit, struct err *e)
{
	if (check_commit(b, commit, e) < 0)
		return -(int)e->code;
	if (b->flags[commit] & COMMIT_BUILT)
		return 0;
	b->flags[commit] |= COMMIT_BUILT;
	decide(b);
	return 0;
}

int bisect_set_costs(struct bisect *b, const struct bisect_costs *c, struct err *e)
{
	if (check_costs(c, e) < 0)
		return -(int)e->code;
	b->o.costs = *c;
	decide(b);
	return 0;
}

void bisect_next(const struct bisect *b, struct bisect_move *ret)
{
	*ret = b->move;
}

double bisect_posterior(const struct bisect *b, size_t commit)
{
	return commit < b->graph.nr ? b->p[commit] * (1 - b->post.none_p) : 0;
}

double bisect_no_change(const struct bisect *b)
{
	return b->post.none_p;
}

void bisect_free(struct bisect *b)
{
	if (!b)
		return;
	graph_release(&b->graph);
	data_release(&b->data);
	groups_release(&b->groups);
	posterior_release(&b->post);
	free(b->weight);
	free(b->cell);
	free(b->tested);
	free(b->flags);
	free(b->stage);
	free(b->p);
	free(b->f);
	free(b->set);
	free(b);
}
