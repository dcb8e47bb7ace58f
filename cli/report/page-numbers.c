// SPDX-License-Identifier: GPL-3.0-or-later
/* What was measured: tables and plots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/report.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"

#define MAX_PLOTS 12

/* Rows of one benchmark. */
static void benchmark_rows(const struct comparison *rows, size_t nr, struct page *page)
{
	_cleanup_strv_ struct strv values = STRV_INIT, basis = STRV_INIT;
	struct strv *cells;

	report_table_cells(rows, nr, &values, &basis);
	cells = page_table_ruled(page, "llll");
	for (size_t i = 0; i < values.nr; i++)
		strv_add(cells, values.v[i]);
	cells = page_table(page, "llllll");
	for (size_t i = 0; i < basis.nr; i++)
		strv_add(cells, basis.v[i]);
	for (size_t i = 0; i < nr; i++)
		if (rows[i].verdict == VERDICT_UNDECIDED && rows[i].needs_boots)
			page_text(page, "%s: about %u boots a side would decide.",
				  rows[i].cell->name, rows[i].needs_boots);
}

void report_page_numbers(const struct report_data *d, struct page *page)
{
	for (size_t i = 0; i < d->nr_rows;) {
		size_t first = i;

		while (i < d->nr_rows &&
		       !strcmp(d->rows[i].benchmark, d->rows[first].benchmark))
			i++;
		benchmark_rows(d->rows + first, i - first, page);
	}
	if (d->nr_rows)
		page_text(page, "%s.", report_clock_words(d->virtual_clock));
	for (size_t i = 0; i < d->unknown.nr; i++)
		page_warning(page,
			     "benchmark '%s' is not known here, so its samples are "
			     "not compared",
			     d->unknown.v[i]);
}

/* Samples that have commit, benchmark and cell in common. */
static bool alike(const struct sample *a, const struct sample *b)
{
	return oid_equal(&a->commit, &b->commit) && !strcmp(a->benchmark, b->benchmark) &&
	       !strcmp(a->l0 ?: "", b->l0 ?: "") && !strcmp(a->l1 ?: "", b->l1 ?: "");
}

static bool is_first(const struct samples *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (alike(&s->v[k], &s->v[i]))
			return false;
	return true;
}

static void sample_row(const struct report_data *d, size_t first, struct strv *cells)
{
	const struct samples *s = &d->run.samples;
	const struct sample *f = &s->v[first];
	_cleanup_strv_ struct strv boots = STRV_INIT;
	double sum = 0, lo = f->value, hi = f->value;
	size_t runs = 0;

	for (size_t i = first; i < s->nr; i++) {
		if (!alike(&s->v[i], f))
			continue;
		if (!strv_has(&boots, s->v[i].token))
			strv_add(&boots, s->v[i].token);
		sum += s->v[i].value;
		lo = fmin(lo, s->v[i].value);
		hi = fmax(hi, s->v[i].value);
		runs++;
	}
	strv_add(cells, f->benchmark);
	strv_addf(cells, "%s/%s", f->l0 ?: "-", f->l1 ?: "-");
	strv_addf(cells, "%zu", boots.nr);
	strv_addf(cells, "%zu", runs);
	strv_addf(cells, "%.6g", sum / (double)runs);
	strv_addf(cells, "%.3f", sum != 0 ? 100 * (hi - lo) * (double)runs / sum : 0.0);
	strv_addf(cells, "%s", f->unit ?: "");
	strv_addf(cells, "%.12s", f->commit.hex);
}

void report_page_samples(const struct report_data *d, struct page *page)
{
	const struct samples *s = &d->run.samples;
	struct strv *cells;

	if (!s->nr || d->bisected)
		return;
	cells = page_table(page, "llrrrrll");
	strv_addl(cells, "benchmark", "cell", "boots", "runs", "mean", "range %", "unit",
		  "commit", NULL);
	for (size_t i = 0; i < s->nr; i++)
		if (is_first(s, i))
			sample_row(d, i, cells);
	page_text(page, "%s.", report_clock_words(d->virtual_clock));
}

static void effects(const struct report_data *d, struct page *page)
{
	struct page_block *plot =
		page_plot(page, "effects.gp", "Change of each cell, with its interval");
	size_t nr = 0;

	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct comparison *r = &d->rows[i];
		_cleanup_free_ char *name =
			xasprintf("%s %s", r->benchmark, r->cell->name);

		if (!isfinite(r->ci_hi) || !r->base.boots || !r->patched.boots)
			continue;
		page_plot_label(&plot->data, name);
		buf_addf(&plot->data, " %.6g %.6g %.6g\n", 100 * r->change,
			 100 * r->ci_lo, 100 * r->ci_hi);
		nr++;
	}
	strv_addf(&plot->args, "%zu", nr);
	if (!nr)
		plot->failure = xstrdup("no change has an interval yet");
}

/* Number of the boot in its run, from 1. */
static size_t boot_number(const struct report_data *d, const char *token)
{
	for (size_t i = 0; i < d->run.nr_boots; i++)
		if (!strcmp(d->run.boots[i].token, token))
			return i + 1;
	return 0;
}

/* One commit's samples of a cell as a block of data; false when it has none. */
static bool add_side(const struct report_data *d, const struct sample *cell,
		     const struct oid *commit, struct buf *data)
{
	const struct samples *s = &d->run.samples;
	struct sample want = *cell;
	_cleanup_free_ char *name = NULL;
	size_t nr = 0;

	want.commit = *commit;
	for (size_t i = 0; i < s->nr; i++) {
		if (!alike(&s->v[i], &want))
			continue;
		if (!nr++) {
			name = xasprintf("%s %.12s", report_side(d, commit), commit->hex);
			buf_adds(data, data->len ? "\n\n" : "");
			page_plot_label(data, name);
			buf_addc(data, '\n');
		}
		buf_addf(data, "%zu %.9g\n", boot_number(d, s->v[i].token),
			 s->v[i].value);
	}
	return nr;
}

static void samples_of_cell(const struct report_data *d, const struct sample *cell,
			    struct page *page)
{
	_cleanup_free_ char *title = xasprintf("Samples of %s in %s/%s, by boot",
					       cell->benchmark, cell->l0 ?: "-",
					       cell->l1 ?: "-");
	struct page_block *plot = page_plot(page, "samples.gp", title);
	size_t blocks = 0;

	for (size_t i = 0; i < d->run.nr_builds; i++) {
		const struct oid *commit = &d->run.builds[i].commit;

		/* a search in the same run has plots of its own */
		if (!d->compared || strcmp(report_side(d, commit), "kernel") != 0)
			blocks += add_side(d, cell, commit, &plot->data);
	}
	strv_addf(&plot->args, "%zu", blocks);
	strv_addf(&plot->args, "%s", cell->unit ?: "");
	strv_addf(&plot->args, "%zu", d->run.nr_boots);
	if (!blocks)
		plot->failure = xstrdup("the kernels of the samples are not recorded");
}

void report_page_plots(const struct report_data *d, struct page *page)
{
	const struct samples *s = &d->run.samples;
	size_t nr = 0;

	if (d->bisected && !d->compared)
		return; /* has its own */
	if (d->nr_rows)
		effects(d, page);
	for (size_t i = 0; i < s->nr && nr < MAX_PLOTS; i++) {
		bool seen = false;

		for (size_t k = 0; k < i && !seen; k++) {
			struct sample other = s->v[k];

			other.commit = s->v[i].commit;
			seen = alike(&other, &s->v[i]);
		}
		if (seen)
			continue;
		samples_of_cell(d, &s->v[i], page);
		nr++;
	}
}
