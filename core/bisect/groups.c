// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static void add_member(struct group *v, size_t k, double w)
{
	if (!v->nr++)
		v->first = k;
	v->weight += w;
	v->squares += w * w;
}

void groups_init(struct groups *g, size_t nr_commits, const double *weight)
{
	*g = (struct groups){ .nr_commits = nr_commits, .weight = weight, .nr = 1 };
	g->of = xcalloc(nr_commits, sizeof(*g->of));
	g->v = xcalloc(1, sizeof(*g->v));
	for (size_t k = 1; k < nr_commits; k++)
		add_member(&g->v[0], k, weight[k]);
}

void groups_release(struct groups *g)
{
	free(g->of);
	free(g->v);
	free(g->side);
	*g = (struct groups){ 0 };
}

/* Numbers of the halves of each group, in the order of their least members: the same
 * whatever the order of the tests. */
struct halves {
	uint32_t out, in; /* + 1; 0: none yet */
};

void groups_split(struct groups *g, const uint64_t *ancestors)
{
	struct halves *h = xcalloc(g->nr, sizeof(*h));
	struct group *v = xcalloc(2 * g->nr, sizeof(*v));
	uint32_t *from = xcalloc(2 * g->nr, sizeof(*from));
	uint8_t *side;
	size_t nr = 0;

	for (size_t k = 1; k < g->nr_commits; k++) {
		bool in = bits_has(ancestors, k);
		uint32_t *half = in ? &h[g->of[k]].in : &h[g->of[k]].out;

		if (!*half) {
			from[nr] = g->of[k] * 2 + in;
			*half = (uint32_t)++nr;
		}
		g->of[k] = *half - 1;
		add_member(&v[g->of[k]], k, g->weight[k]);
	}
	side = xcalloc(nr, g->nr_tested + 1);
	for (size_t i = 0; i < nr; i++) {
		uint8_t *row = side + i * (g->nr_tested + 1);

		if (g->nr_tested)
			memcpy(row, group_side(g, from[i] / 2), g->nr_tested);
		row[g->nr_tested] = from[i] & 1;
	}
	free(h);
	free(from);
	free(g->v);
	free(g->side);
	g->v = v;
	g->side = side;
	g->nr = nr;
	g->nr_tested++;
}
