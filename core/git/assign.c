// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/assign.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/alloc.h"

enum { NOBODY = -1 };

struct assign {
	int n;
	const int *cost;
	int *row_of, *col_of; /* the partial assignment from either side */
	int *price;	      /* of a column: the dual variable v of the paper */
	int *todo;	      /* rows without a column */
	int nr_todo;
	int *dist, *from; /* of a column: length and last row of the path to it */
	int *order;	  /* columns: [0, low) done, [low, up) at the least distance */
	bool as_git;
};

static int reduced(const struct assign *a, int col, int row)
{
	return a->cost[col + (size_t)a->n * (size_t)row] - a->price[col];
}

/* Each column asks for its cheapest row; a row asked twice keeps the first to ask. */
static void reduce_columns(struct assign *a, bool *shared)
{
	for (int col = a->n - 1; col >= 0; col--) {
		int best = 0;

		for (int row = 1; row < a->n; row++)
			if (reduced(a, col, row) < reduced(a, col, best))
				best = row;
		a->price[col] = reduced(a, col, best);
		if (a->col_of[best] == NOBODY) {
			a->col_of[best] = col;
			a->row_of[col] = best;
		} else {
			shared[best] = true;
		}
	}
}

/* A row that only one column wanted lowers the price of it to the second best. */
static void transfer(struct assign *a, const bool *shared)
{
	for (int row = 0; row < a->n; row++) {
		int own = a->col_of[row], least = INT_MAX;

		if (own == NOBODY) {
			a->todo[a->nr_todo++] = row;
			continue;
		}
		if (shared[row])
			continue;
		for (int col = 0; col < a->n; col++)
			if (col != own && reduced(a, col, row) < least)
				least = reduced(a, col, row);
		a->price[own] -= least;
	}
}

struct two_best {
	int first, second; /* columns */
	int low, next;	   /* their reduced costs */
};

static struct two_best two_best(const struct assign *a, int row)
{
	struct two_best b = { 0, NOBODY, reduced(a, 0, row), INT_MAX };

	for (int col = 1; col < a->n; col++) {
		int c = reduced(a, col, row);

		if (c >= b.next)
			continue;
		if (c > b.low) {
			b.next = c;
			b.second = col;
		} else {
			b.next = b.low;
			b.second = b.first;
			b.low = c;
			b.first = col;
		}
	}
	return b;
}

/* One pass over the rows without a column: each takes its best, maybe from another. */
static void reduce_rows(struct assign *a)
{
	int nr = a->nr_todo;

	a->nr_todo = 0;
	for (int k = 0; k < nr;) {
		int row = a->todo[k++];
		struct two_best b = two_best(a, row);
		int col = b.first, loser = a->row_of[col];
		bool better = b.low < b.next;

		if (better) {
			a->price[col] -= b.next - b.low;
		} else if (loser != NOBODY) {
			col = b.second;
			loser = a->row_of[col];
		}
		if (loser != NOBODY) {
			/* At once when the price moved, in the next pass when not. */
			if (better)
				a->todo[--k] = loser;
			else
				a->todo[a->nr_todo++] = loser;
		}
		a->col_of[row] = col;
		a->row_of[col] = row;
	}
}

struct front {
	int low, up;
	int least;
	int settled; /* columns whose price changes in the end */
	int seen;    /* the column looked at last */
};

/* Move column number k of the order to the end of the front. */
static void advance(struct assign *a, struct front *f, int k)
{
	int col = a->order[k];

	a->order[k] = a->order[f->up];
	a->order[f->up++] = col;
}

/* Gather the columns at the least distance; one of them without a row, or NOBODY. */
static int gather(struct assign *a, struct front *f)
{
	f->settled = f->low;
	f->least = a->dist[a->order[f->up++]];
	for (int k = f->up; k < a->n; k++) {
		int d = a->dist[a->order[k]];

		f->seen = a->order[k];
		if (d > f->least)
			continue;
		if (d < f->least) {
			f->up = f->low;
			f->least = d;
		}
		advance(a, f, k);
	}
	for (int k = f->low; k < f->up; k++)
		if (a->row_of[a->order[k]] == NOBODY)
			return a->as_git ? f->seen : a->order[k];
	return NOBODY;
}

/* Relax over the rows of the front; the end of a path when one shows, or NOBODY. */
static int relax(struct assign *a, struct front *f)
{
	do {
		int via = a->order[f->low++], row = a->row_of[via];
		int ahead = reduced(a, via, row) - f->least;

		for (int k = f->up; k < a->n; k++) {
			int col = a->order[k], d = reduced(a, col, row) - ahead;

			f->seen = col;
			if (d >= a->dist[col])
				continue;
			a->dist[col] = d;
			a->from[col] = row;
			if (d != f->least)
				continue;
			if (a->row_of[col] == NOBODY)
				return col;
			advance(a, f, k);
		}
	} while (f->low != f->up);
	return NOBODY;
}

/* Find the shortest path from a row to a column nobody has, and flip it. */
static void augment(struct assign *a, int start)
{
	struct front f = { .seen = NOBODY };
	int col = NOBODY, row;

	for (int k = 0; k < a->n; k++) {
		a->dist[k] = reduced(a, k, start);
		a->from[k] = start;
		a->order[k] = k;
	}
	while (col == NOBODY) {
		col = gather(a, &f);
		if (col == NOBODY)
			col = relax(a, &f);
	}
	for (int k = 0; k < f.settled; k++)
		a->price[a->order[k]] += a->dist[a->order[k]] - f.least;
	do {
		int next;

		row = a->from[col];
		next = a->col_of[row];
		a->row_of[col] = row;
		a->col_of[row] = col;
		col = next;
	} while (row != start && col != NOBODY);
}

static void solve(struct assign *a)
{
	_cleanup_free_ bool *shared = xcalloc((size_t)a->n, sizeof(*shared));
	int nr;

	reduce_columns(a, shared);
	transfer(a, shared);
	if (!a->nr_todo)
		return;
	reduce_rows(a);
	reduce_rows(a);
	nr = a->nr_todo;
	for (int i = 0; i < nr; i++)
		augment(a, a->todo[i]);
}

void assign_rows(int n, const int *cost, bool as_git, int *ret)
{
	size_t size = n > 0 ? (size_t)n : 1;
	_cleanup_free_ int *mem = xcalloc(size * 6, sizeof(*mem));
	struct assign a = { .n = n, .cost = cost, .row_of = ret, .as_git = as_git };

	a.col_of = mem;
	a.price = mem + size;
	a.todo = mem + 2 * size;
	a.dist = mem + 3 * size;
	a.from = mem + 4 * size;
	a.order = mem + 5 * size;
	for (int i = 0; i < n; i++)
		a.row_of[i] = a.col_of[i] = NOBODY;
	if (n == 1)
		ret[0] = 0;
	else if (n > 1)
		solve(&a);
}
