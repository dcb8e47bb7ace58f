// SPDX-License-Identifier: GPL-3.0-or-later
/* Plots as SVG. */
#include "cli/bisect/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/safe.h"

#define WIDTH 900.0
#define HEIGHT 240.0
#define LEFT 76.0
#define RIGHT 12.0
#define TOP 12.0
#define BOTTOM 34.0
#define MAX_BARS 400

void html_add(struct buf *ret, const char *text)
{
	_cleanup_free_ char *s = safe_text(xstrdup(text ? text : ""), false);

	for (const char *p = s; *p; p++) {
		const char *entity = *p == '&'	  ? "&amp;"
				     : *p == '<'  ? "&lt;"
				     : *p == '>'  ? "&gt;"
				     : *p == '"'  ? "&quot;"
				     : *p == '\'' ? "&#39;"
						  : NULL;

		if (entity)
			buf_adds(ret, entity);
		else
			buf_addc(ret, *p);
	}
}

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

/* Where things are on the paper. */
struct frame {
	size_t nr;
	double lo, hi;
};

static double x_of(const struct frame *f, double i)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / (double)f->nr;
}

static double y_of(const struct frame *f, double v)
{
	return TOP + (HEIGHT - TOP - BOTTOM) * (f->hi - v) / (f->hi - f->lo);
}

static void begin(const struct frame *f, const char *title, struct buf *ret)
{
	buf_addf(ret,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
		 "role=\"img\"><title>%s</title>\n",
		 WIDTH, HEIGHT, title);
	buf_addf(ret, "<path class=\"axis\" d=\"M%g %gV%gH%g\"/>\n", LEFT, TOP,
		 HEIGHT - BOTTOM, WIDTH - RIGHT);
	(void)f;
}

/* The least of 1, 2, 5 times a power of ten that gives at most `most` steps. */
static double nice_step(double span, double most)
{
	double unit = pow(10, floor(log10(span / most)));
	double q = span / most / unit;

	return unit * (q <= 1 ? 1 : q <= 2 ? 2 : q <= 5 ? 5 : 10);
}

static void y_axis(const struct frame *f, bool percent, struct buf *ret)
{
	double step = nice_step(f->hi - f->lo, 5);

	for (double v = ceil(f->lo / step) * step; v <= f->hi + step * 1e-6; v += step) {
		buf_addf(ret, "<path class=\"grid\" d=\"M%g %.2fH%g\"/>", LEFT,
			 y_of(f, v), WIDTH - RIGHT);
		buf_addf(ret, "<text class=\"y\" x=\"%g\" y=\"%.2f\">", LEFT - 6,
			 y_of(f, v) + 4);
		/* Adding up steps leaves -0. */
		buf_addf(ret, "%.6g%s</text>\n",
			 fabs(v) < step * 1e-6 ? 0.0 : v * (percent ? 100 : 1),
			 percent ? " %" : "");
	}
}

static void x_axis(const struct frame *f, struct buf *ret)
{
	double step = fmax(1, nice_step((double)f->nr, 16));

	for (double i = 0; i < (double)f->nr; i += step)
		buf_addf(ret, "<text class=\"x\" x=\"%.2f\" y=\"%g\">%.0f</text>\n",
			 x_of(f, i), HEIGHT - BOTTOM + 16, i);
	buf_addf(
		ret,
		"<text class=\"x\" x=\"%g\" y=\"%g\">commit (0 is the good end)</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 3);
}

static void add_tip(const struct bisection *b, size_t i, struct buf *ret)
{
	const struct point *p = &b->space.v[i];

	buf_addf(ret, "<title>%zu %.12s ", i, p->commit.hex);
	html_add(ret, p->subject);
	buf_adds(ret, "</title>");
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

void chart_posterior(const struct bisection *b, struct buf *ret)
{
	const struct frame f = { b->space.nr, 0, 1 };
	double width = fmax(1.5, 0.7 * (WIDTH - LEFT - RIGHT) / (double)f.nr);
	double least = least_shown(b);

	begin(&f, "Posterior probability of each commit to be the culprit", ret);
	y_axis(&f, true, ret);
	x_axis(&f, ret);
	for (size_t i = 1; i < f.nr; i++) {
		double p = b->posterior[i], y = y_of(&f, p);
		bool culprit = b->result.verdict == BISECT_FOUND &&
			       i == b->result.culprit;

		if (p < least || p <= 0)
			continue;
		y = fmin(y, HEIGHT - BOTTOM - 0.8);
		buf_addf(ret,
			 "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
			 "height=\"%.2f\">",
			 culprit ? "hit" : "bar", x_of(&f, (double)i) - width / 2, y,
			 width, HEIGHT - BOTTOM - y);
		add_tip(b, i, ret);
		buf_adds(ret, "</rect>\n");
	}
	buf_adds(ret, "</svg>\n");
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

/* An interval of few boots may be very wide; it is drawn as far as it makes sense. */
static void frame_intervals(const struct bisection *b, struct frame *f)
{
	double span = f->hi - f->lo, lo = f->lo, hi = f->hi;

	for (size_t i = 0; i < f->nr; i++) {
		struct spread s = spread_of(b, i);

		if (!s.nr)
			continue;
		f->lo = fmin(f->lo, fmax(s.mean - s.half, lo - span / 2));
		f->hi = fmax(f->hi, fmin(s.mean + s.half, hi + span / 2));
	}
}

static bool frame_of_values(const struct bisection *b, struct frame *f)
{
	double margin;

	*f = (struct frame){ b->space.nr, INFINITY, -INFINITY };
	for (size_t i = 0; i < b->nr_moves; i++) {
		if (!b->moves[i].answered)
			continue;
		f->lo = fmin(f->lo, b->moves[i].value);
		f->hi = fmax(f->hi, b->moves[i].value);
	}
	if (!(f->lo <= f->hi))
		return false;
	frame_intervals(b, f);
	margin = f->hi > f->lo ? 0.08 * (f->hi - f->lo) : fmax(fabs(f->hi) * 0.01, 1e-9);
	f->lo -= margin;
	f->hi += margin;
	return true;
}

static void add_interval(const struct frame *f, size_t i, const struct spread *s,
			 struct buf *ret)
{
	double x = x_of(f, (double)i);
	double top = y_of(f, fmin(s->mean + s->half, f->hi));
	double low = y_of(f, fmax(s->mean - s->half, f->lo));

	buf_addf(ret, "<path class=\"mean\" d=\"M%.2f %.2fH%.2f", x - 7, y_of(f, s->mean),
		 x + 7);
	if (s->nr > 1)
		buf_addf(ret, "M%.2f %.2fV%.2fM%.2f %.2fH%.2fM%.2f %.2fH%.2f", x, top,
			 low, x - 4, top, x + 4, x - 4, low, x + 4);
	buf_adds(ret, "\"/>");
}

static void add_boots(const struct bisection *b, const struct frame *f, struct buf *ret)
{
	for (size_t i = 0; i < b->nr_moves; i++) {
		const struct bisect_step *m = &b->moves[i];
		double x = x_of(f, (double)m->commit);

		if (m->answered)
			buf_addf(
				ret,
				"<circle class=\"boot\" cx=\"%.2f\" cy=\"%.2f\" r=\"3\">",
				x, y_of(f, m->value));
		else
			buf_addf(ret,
				 "<circle class=\"skip\" cx=\"%.2f\" cy=\"%g\" r=\"4\">",
				 x, HEIGHT - BOTTOM - 6);
		add_tip(b, m->commit, ret);
		buf_adds(ret, "</circle>\n");
	}
}

void chart_values(const struct bisection *b, struct buf *ret)
{
	struct frame f;

	if (!frame_of_values(b, &f))
		return;
	begin(&f, "Measured values by commit", ret);
	y_axis(&f, false, ret);
	x_axis(&f, ret);
	for (size_t i = 0; i < f.nr; i++) {
		struct spread s = spread_of(b, i);

		if (s.nr)
			add_interval(&f, i, &s, ret);
	}
	add_boots(b, &f, ret);
	buf_adds(ret, "</svg>\n");
}
