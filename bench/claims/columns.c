// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Columns parted by two blanks or a tab. Values stand below their heading, but archives
 * eat blanks: a line with as many fields as the widest one is taken by count, one with
 * fewer by where its fields stand, and a heading that lacks just the first, above the
 * labels, by count from the right.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/claims/matrix.h"
#include "bench/claims/quantity.h"
#include "core/base/alloc.h"

struct fields {
	struct span f[MATRIX_MAX_COLS];
	size_t at[MATRIX_MAX_COLS]; /* first byte in the line */
	size_t nr;
};

/* Bytes of the gap between columns at s, 0 when there is none: not within brackets, not
 * behind "+-" or the star of "1300 *   5.3%*", and two blanks behind a full stop are the end of a sentence. */
static size_t gap(struct span line, size_t i, int depth)
{
	size_t n = 0;

	while (i + n < line.n && (line.p[i + n] == ' ' || line.p[i + n] == '\t'))
		n++;
	if (!n || depth > 0 || !i || line.p[i - 1] == ' ' || line.p[i - 1] == '\t')
		return 0;
	if (memchr(line.p + i, '\t', n))
		return n;
	if ((unsigned char)line.p[i - 1] >= 0x80 ||
	    (i >= 2 &&
	     (!strncmp(line.p + i - 2, "+-", 2) || !strncmp(line.p + i - 2, " *", 2))))
		return 0;
	return n >= (strchr(".,;!?", line.p[i - 1]) ? 3 : 2) ? n : 0;
}

static int depth_of(struct span s, size_t i, int depth)
{
	if (s.p[i] == '(' && memchr(s.p + i, ')', s.n - i))
		return depth + 1;
	return s.p[i] == ')' && depth ? depth - 1 : depth;
}

/* False with more fields than a table has. */
static bool split(struct span line, struct fields *ret)
{
	struct fields f = { .nr = 0 };
	struct span s = line;
	size_t start, n;
	int depth = 0;

	while (s.n &&
	       (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\r'))
		s.n--;
	for (start = 0; start < s.n && (s.p[start] == ' ' || s.p[start] == '\t');)
		start++;
	for (size_t i = start; i <= s.n; i++) {
		n = i < s.n ? gap(s, i, depth) : 1;
		if (i < s.n)
			depth = depth_of(s, i, depth);
		if (!n || i == start)
			continue;
		if (f.nr == MATRIX_MAX_COLS)
			return false;
		f.at[f.nr] = start;
		f.f[f.nr++] = (struct span){ s.p + start, i - start };
		start = i + n;
		i = start - 1;
	}
	*ret = f;
	return true;
}

bool matrix_is_aligned(struct span s)
{
	struct fields f;

	return split(s, &f) && f.nr > 1;
}

/* The column of wide that shares most with the field. */
static size_t column_of(const struct fields *wide, size_t at, size_t n)
{
	size_t best = SIZE_MAX, shared = 0;

	for (size_t k = 0; k < wide->nr; k++) {
		size_t lo = at > wide->at[k] ? at : wide->at[k];
		size_t end = at + n, wend = wide->at[k] + wide->f[k].n;
		size_t hi = end < wend ? end : wend;

		if (hi > lo && hi - lo > shared) {
			shared = hi - lo;
			best = k;
		}
	}
	return best;
}

static bool place(const struct fields *f, const struct fields *wide, bool heading,
		  struct matrix_row *ret)
{
	size_t shift = 0;

	if (f->nr == wide->nr || (heading && f->nr + 1 == wide->nr)) {
		shift = wide->nr - f->nr;
		for (size_t i = 0; i < f->nr; i++)
			ret->cell[i + shift] = f->f[i];
		return true;
	}
	for (size_t i = 0; i < f->nr; i++) {
		size_t k = column_of(wide, f->at[i], f->f[i].n);

		if (k == SIZE_MAX || ret->cell[k].n)
			return false;
		ret->cell[k] = f->f[i];
	}
	return true;
}

static bool any_quantity(const struct fields *f)
{
	struct quantity q;

	for (size_t i = 0; i < f->nr; i++)
		if (quantity_read(f->f[i], &q))
			return true;
	return false;
}

/* The line with most fields among those that hold numbers. */
static bool widest(const struct lines *l, size_t from, size_t to, struct fields *ret)
{
	struct fields f;

	ret->nr = 0;
	for (size_t i = from; i < to; i++)
		if (l->v[i].kind == LINE_TEXT && split(l->v[i].s, &f) && f.nr > ret->nr &&
		    any_quantity(&f))
			*ret = f;
	return ret->nr > 1;
}

static void add_row(struct matrix *m, const struct fields *wide, struct span s,
		    size_t line)
{
	struct matrix_row row = { .line = (unsigned int)line + 1 };
	struct fields f;

	if (!split(s, &f) || f.nr > wide->nr)
		return;
	if (place(&f, wide, !any_quantity(&f), &row))
		*array_push(m->row, m->nr) = row;
	else if (any_quantity(&f) && !m->misfits++)
		m->misfit_line = row.line;
}

bool matrix_of_columns(const struct lines *l, size_t from, size_t to, struct matrix *ret)
{
	struct fields wide;

	*ret = (struct matrix){ .shape = CLAIM_COLUMNS, .from = from, .to = to };
	if (!widest(l, from, to, &wide))
		return false;
	ret->cols = wide.nr;
	for (size_t i = from; i < to; i++) {
		if (l->v[i].kind == LINE_TEXT)
			add_row(ret, &wide, l->v[i].s, i);
		else if (ret->nr)
			ret->row[ret->nr - 1].rule_after = true;
	}
	matrix_find_heads(ret);
	return ret->nr > ret->heads;
}
