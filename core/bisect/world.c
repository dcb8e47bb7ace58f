// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/world.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/random.h"

#define RATE 20000.0
#define SLOWED_BY 0.1 /* mean of the exponential slowdown of an outlier run */
#define SUSPECTS 0.05 /* share of commits that the prior favours */
#define MOST_BRANCHES 8
#define FORK_BACK 60

/* The branches of a history in the making: tips of side branches, the main line. */
struct making {
	struct world *w;
	size_t branch[MOST_BRANCHES], nr_branches;
	size_t *main, nr_main;
	size_t nr_parents;
};

static void add_parent(struct making *m, size_t parent)
{
	m->w->parents[m->nr_parents++] = parent;
}

static void merge(struct making *m, size_t k, size_t which)
{
	add_parent(m, m->main[m->nr_main - 1]);
	add_parent(m, m->branch[which]);
	m->branch[which] = m->branch[--m->nr_branches];
	m->main[m->nr_main++] = k;
}

static void commit(struct making *m, size_t k)
{
	uint64_t *rng = &m->w->rng;
	double r = random_uniform(rng), fork = m->w->spec->dag * 1.15;

	if (m->nr_branches < MOST_BRANCHES && r < fork) {
		size_t back = random_below(rng, FORK_BACK);

		add_parent(m, m->main[back < m->nr_main ? m->nr_main - 1 - back : 0]);
		m->branch[m->nr_branches++] = k;
	} else if (m->nr_branches && r < 0.6) {
		size_t i = random_below(rng, m->nr_branches);

		add_parent(m, m->branch[i]);
		m->branch[i] = k;
	} else {
		add_parent(m, m->main[m->nr_main - 1]);
		m->main[m->nr_main++] = k;
	}
}

/* Branches fork off the main line up to FORK_BACK commits ago and are merged again. */
static void make_merges(struct world *w)
{
	const size_t n = w->spec->n;
	struct making m = { .w = w };

	w->start = xcalloc(n + 1, sizeof(*w->start));
	w->parents = xcalloc(2 * n, sizeof(*w->parents));
	m.main = xcalloc(n, sizeof(*m.main));
	m.main[m.nr_main++] = 0;
	for (size_t k = 1; k < n; k++) {
		w->start[k] = m.nr_parents;
		if (m.nr_branches &&
		    (m.nr_branches >= n - k || random_uniform(&w->rng) < w->spec->dag))
			merge(&m, k, random_below(&w->rng, m.nr_branches));
		else if (n - k <= m.nr_branches + 2)
			add_parent(&m, m.main[m.nr_main - 1]), m.main[m.nr_main++] = k;
		else
			commit(&m, k);
	}
	w->start[n] = m.nr_parents;
	free(m.main);
}

static void choose_culprits(struct world *w)
{
	const size_t n = w->spec->n;

	for (size_t k = 1; k < n && w->weight; k++)
		w->weight[k] = random_uniform(&w->rng) < SUSPECTS ? w->spec->prior : 1;
	while (w->nr_culprits < w->spec->changes) {
		size_t k = 1 + random_below(&w->rng, n - 1), tries = 0;

		while (w->weight && w->weight[k] <= 1 && tries++ < 100 * n)
			k = 1 + random_below(&w->rng, n - 1);
		if (w->nr_culprits && w->culprit[0] == k)
			continue;
		w->culprit[w->nr_culprits++] = k;
	}
}

int world_init(struct world *w, const struct sim_spec *s, uint64_t trial, struct err *e)
{
	*w = (struct world){ .spec = s };
	w->rng = s->seed * UINT64_C(0x9e3779b97f4a7c15) + trial;
	w->seed = random_u64(&w->rng);
	w->rng = w->seed;
	if (s->dag > 0)
		make_merges(w);
	if (s->prior > 1)
		w->weight = xcalloc(s->n, sizeof(*w->weight));
	choose_culprits(w);
	w->broken = xcalloc(s->n, sizeof(*w->broken));
	w->built = xcalloc(s->n, sizeof(*w->built));
	for (size_t k = 1; k + 1 < s->n; k++)
		w->broken[k] = random_uniform(&w->rng) < s->untestable;
	w->history = (struct bisect_history){ .nr = s->n,
					      .parent_start = w->start,
					      .parents = w->parents,
					      .weight = w->weight,
					      .first_parent = s->first_parent };
	w->room = xcalloc(bits_words(s->n), sizeof(*w->room));
	return graph_init(&w->graph, &w->history, e);
}

void world_release(struct world *w)
{
	graph_release(&w->graph);
	free(w->start);
	free(w->parents);
	free(w->weight);
	free(w->broken);
	free(w->built);
	free(w->room);
}

/* The build's own effect: the same each time it boots. */
static double build_effect(const struct world *w, size_t commit, unsigned int layout)
{
	uint64_t s = w->seed ^ (commit * UINT64_C(0xd1342543de82ef95) + layout);

	random_u64(&s);
	return w->spec->build_sd * random_normal(&s);
}

static bool pay_boot(struct world *w, size_t commit, unsigned int layout, size_t runs)
{
	const struct bisect_costs *c = &w->spec->o.costs;

	if (layout || !w->built[commit]) {
		w->builds++;
		w->seconds += c->build;
		w->built[commit] = w->built[commit] || !layout;
	}
	if (w->broken[commit])
		return false;
	w->boots++;
	w->runs += (unsigned int)runs;
	w->seconds += c->boot + (double)runs * c->run;
	return true;
}

bool world_boot(struct world *w, size_t commit, unsigned int layout, size_t runs,
		double *rates)
{
	const struct sim_spec *s = w->spec;
	double y = log(RATE) + build_effect(w, commit, layout);

	if (!pay_boot(w, commit, layout, runs))
		return false;
	graph_ancestors(&w->graph, commit, w->room);
	for (size_t i = 0; i < w->nr_culprits; i++)
		if (bits_has(w->room, w->culprit[i]))
			y += log1p(i ? s->effect2 : s->effect);
	y += s->boot_sd * random_normal(&w->rng);
	for (size_t i = 0; i < runs; i++) {
		double run = y + s->run_sd * random_normal(&w->rng);

		if (random_uniform(&w->rng) < s->outliers)
			run += SLOWED_BY * log(random_uniform(&w->rng));
		rates[i] = exp(run);
	}
	return true;
}

bool world_test(struct world *w, size_t commit, bool *ret_failed)
{
	double p = w->spec->flaky_old;

	if (!pay_boot(w, commit, 0, 1))
		return false;
	graph_ancestors(&w->graph, commit, w->room);
	for (size_t i = 0; i < w->nr_culprits; i++)
		if (bits_has(w->room, w->culprit[i]))
			p = w->spec->flaky;
	*ret_failed = random_uniform(&w->rng) < p;
	return true;
}

bool world_is_culprit(const struct world *w, size_t commit)
{
	for (size_t i = 0; i < w->nr_culprits; i++)
		if (w->culprit[i] == commit)
			return true;
	return false;
}
