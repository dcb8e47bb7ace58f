// SPDX-License-Identifier: GPL-3.0-or-later
/* What the plots of a bisection show. */
#include "cli/bisect/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define MAX_BARS 400

void chart_bar(const struct bisection *b, unsigned int cells, struct buf *ret)
{
	static const char *const level[] = {
		" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
	};

	for (unsigned int c = 0; c < cells; c++) {
		size_t first = b->space.nr * c / cells,
		       last = b->space.nr * (c + 1) / cells;
		double top = 0;

		for (size_t i = first; i < last || i == first; i++)
			top = fmax(top, b->posterior[i]);
		buf_adds(ret, level[(size_t)ceil(fmin(top, 1) * 8)]);
	}
}

/* Of very many commits those with the least mass are left out: nobody would see them. */
static double least_shown(const struct bisection *b)
{
	double least = 0;
	size_t above = b->space.nr;

	while (above > MAX_BARS && least < 1) {
		least = least ? least * 2 : 1e-6;
		above = 0;
		for (size_t i = 0; i < b->space.nr; i++)
			above += b->posterior[i] >= least;
	}
	return least;
}

void chart_posterior(const struct bisection *b, struct page *page)
{
	struct page_block *plot =
		page_plot(page, "posterior.gp",
			  "Posterior probability of each commit to be the "
			  "culprit");
	double least = least_shown(b);
	bool found = b->result.verdict == BISECT_FOUND;

	strv_addf(&plot->args, "%zu", b->space.nr);
	strv_addf(&plot->args, "%ld", found ? (long)b->result.culprit : -1L);
	for (size_t i = 1; i < b->space.nr; i++)
		if (b->posterior[i] >= least)
			buf_addf(&plot->data, "%zu %.6g\n", i, b->posterior[i]);
}

/* What the boots of one commit say together. */
struct spread {
	double mean, half; /* half of the 95 % interval, 0 with one boot */
	size_t nr;
};

/* Two-sided 95 % quantiles of Student's t, any table; beyond the last the Gaussian's. */
static double t95(size_t df)
{
	static const double q[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				    2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145 };

	return df <= ARRAY_SIZE(q) ? q[df - 1] : 2.0;
}

static struct spread spread_of(const struct bisection *b, size_t commit)
{
	struct spread s = { 0 };
	double squares = 0;

	for (size_t i = 0; i < b->nr_moves; i++)
		if (b->moves[i].commit == commit && b->moves[i].answered) {
			s.mean += b->moves[i].value;
			s.nr++;
		}
	if (!s.nr)
		return s;
	s.mean /= (double)s.nr;
	for (size_t i = 0; i < b->nr_moves; i++)
		if (b->moves[i].commit == commit && b->moves[i].answered)
			squares += pow(b->moves[i].value - s.mean, 2);
	if (s.nr > 1)
		s.half = t95(s.nr - 1) *
			 sqrt(squares / (double)(s.nr - 1) / (double)s.nr);
	return s;
}

/* An interval of few boots may be very wide; it is drawn as far as it makes sense: half the
 * range of all values beyond them. */
struct range {
	double lo, hi;
};

static struct range range_of(const struct bisection *b)
{
	struct range r = { INFINITY, -INFINITY };
	double span;

	for (size_t i = 0; i < b->nr_moves; i++)
		if (b->moves[i].answered) {
			r.lo = fmin(r.lo, b->moves[i].value);
			r.hi = fmax(r.hi, b->moves[i].value);
		}
	span = r.hi > r.lo ? r.hi - r.lo : fmax(fabs(r.hi) * 0.01, 1e-9);
	return (struct range){ r.lo - span / 2, r.hi + span / 2 };
}

static void add_means(const struct bisection *b, struct buf *data)
{
	struct range range = range_of(b);

	for (size_t i = 0; i < b->space.nr; i++) {
		struct spread s = spread_of(b, i);

		if (s.nr)
			buf_addf(data, "%zu %.9g %.9g %.9g\n", i, s.mean,
				 fmax(s.mean - s.half, range.lo),
				 fmin(s.mean + s.half, range.hi));
	}
}

/* Blocks of data are parted by two empty lines. */
static size_t add_moves(const struct bisection *b, bool answered, struct buf *data)
{
	size_t nr = 0;

	for (size_t i = 0; i < b->nr_moves; i++) {
		const struct bisect_step *m = &b->moves[i];

		if (m->answered != answered)
			continue;
		buf_addf(data, "%zu %.9g\n", m->commit, answered ? m->value : 0.0);
		nr++;
	}
	return nr;
}

void chart_values(const struct bisection *b, struct page *page)
{
	struct page_block *plot =
		page_plot(page, "values.gp",
			  "Measured by commit: a ring is a boot, a bar the mean with its "
			  "95 % interval, a cross what could not be tested");
	size_t boots = add_moves(b, true, &plot->data), skips;

	if (!boots)
		buf_adds(&plot->data, "0 NaN\n");
	buf_adds(&plot->data, "\n\n");
	add_means(b, &plot->data);
	buf_adds(&plot->data, boots ? "\n\n" : "0 NaN NaN NaN\n\n\n");
	skips = add_moves(b, false, &plot->data);
	if (!skips)
		buf_adds(&plot->data, "0 NaN\n");
	strv_addf(&plot->args, "%zu", b->space.nr);
	strv_addf(&plot->args, "%zu", boots);
	strv_addf(&plot->args, "%zu", skips);
}
