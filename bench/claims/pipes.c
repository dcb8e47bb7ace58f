// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables with pipes. A row that has fewer cells than the widest one is put in place by
 * where its pipes stand, if each stands below one of the widest row's: merged cells do.
 * Where they do not, a cell is missing, nobody knows which, and the row is a misfit.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/claims/matrix.h"
#include "bench/claims/quantity.h"
#include "core/base/alloc.h"

/* A line cut at its pipes; bounds[i] and bounds[i + 1] enclose cell i. */
struct cut {
	struct span cell[MATRIX_MAX_COLS];
	size_t bound[MATRIX_MAX_COLS + 1];
	size_t nr;
};

/* Inside the first and the last pipe, where there are such. */
static struct span inside(struct span s)
{
	s = span_trim(s);
	if (s.n && s.p[0] == '|')
		s = span_skip(s, 1);
	if (s.n && s.p[s.n - 1] == '|')
		s.n--;
	return s;
}

/* False with more cells than a table of benchmarks has. */
static bool cut_row(struct span s, struct cut *ret)
{
	struct span rest = inside(s);
	struct span all = span_trim(s);
	struct cut c = { .nr = 0 };

	for (;;) {
		const char *pipe = rest.n ? memchr(rest.p, '|', rest.n) : NULL;
		size_t n = pipe ? (size_t)(pipe - rest.p) : rest.n;

		if (c.nr == MATRIX_MAX_COLS)
			return false;
		c.bound[c.nr] = (size_t)(rest.p - all.p);
		c.cell[c.nr++] = span_trim((struct span){ rest.p, n });
		if (!pipe)
			break;
		rest = span_skip(rest, n + 1);
	}
	c.bound[c.nr] = (size_t)(rest.p + rest.n - all.p) + 1;
	*ret = c;
	return true;
}

static size_t bound_index(const struct cut *wide, size_t bound)
{
	for (size_t i = 0; i <= wide->nr; i++)
		if (wide->bound[i] == bound)
			return i;
	return SIZE_MAX;
}

/*
 * A cell over several columns is a heading of each of them, and a value of the first;
 * which of both it is shows later, so it is put into all.
 */
static bool place(const struct cut *c, const struct cut *wide, struct matrix_row *ret)
{
	if (c->nr == wide->nr) {
		memcpy(ret->cell, c->cell, c->nr * sizeof(c->cell[0]));
		return true;
	}
	for (size_t i = 0; i < c->nr; i++) {
		size_t from = bound_index(wide, c->bound[i]);
		size_t to = i + 1 == c->nr ? wide->nr
					   : bound_index(wide, c->bound[i + 1]);

		if (from == SIZE_MAX || to == SIZE_MAX || to <= from)
			return false;
		for (size_t k = from; k < to; k++)
			ret->cell[k] = c->cell[i];
	}
	return true;
}

static size_t widest(const struct lines *l, size_t from, size_t to)
{
	size_t best = SIZE_MAX, cells = 0;
	struct cut c;

	for (size_t i = from; i < to; i++) {
		if (l->v[i].kind == LINE_ROW && cut_row(l->v[i].s, &c) && c.nr > cells) {
			best = i;
			cells = c.nr;
		}
	}
	return cells > 1 ? best : SIZE_MAX;
}

static bool any_quantity(const struct cut *c)
{
	struct quantity q;

	for (size_t i = 0; i < c->nr; i++)
		if (quantity_read(c->cell[i], &q))
			return true;
	return false;
}

static void add_row(struct matrix *m, const struct cut *wide, struct span s, size_t line)
{
	struct matrix_row row = { .line = (unsigned int)line + 1 };
	struct cut c;

	if (!cut_row(s, &c))
		return;
	if (c.nr == 1 && !m->nr) {
		m->title = c.cell[0];
	} else if (place(&c, wide, &row)) {
		*array_push(m->row, m->nr) = row;
	} else if (any_quantity(&c)) {
		if (!m->misfits++)
			m->misfit_line = row.line;
	}
}

bool matrix_of_pipes(const struct lines *l, size_t from, size_t to, struct matrix *ret)
{
	size_t ref = widest(l, from, to);
	struct cut wide;

	*ret = (struct matrix){ .shape = CLAIM_TABLE, .from = from, .to = to };
	if (ref == SIZE_MAX || !cut_row(l->v[ref].s, &wide))
		return false;
	ret->cols = wide.nr;
	for (size_t i = from; i < to; i++) {
		if (l->v[i].kind == LINE_ROW)
			add_row(ret, &wide, l->v[i].s, i);
		else if (ret->nr)
			ret->row[ret->nr - 1].rule_after = true;
	}
	matrix_find_heads(ret);
	return ret->nr > ret->heads;
}
