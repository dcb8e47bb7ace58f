// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of commit messages, and what it rests on. */
#include "bench/report/report.h"

#include <math.h>
#include <string.h>

#include "bench/report/grid.h"
#include "core/base/alloc.h"

/* "NPT", "Shadow": how mails write them. */
static const char *paging_title(const char *word)
{
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++)
		for (const struct paging_word *w = a->paging; w && w->alias; w++)
			if (!strcmp(w->word, word))
				return w->title;
	return word;
}

static char *cell_title(const struct cell *c)
{
	return xasprintf("%s/%s", paging_title(c->l0), paging_title(c->l1));
}

/* Whole numbers for rates of thousands, four digits below. */
static char *number(const struct side *s)
{
	if (!s->boots)
		return xstrdup("n/a");
	return xasprintf(s->value >= 1000 ? "%.0f" : "%.4g", s->value);
}

static void value_row(const struct comparison *row, struct strv *cells)
{
	_cleanup_free_ char *base = number(&row->base), *patched = number(&row->patched);
	_cleanup_free_ char *change = text_percent(row->change);

	strv_addl(cells, paging_title(row->cell->l0), paging_title(row->cell->l1), base,
		  NULL);
	if (row->base.boots && row->patched.boots)
		strv_addf(cells, "%s (%s)", patched, change);
	else
		strv_add(cells, patched);
}

static void add_interval(const struct comparison *row, struct strv *cells)
{
	_cleanup_free_ char *lo = text_percent(row->ci_lo);
	_cleanup_free_ char *hi = text_percent(row->ci_hi);

	if (isfinite(row->ci_hi))
		strv_addf(cells, "[%s, %s]", lo, hi);
	else
		strv_add(cells, "unknown");
}

static void basis_row(const struct comparison *row, struct strv *cells)
{
	strv_take(cells, cell_title(row->cell));
	add_interval(row, cells);
	strv_addf(cells, "%u+%u", row->base.boots, row->patched.boots);
	strv_addf(cells, "%u+%u", row->base.runs, row->patched.runs);
	if (row->p_adj < 0.0001)
		strv_add(cells, "<0.0001");
	else
		strv_addf(cells, "%.4f", row->p_adj);
	strv_add(cells, verdict_name(row->verdict));
}

static void add_needs(const struct comparison *row, struct buf *ret)
{
	_cleanup_free_ char *cell = cell_title(row->cell);

	if (row->verdict == VERDICT_UNDECIDED && row->needs_boots)
		buf_addf(ret, "%s: about %u boots a side would decide\n", cell,
			 row->needs_boots);
}

void report_table_cells(const struct comparison *rows, size_t nr, struct strv *values,
			struct strv *basis)
{
	strv_addl(values, "L0", "L1", NULL);
	strv_addf(values, "%s (base)", rows->benchmark);
	strv_addf(values, "%s (patched)", rows->benchmark);
	strv_add(basis, "cell");
	strv_addf(basis, "%g%% interval", 100 * rows->confidence);
	strv_addl(basis, "boots", "runs", "p_adj", "verdict", NULL);
	for (size_t i = 0; i < nr; i++) {
		value_row(&rows[i], values);
		basis_row(&rows[i], basis);
	}
}

/* Rows of one benchmark. */
static void one_table(const struct comparison *rows, size_t nr, struct buf *ret)
{
	_cleanup_strv_ struct strv values = STRV_INIT, basis = STRV_INIT;

	report_table_cells(rows, nr, &values, &basis);
	grid_ruled(&values, REPORT_VALUE_COLUMNS, ret);
	buf_addc(ret, '\n');
	grid_bare(&basis, REPORT_BASIS_COLUMNS, ret);
	for (size_t i = 0; i < nr; i++)
		add_needs(&rows[i], ret);
	buf_addc(ret, '\n');
}

const char *report_clock_words(bool virtual_clock)
{
	return virtual_clock ? "path length, not time: emulated (TCG, -icount); "
			       "no statement about hardware"
			     : "time, by the host's clock (KVM)";
}

/* Known without a measurement. */
static bool is_one_kernel(const struct comparison *row)
{
	return row->verdict == VERDICT_SAME && !row->base.boots && !row->patched.boots;
}

void report_table(const struct comparison *rows, size_t nr, bool virtual_clock,
		  struct buf *ret)
{
	if (!nr)
		return;
	for (size_t i = 0; i < nr;) {
		size_t first = i;

		while (i < nr && !strcmp(rows[i].benchmark, rows[first].benchmark))
			i++;
		one_table(rows + first, i - first, ret);
	}
	if (is_one_kernel(rows)) {
		buf_adds(ret, "the same kernel: all that is loaded is equal, nothing was "
			      "booted\n");
		return;
	}
	buf_addf(ret, "%s\n", report_clock_words(virtual_clock));
}
