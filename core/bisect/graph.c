// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static int check_parents(const struct bisect_history *h, struct err *e)
{
	for (size_t k = 0; k < h->nr; k++) {
		if (h->parent_start[k] > h->parent_start[k + 1])
			return err_set(e, ERR_USAGE, "parents of commit %zu are no list",
				       k);
		for (size_t i = h->parent_start[k]; i < h->parent_start[k + 1]; i++)
			if (h->parents[i] >= k)
				return err_set(
					e, ERR_USAGE,
					"parent %zu does not come before commit %zu",
					h->parents[i], k);
	}
	return 0;
}

int graph_init(struct graph *g, const struct bisect_history *h, struct err *e)
{
	*g = (struct graph){ .nr = h->nr };
	if (!h->parent_start)
		return 0;
	if (h->parent_start[0] != 0)
		return err_set(e, ERR_USAGE, "parents do not start at 0");
	if (check_parents(h, e) < 0)
		return -(int)e->code;
	g->start = xmemdup(h->parent_start, (h->nr + 1) * sizeof(*g->start));
	g->parents = xmemdup(h->parents, h->parent_start[h->nr] * sizeof(*g->parents));
	return 0;
}

void graph_release(struct graph *g)
{
	free(g->start);
	free(g->parents);
	*g = (struct graph){ 0 };
}

const size_t *graph_parents(const struct graph *g, size_t k, size_t *room, size_t *ret_nr)
{
	if (g->start) {
		*ret_nr = g->start[k + 1] - g->start[k];
		return g->parents + g->start[k];
	}
	*ret_nr = k > 0;
	*room = k ? k - 1 : 0;
	return room;
}

void graph_ancestors(const struct graph *g, size_t x, uint64_t *ret)
{
	memset(ret, 0, bits_words(g->nr) * sizeof(*ret));
	if (!g->start) {
		memset(ret, 0xff, x / 64 * sizeof(*ret));
		ret[x / 64] = ~UINT64_C(0) >> (63 - x % 64);
		return;
	}
	bits_set(ret, x);
	for (size_t k = x + 1; k-- > 0;) {
		if (!ret[k / 64]) {
			k -= k % 64; /* an empty word */
			continue;
		}
		if (!bits_has(ret, k))
			continue;
		for (size_t i = g->start[k]; i < g->start[k + 1]; i++)
			bits_set(ret, g->parents[i]);
	}
}

/* One branch being placed: its commits from the tip down, then up again. */
struct placing {
	const struct graph *g;
	const double *mass;
	double *f;
	bool *placed;
	double total;	/* mass placed so far */
	size_t *stack;	/* commits being placed, the next one on top */
	double *before; /* total when a commit's branches were begun */
	size_t *next_parent;
	size_t nr;
};

/* Push tip and its first parents that have no place yet. */
static void push_branch(struct placing *p, size_t tip)
{
	for (size_t k = tip; !p->placed[k];) {
		size_t room, nr;
		const size_t *parents = graph_parents(p->g, k, &room, &nr);

		p->placed[k] = true; /* on the stack: no second time */
		p->next_parent[k] = 1;
		p->before[k] = -1;
		p->stack[p->nr++] = k;
		if (!nr)
			break;
		k = parents[0];
	}
}

static void place_top(struct placing *p)
{
	size_t k = p->stack[p->nr - 1], room, nr;
	const size_t *parents = graph_parents(p->g, k, &room, &nr);

	if (p->before[k] < 0)
		p->before[k] = p->total;
	while (p->next_parent[k] < nr) {
		size_t other = parents[p->next_parent[k]++];

		if (p->placed[other])
			continue;
		push_branch(p, other);
		return;
	}
	p->nr--;
	p->f[k] = (nr ? p->f[parents[0]] : 0) + p->mass[k] + p->total - p->before[k];
	p->total += p->mass[k];
}

void graph_shares(const struct graph *g, const double *mass, double *f)
{
	struct placing p = { .g = g, .mass = mass, .f = f };

	if (!g->start) {
		for (size_t k = 0; k < g->nr; k++)
			f[k] = (k ? f[k - 1] : 0) + mass[k];
		return;
	}
	p.placed = xcalloc(g->nr, sizeof(*p.placed));
	p.stack = xcalloc(g->nr, sizeof(*p.stack));
	p.before = xcalloc(g->nr, sizeof(*p.before));
	p.next_parent = xcalloc(g->nr, sizeof(*p.next_parent));
	for (size_t tip = g->nr; tip-- > 0;) {
		push_branch(&p, tip);
		while (p.nr)
			place_top(&p);
	}
	free(p.placed);
	free(p.stack);
	free(p.before);
	free(p.next_parent);
}
