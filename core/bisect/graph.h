// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/bisect only: ancestry. Parents have smaller numbers than their children,
 * so one downward scan finds all ancestors: no matrix is kept, and a history of 100,000
 * commits costs a fraction of a millisecond a question.
 */
#include <stdint.h>

#include "core/bisect/bisect.h"

struct graph {
	size_t nr;
	size_t *start, *parents; /* NULL: a chain */
};

/* A set of commits. */
static inline size_t bits_words(size_t nr)
{
	return (nr + 63) / 64;
}

static inline bool bits_has(const uint64_t *b, size_t k)
{
	return b[k / 64] >> (k % 64) & 1;
}

static inline void bits_set(uint64_t *b, size_t k)
{
	b[k / 64] |= UINT64_C(1) << (k % 64);
}

_must_check_ int graph_init(struct graph *g, const struct bisect_history *h,
			    struct err *e);
void graph_release(struct graph *g);

/* Parents of k, NULL and 0 for a root; of a chain too. */
const size_t *graph_parents(const struct graph *g, size_t k, size_t *room,
			    size_t *ret_nr);

/* Fill ret[bits_words(nr)] with x and its ancestors. */
void graph_ancestors(const struct graph *g, size_t x, uint64_t *ret);

/*
 * Fill f[nr] with the share of mass among each commit's ancestors and itself. Commits are
 * placed once, below the merge that brings them in: exact where a branch forks off what
 * was there before it, and a good guess elsewhere. Used to propose, never to judge.
 */
void graph_shares(const struct graph *g, const double *mass, double *f);
