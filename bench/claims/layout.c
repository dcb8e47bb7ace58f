// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/claims/quantity.h"
#include "core/base/alloc.h"

static bool numeric(const struct matrix *m, size_t col)
{
	struct quantity q;

	for (size_t i = m->heads; i < m->nr; i++)
		if (quantity_read(m->row[i].cell[col], &q))
			return true;
	return false;
}

static struct span whole(const char *s)
{
	return (struct span){ s, strlen(s) };
}

static void fill_column(const struct matrix *m, size_t k, struct column_info *ret)
{
	ret->heading = matrix_heading(m, k);
	ret->numeric = numeric(m, k);
	ret->role = words_role(whole(ret->heading));
	ret->metric = words_metric(whole(ret->heading), &ret->unit);
}

static size_t count(const struct layout *l, enum role role)
{
	size_t n = 0;

	for (size_t k = 0; k < l->nr_cols; k++)
		n += l->col[k].role == role && l->col[k].numeric;
	return n;
}

/* The nearest numeric column without a role left of col; SIZE_MAX: none. */
static size_t unnamed_left(const struct layout *l, size_t col)
{
	while (col-- > 0)
		if (l->col[col].role == ROLE_NONE && l->col[col].numeric)
			return col;
	return SIZE_MAX;
}

/*
 * Sides that the headings do not call base and patched: versions, names of branches. A
 * single known side makes the others the other side; a column of changes makes the two
 * columns left of it the sides.
 */
static void guess_sides(struct layout *l)
{
	size_t base = count(l, ROLE_BASE), patched = count(l, ROLE_PATCHED), k, j;

	if (base && !patched) {
		for (k = 1; k < l->nr_cols; k++)
			if (l->col[k].role == ROLE_NONE && l->col[k].numeric &&
			    *l->col[k].heading)
				l->col[k].role = ROLE_PATCHED;
	} else if (patched && !base) {
		for (k = 0; k < l->nr_cols && l->col[k].role != ROLE_PATCHED; k++)
			;
		j = unnamed_left(l, k);
		if (j != SIZE_MAX && j > 0)
			l->col[j].role = ROLE_BASE;
	} else if (!base && !patched) {
		for (k = 0; k < l->nr_cols && l->col[k].role != ROLE_CHANGE; k++)
			;
		j = k < l->nr_cols ? unnamed_left(l, k) : SIZE_MAX;
		k = j != SIZE_MAX ? unnamed_left(l, j) : SIZE_MAX;
		if (k != SIZE_MAX && k > 0) {
			l->col[j].role = ROLE_PATCHED;
			l->col[k].role = ROLE_BASE;
		}
	}
}

/* The base column for a patched one: of the same metric if there is one, else the
 * nearest to the left, else the nearest to the right. */
static size_t base_for(const struct layout *l, size_t col)
{
	size_t left = SIZE_MAX, right = SIZE_MAX, same = SIZE_MAX;

	for (size_t k = 0; k < l->nr_cols; k++) {
		if (l->col[k].role != ROLE_BASE)
			continue;
		if (*l->col[col].metric &&
		    !strcasecmp(l->col[k].metric, l->col[col].metric))
			same = k;
		if (k < col)
			left = k;
		else if (right == SIZE_MAX)
			right = k;
	}
	if (same != SIZE_MAX)
		return same;
	return left != SIZE_MAX ? left : right;
}

/* The column of changes that belongs to a patched one: the next to the right before
 * another side, or the only one there is. */
static size_t change_for(const struct layout *l, size_t col)
{
	size_t only = SIZE_MAX;

	for (size_t k = col + 1; k < l->nr_cols; k++) {
		if (l->col[k].role == ROLE_CHANGE)
			return k;
		if (l->col[k].role == ROLE_PATCHED || l->col[k].role == ROLE_BASE)
			break;
	}
	if (count(l, ROLE_CHANGE) != 1 || count(l, ROLE_PATCHED) != 1)
		return SIZE_MAX;
	for (size_t k = 0; k < l->nr_cols; k++)
		if (l->col[k].role == ROLE_CHANGE)
			only = k;
	return only;
}

/* Headings of both sides name one metric, or one of them alone does. Two names are the
 * sides' own. */
static char *metric_of(const struct layout *l, const struct pair *p)
{
	const char *b = p->base == SIZE_MAX ? "" : l->col[p->base].metric;
	const char *a = p->patched == SIZE_MAX ? "" : l->col[p->patched].metric;

	if (!strcasecmp(a, b))
		return xstrdup(a);
	return xstrdup(!*a ? b : !*b ? a : "");
}

static void add_pair(struct layout *l, size_t base, size_t patched, size_t change)
{
	struct pair *p = &l->pair[l->nr_pairs++];

	*p = (struct pair){ .base = base, .patched = patched, .change = change };
	p->metric = metric_of(l, p);
}

void layout_of(const struct matrix *m, struct layout *ret)
{
	*ret = (struct layout){ .nr_cols = m->cols };
	for (size_t k = 0; k < m->cols; k++)
		fill_column(m, k, &ret->col[k]);
	guess_sides(ret);
	for (size_t k = 0; k < m->cols; k++) {
		size_t base = base_for(ret, k);

		if (ret->col[k].role == ROLE_PATCHED && ret->col[k].numeric &&
		    base != SIZE_MAX)
			add_pair(ret, base, k, change_for(ret, k));
	}
	if (ret->nr_pairs || count(ret, ROLE_BASE) || count(ret, ROLE_PATCHED))
		return;
	/* changes alone, without the values they are made of */
	for (size_t k = 1; k < m->cols; k++)
		if (ret->col[k].role == ROLE_CHANGE && ret->col[k].numeric)
			add_pair(ret, SIZE_MAX, SIZE_MAX, k);
}

bool layout_is_turned(const struct matrix *m, const struct layout *l)
{
	bool base = false, patched = false;

	for (size_t k = 0; k < l->nr_cols; k++)
		if (l->col[k].role == ROLE_BASE || l->col[k].role == ROLE_PATCHED)
			return false;
	for (size_t i = m->heads; i < m->nr; i++) {
		enum role r = words_role(m->row[i].cell[0]);

		base |= r == ROLE_BASE;
		patched |= r == ROLE_PATCHED;
	}
	return base && patched;
}

void layout_release(struct layout *l)
{
	for (size_t k = 0; k < l->nr_cols; k++) {
		free(l->col[k].heading);
		free(l->col[k].metric);
	}
	for (size_t i = 0; i < l->nr_pairs; i++)
		free(l->pair[i].metric);
	*l = (struct layout){ 0 };
}
