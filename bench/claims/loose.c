// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/table.h"

#include <string.h>

#include "bench/claims/words.h"

enum { MAX_NAME = 60 };

static void add(const struct matrix *m, size_t row, const struct around *a,
		struct span name, const struct quantity *v[3], struct claims *ret)
{
	struct claim *c = claims_add(ret, m->shape, m->row[row].line);

	if (!c)
		return;
	c->metric = span_dup(name, MAX_NAME);
	claim_set_values(c, v[0], v[1], SPAN_NONE);
	claim_set_change(c, &v[2]->change);
	c->runs = a->runs;
	c->better = words_better(name);
	if (c->better == CLAIM_UNSAID)
		c->better = words_better(a->before);
	claim_finish(c, a->before);
}

/* "8367312  -3.2%  8102637  will-it-scale.per_process_ops" */
static bool robot_row(const struct matrix *m, size_t row, const struct around *a,
		      struct claims *ret)
{
	const struct span *cell = m->row[row].cell;
	struct quantity base, change, patched, none;

	if (m->cols < 4 || !cell[3].n || !quantity_read(cell[0], &base) ||
	    !quantity_read(cell[1], &change) || !quantity_read(cell[2], &patched) ||
	    quantity_read(cell[3], &none))
		return false;
	if (base.has_change || !change.alone || !change.change.signed_ ||
	    patched.has_change)
		return false;
	add(m, row, a, cell[3], (const struct quantity *[]){ &base, &patched, &change },
	    ret);
	return true;
}

/* The label of a row: its cells before the first value. */
static struct span name_of(const struct matrix *m, size_t row, size_t first)
{
	for (size_t k = 0; k < first; k++)
		if (m->row[row].cell[k].n)
			return m->row[row].cell[k];
	return SPAN_NONE;
}

/* "name  1234 (0.00%)  1300 (5.31%)": unsigned only where the base says 0 % as well, as
 * "(50%)" behind a number may be a share. */
static void marked_row(const struct matrix *m, size_t row, const struct around *a,
		       struct claims *ret)
{
	struct quantity base = { 0 }, q;
	size_t at = 0;
	bool zero = false;

	for (size_t k = 1; k < m->cols; k++) {
		if (!quantity_read(m->row[row].cell[k], &q) || !q.has_value || q.alone)
			continue;
		if (q.has_change && q.change.fraction == 0) {
			base = q;
			at = k;
			zero = true;
		} else if (!q.has_change) {
			base = q;
			at = k;
			zero = false;
		} else if (at && (zero || q.change.signed_) && !q.change.ratio) {
			add(m, row, a, name_of(m, row, at),
			    (const struct quantity *[]){ &base, &q, &q }, ret);
		}
	}
}

void loose_claims(const struct matrix *m, const struct around *a, struct claims *ret)
{
	for (size_t i = m->heads; i < m->nr; i++)
		if (!robot_row(m, i, a, ret))
			marked_row(m, i, a, ret);
}
