// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/claims.h"

#include <stdlib.h>
#include <string.h>

#include "bench/claims/matrix.h"
#include "bench/claims/prose.h"
#include "bench/claims/table.h"
#include "bench/claims/words.h"
#include "core/base/alloc.h"
#include "core/series/series.h"

enum { MAX_BEFORE = 6, MAX_AFTER = 4, MAX_NAME = 60 };

static bool is_text(const struct lines *l, size_t i)
{
	return l->v[i].kind == LINE_TEXT;
}

static bool is_blank(const struct lines *l, size_t i)
{
	return l->v[i].kind == LINE_BLANK;
}

/* The lines above a table that lead up to it: text, with one blank line between. */
static struct span lines_before(const struct lines *l, size_t from)
{
	size_t end, start;

	while (from && is_blank(l, from - 1))
		from--;
	end = start = from;
	while (start && end - start < MAX_BEFORE && is_text(l, start - 1))
		start--;
	if (start == end)
		return SPAN_NONE;
	return (struct span){ l->v[start].s.p,
			      (size_t)(l->v[end - 1].s.p + l->v[end - 1].s.n -
				       l->v[start].s.p) };
}

/* N as said right behind a table or before it. */
static unsigned int runs_around(const struct lines *l, size_t to, struct span before)
{
	unsigned int runs = 0;

	for (size_t i = to, seen = 0; i < l->nr && seen < MAX_AFTER && !runs; i++) {
		if (is_blank(l, i))
			continue;
		if (!is_text(l, i))
			break;
		runs = words_runs(l->v[i].s);
		seen++;
	}
	return runs ? runs : words_runs(before);
}

static void read_table(struct lines *l, size_t from, size_t to, bool pipes,
		       struct claims *ret)
{
	_cleanup_matrix_ struct matrix m = { 0 };
	struct around a = { .before = lines_before(l, from) };

	if (!(pipes ? matrix_of_pipes : matrix_of_columns)(l, from, to, &m))
		return;
	a.runs = runs_around(l, to, a.before);
	if (!table_claims(&m, &a, ret))
		return;
	for (size_t i = from; i < to; i++)
		l->v[i].used = true;
}

/* Whether line i may be of a table of the kind. */
static bool belongs(const struct lines *l, size_t i, bool pipes)
{
	if (l->v[i].used)
		return false;
	if (l->v[i].kind == LINE_RULE)
		return true;
	return pipes ? l->v[i].kind == LINE_ROW
		     : is_text(l, i) && matrix_is_aligned(l->v[i].s);
}

static void read_tables(struct lines *l, struct claims *ret)
{
	for (size_t i = 0; i < l->nr;) {
		size_t from = i;
		bool pipes;

		while (i < l->nr && l->v[i].kind == LINE_RULE)
			i++;
		if (i == l->nr)
			return;
		pipes = l->v[i].kind == LINE_ROW;
		if (!belongs(l, i, pipes)) {
			i++;
			continue;
		}
		while (i < l->nr && belongs(l, i, pipes))
			i++;
		read_table(l, from, i, pipes, ret);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* What the whole text says of all its measurements; N of a sentence's paragraph. */
static void add_circumstances(const struct lines *l, struct claims *c, size_t first)
{
	struct span last, all, machine;
	bool emulated;

	if (first == c->nr)
		return;
	last = l->v[l->nr - 1].s;
	all = (struct span){ l->v[0].s.p, (size_t)(last.p + last.n - l->v[0].s.p) };
	machine = words_machine(all);
	emulated = words_emulated(all);
	for (size_t i = first; i < c->nr; i++) {
		c->v[i].emulated = emulated;
		if (machine.n && !emulated)
			c->v[i].machine = span_dup(machine, MAX_NAME);
	}
}

void claims_parse(const char *text, struct claims *ret)
{
	struct lines l;
	size_t first = ret->nr;

	lines_split(text, &l);
	pair_claims(&l, ret);
	read_tables(&l, ret);
	lines_mark_changelog(&l); /* a table in it is one still */
	prose_claims(&l, ret);
	add_circumstances(&l, ret, first);
	if (ret->nr > first)
		qsort(ret->v + first, ret->nr - first, sizeof(*ret->v), by_line);
	lines_release(&l);
}

static void number(struct claims *c, size_t first, int nr)
{
	for (; first < c->nr; first++)
		c->v[first].number = nr;
}

void claims_of_series(const struct series *s, struct claims *ret)
{
	if (s->cover && s->cover->body)
		claims_parse(s->cover->body, ret);
	for (size_t i = 0; i < s->nr_patches; i++) {
		size_t first = ret->nr;

		if (s->patches[i].message)
			claims_parse(s->patches[i].message, ret);
		number(ret, first, s->patches[i].number);
	}
}

void claims_release(struct claims *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->v[i].metric);
		free(c->v[i].label);
		free(c->v[i].unit);
		free(c->v[i].machine);
	}
	free(c->v);
	*c = (struct claims)CLAIMS_INIT;
}
