// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two commits with one binary behave alike, so whatever lies between them is innocent.
 * This is knowledge, not a measurement; yet the weight stays above zero, so that a
 * history of such commits alone still has a posterior.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/state.h"

#define SAME_WEIGHT 1e-9

/* The groups keep sums of their members' weights. */
static void regroup(struct bisect *b)
{
	for (size_t g = 0; g < b->groups.nr; g++)
		b->groups.v[g].weight = b->groups.v[g].squares = 0;
	for (size_t k = 1; k < b->graph.nr; k++) {
		struct group *g = &b->groups.v[b->groups.of[k]];

		g->weight += b->weight[k];
		g->squares += b->weight[k] * b->weight[k];
	}
}

int bisect_same(struct bisect *b, size_t one, size_t other, struct err *e)
{
	size_t words = bits_words(b->graph.nr);
	_cleanup_free_ uint64_t *x = xcalloc(words, sizeof(*x));
	_cleanup_free_ uint64_t *y = xcalloc(words, sizeof(*y));

	if (one >= b->graph.nr || other >= b->graph.nr)
		return err_set(e, ERR_USAGE,
			       "commits %zu and %zu are not both of the bisection", one,
			       other);
	graph_ancestors(&b->graph, one, x);
	graph_ancestors(&b->graph, other, y);
	for (size_t k = 1; k < b->graph.nr; k++)
		if (bits_has(x, k) != bits_has(y, k))
			b->weight[k] = fmin(b->weight[k], SAME_WEIGHT);
	regroup(b);
	decide(b);
	return 0;
}
