// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "bench/claims/quantity.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"

enum { MAX_HEADING = 120, MAX_HEADS = 4 };

static bool has_quantity(const struct matrix *m, size_t row)
{
	struct quantity q;

	/* a number in the first column may be a label, as in "clients" */
	for (size_t k = m->cols > 1; k < m->cols; k++)
		if (quantity_read(m->row[row].cell[k], &q))
			return true;
	return false;
}

void matrix_find_heads(struct matrix *m)
{
	size_t n = 0;

	/* a rule behind the first rows says it; numbers in them ("4 vCPUs") do not count */
	while (n < m->nr && n < MAX_HEADS && !m->row[n].rule_after)
		n++;
	if (n + 1 < m->nr && n < MAX_HEADS)
		n++;
	else
		n = 0;
	while (n < m->nr && n < MAX_HEADS && !has_quantity(m, n))
		n++;
	m->heads = n;
}

bool matrix_transpose(struct matrix *m)
{
	struct matrix_row *rows;
	size_t cols = m->nr;

	if (m->nr > MATRIX_MAX_COLS || m->heads > 1 || !m->cols)
		return false;
	rows = xcalloc(m->cols, sizeof(*rows));
	for (size_t i = 0; i < m->nr; i++) {
		for (size_t k = 0; k < m->cols; k++) {
			rows[k].cell[i] = m->row[i].cell[k];
			rows[k].line = m->row[m->nr - 1].line;
		}
	}
	free(m->row);
	m->row = rows;
	m->nr = m->cols;
	m->cols = cols;
	m->heads = 1;
	return true;
}

char *matrix_heading(const struct matrix *m, size_t col)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < m->heads; i++) {
		struct span s = span_trim(m->row[i].cell[col]);

		if (b.len && s.n)
			buf_addc(&b, ' ');
		buf_add(&b, s.p, s.n);
	}
	return span_dup((struct span){ buf_str(&b), b.len }, MAX_HEADING);
}

void matrix_release(struct matrix *m)
{
	free(m->row);
	*m = (struct matrix){ 0 };
}
