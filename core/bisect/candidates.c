// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/state.h"

#define MOST_TESTED 6

struct list {
	const struct bisect *b;
	size_t *v, nr;
};

static void add(struct list *l, size_t k)
{
	if (k >= l->b->graph.nr || l->nr == MAX_CANDIDATES || !may_boot(l->b, k))
		return;
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == k)
			return;
	l->v[l->nr++] = k;
}

/* The bootable commits on both sides of share q: the nearest ones at or above, and
 * below. An untestable one is passed over for its neighbour. */
static void add_quantile(struct list *l, double q)
{
	const struct bisect *b = l->b;
	size_t above = b->graph.nr, below = b->graph.nr;

	for (size_t k = 0; k < b->graph.nr; k++) {
		if (!may_boot(b, k))
			continue;
		if (b->f[k] >= q) {
			if (above == b->graph.nr || b->f[k] < b->f[above])
				above = k;
		} else if (below == b->graph.nr || b->f[k] > b->f[below]) {
			below = k;
		}
	}
	add(l, above);
	add(l, below);
}

/* The likeliest commit with its parents and children. */
static void add_likeliest(struct list *l)
{
	const struct bisect *b = l->b;
	size_t best = bad_end(b), room, nr;
	const size_t *parents;

	for (size_t k = 1; k < b->graph.nr; k++)
		if (b->p[k] > b->p[best])
			best = k;
	add(l, best);
	parents = graph_parents(&b->graph, best, &room, &nr);
	for (size_t i = 0; i < nr && i < 3; i++)
		add(l, parents[i]);
	for (size_t k = best + 1; k < b->graph.nr && k < best + 64; k++) {
		parents = graph_parents(&b->graph, k, &room, &nr);
		for (size_t i = 0; i < nr; i++)
			if (parents[i] == best)
				add(l, k);
	}
}

struct near {
	size_t commit;
	double distance;
};

static int by_distance(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	if (x->distance != y->distance)
		return (x->distance > y->distance) - (x->distance < y->distance);
	return (x->commit > y->commit) - (x->commit < y->commit);
}

/* The kernels at hand that split the suspicion best: they cost no build. */
static void add_built(struct list *l)
{
	const struct bisect *b = l->b;
	struct near best[MOST_TESTED + 1];
	size_t nr = 0;

	for (size_t k = 1; k < bad_end(b); k++) {
		if (!(b->flags[k] & COMMIT_BUILT) || !testable(b, k))
			continue;
		best[nr++] = (struct near){ k, fabs(b->f[k] - .5) };
		qsort(best, nr, sizeof(*best), by_distance);
		if (nr > MOST_TESTED)
			nr = MOST_TESTED;
	}
	for (size_t i = 0; i < nr; i++)
		add(l, best[i].commit);
}

size_t candidates(const struct bisect *b, size_t *ret)
{
	static const double quantiles[] = { .5, .35, .65, .2, .8 };
	struct list l = { .b = b, .v = ret };

	add(&l, 0);
	add(&l, bad_end(b));
	add_built(&l);
	add_likeliest(&l);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++)
		add_quantile(&l, quantiles[i]);
	return l.nr;
}

/* How many members of group g are among the ancestors of x, or are x. */
static size_t members_before(const struct bisect *b, size_t g, size_t x, uint64_t *room)
{
	size_t n = 0;

	graph_ancestors(&b->graph, x, room);
	for (size_t k = b->groups.v[g].first; k <= x; k++)
		n += b->groups.of[k] == g && bits_has(room, k);
	return n;
}

/* Most commits of a group that are tried for how they split it. */
#define TRIED 48

static bool near_group(const struct bisect *b, size_t g, size_t k)
{
	size_t room, nr;
	const size_t *parents = graph_parents(&b->graph, k, &room, &nr);

	if (b->groups.of[k] == g)
		return true;
	for (size_t i = 0; i < nr; i++)
		if (parents[i] && b->groups.of[parents[i]] == g)
			return true;
	return false;
}

size_t splitter(const struct bisect *b, size_t g)
{
	const struct group *gr = &b->groups.v[g];
	size_t best = b->graph.nr, best_off = gr->nr, possible = 0, seen = 0;
	uint64_t *room;

	if (gr->nr < 2)
		return best;
	for (size_t k = gr->first; k < b->graph.nr; k++)
		possible += !tested(b, k) && may_boot(b, k) && near_group(b, g, k);
	room = xcalloc(bits_words(b->graph.nr), sizeof(*room));
	for (size_t k = gr->first; k < b->graph.nr && possible; k++) {
		size_t in, off;

		if (tested(b, k) || !may_boot(b, k) || !near_group(b, g, k))
			continue;
		/* evenly spread over those possible, when there are many */
		if (seen++ % ((possible + TRIED - 1) / TRIED))
			continue;
		in = members_before(b, g, k, room);
		off = 2 * in > gr->nr ? 2 * in - gr->nr : gr->nr - 2 * in;
		if (in > 0 && in < gr->nr && off < best_off) {
			best_off = off;
			best = k;
		}
	}
	free(room);
	return best;
}
