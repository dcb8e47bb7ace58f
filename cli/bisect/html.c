// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/chart.h"

#include <math.h>
#include <string.h>

#include "core/base/alloc.h"

#define MAX_ROWS 1000

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
	"<meta http-equiv=\"Content-Security-Policy\" "
	"content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
	"<title>kiln: bisection</title>\n"
	"<style>\n"
	"body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
	"padding:0 1rem;color:#222;background:#fff}\n"
	"h1{font-size:1.3rem;margin:0 0 .3rem}h2{font-size:1.05rem;margin:2rem 0 .4rem}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
	"th,td{text-align:left;vertical-align:top;padding:.2rem .9rem .2rem 0;"
	"border-bottom:1px solid #ddd}\n"
	"th{font-weight:600}td.n,th.n{text-align:right}code{font-size:.92em}\n"
	".warn{background:#fff3d6;padding:.3rem .6rem;border-left:4px solid #d08700}\n"
	"svg{width:100%;height:auto;display:block}\n"
	"svg text{font-size:12px;fill:#555}.y{text-anchor:end}.x{text-anchor:middle}\n"
	".axis{fill:none;stroke:#555}.grid{stroke:#e6e6e6}.bar{fill:#6b8fb5}\n"
	".hit{fill:#c0392b}.mean{fill:none;stroke:#c0392b;stroke-width:1.6}\n"
	".boot{fill:#2c5f8a;fill-opacity:.55}.skip{fill:none;stroke:#888;stroke-width:1."
	"5}\n"
	"</style></head><body>\n";

static void add_commit(const struct bisection *b, size_t i, struct buf *ret)
{
	buf_addf(ret, "<code>%.12s</code> ", b->space.v[i].commit.hex);
	html_add(ret, b->space.v[i].subject);
}

static void headline(const struct bisection *b, const struct bisect_asked *asked,
		     struct buf *ret)
{
	const struct bisect_result *r = &b->result;

	buf_adds(ret, "<h1>");
	switch (r->verdict) {
	case BISECT_FOUND:
		buf_adds(ret, "The first ");
		html_add(ret, asked->new);
		buf_adds(ret, " commit is ");
		add_commit(b, r->culprit, ret);
		break;
	case BISECT_SET:
		buf_addf(ret, "The change is in one of %zu commits", r->nr_set);
		break;
	case BISECT_NO_CHANGE:
		buf_adds(ret, "No change between the ends");
		break;
	case BISECT_UNDECIDED:
	case BISECT_RUNNING:
		buf_adds(ret, "Not decided");
	}
	buf_adds(ret, "</h1>\n<p>asked: ");
	html_add(ret, asked->question);
	buf_adds(ret, "</p>\n");
}

static void row(struct buf *ret, const char *name, const char *value)
{
	buf_addf(ret, "<tr><th>%s</th><td>", name);
	html_add(ret, value);
	buf_adds(ret, "</td></tr>\n");
}

static void row_change(struct buf *ret, const char *name, double v, double lo, double hi)
{
	_cleanup_free_ char *text =
		xasprintf("%+.2f %% (95 %% interval %+.2f to %+.2f %%)", v * 100,
			  lo * 100, hi * 100);

	row(ret, name, text);
}

static void rows_of_number(const struct bisection *b, struct buf *ret)
{
	const struct bisect_result *r = &b->result;

	row_change(ret, "bad end over good end", r->change, r->ci_lo, r->ci_hi);
	if (r->verdict == BISECT_FOUND || r->verdict == BISECT_SET)
		row_change(ret, "step at the commit", r->step, r->step_lo, r->step_hi);
	row(ret, "fresh layouts",
	    b->layout_failed ? "could not be measured"
	    : r->rejected    ? "did not agree"
	    : r->verified    ? "agreed"
			     : "not tried");
	row(ret, "revert on the bad end", bisect_revert_name(b->revert));
}

static void summary(const struct bisection *b, const struct bisect_asked *asked,
		    struct buf *ret)
{
	const struct bisect_result *r = &b->result;
	_cleanup_free_ char *cost = xasprintf("%u boots, %u builds, %.2f hours", b->boots,
					      b->builds, b->seconds / 3600);
	_cleanup_free_ char *sure = xasprintf("%.4f", r->confidence);

	buf_adds(ret, "<table>\n");
	row(ret, "verdict", bisect_verdict_name(r->verdict));
	row(ret, "confidence", sure);
	if (asked->cell && !b->alike)
		rows_of_number(b, ret);
	row(ret, "cost", cost);
	if (b->virtual_clock)
		row(ret, "clock", "virtual: figures are path length, not time");
	buf_adds(ret, "</table>\n");
}

static void warn(struct buf *ret, const char *text)
{
	buf_adds(ret, "<p class=\"warn\">");
	html_add(ret, text);
	buf_adds(ret, "</p>\n");
}

static void warnings(const struct bisection *b, struct buf *ret)
{
	const struct bisect_result *r = &b->result;
	_cleanup_free_ char *implausible =
		b->implausible ? xasprintf("Implausible: %s.", b->implausible) : NULL;

	if (implausible)
		warn(ret, implausible);
	if (b->alike)
		warn(ret, "Both ends are the same binary; nothing was booted.");
	if (r->rejected)
		warn(ret,
		     "The likeliest commit was refused: its step did not come again in "
		     "other layouts, or it is the same binary as its parent.");
	if (!r->second_change)
		return;
	buf_addf(ret,
		 "<p class=\"warn\">There is likely a second change of %+.2f %%, between "
		 "these: ",
		 r->second_step * 100);
	add_commit(b, r->second_first, ret);
	buf_adds(ret, " and ");
	add_commit(b, r->second_last, ret);
	buf_adds(ret, "</p>\n");
}

static void set_list(const struct bisection *b, struct buf *ret)
{
	const struct bisect_result *r = &b->result;

	if (r->verdict == BISECT_FOUND || !r->nr_set)
		return;
	buf_adds(ret, "<h2>Commits that remain</h2>\n<table>\n"
		      "<tr><th>commit</th><th class=\"n\">posterior</th></tr>\n");
	for (size_t i = 0; i < r->nr_set && i < MAX_ROWS; i++) {
		buf_adds(ret, "<tr><td>");
		add_commit(b, r->set[i], ret);
		buf_addf(ret, "</td><td class=\"n\">%.4f</td></tr>\n",
			 b->posterior[r->set[i]]);
	}
	buf_adds(ret, "</table>\n");
}

static void steps(const struct bisection *b, struct buf *ret)
{
	buf_adds(ret, "<h2>What was done</h2>\n<table>\n<tr><th>commit</th><th>stage</th>"
		      "<th class=\"n\">value</th><th class=\"n\">largest posterior</th>"
		      "<th class=\"n\">seconds</th></tr>\n");
	for (size_t i = 0; i < b->nr_moves && i < MAX_ROWS; i++) {
		const struct bisect_step *m = &b->moves[i];

		buf_addf(ret, "<tr><td>%zu ", m->commit);
		add_commit(b, m->commit, ret);
		buf_addf(ret, "</td><td>%s</td><td class=\"n\">", m->stage);
		if (m->answered)
			buf_addf(ret, "%.6g", m->value);
		else
			html_add(ret, m->reason ?: "cannot be tested");
		buf_addf(ret,
			 "</td><td class=\"n\">%.4f</td><td class=\"n\">%.1f</td></tr>\n",
			 m->posterior_max, m->seconds);
	}
	buf_adds(ret, "</table>\n");
}

void bisect_html(const struct bisection *b, const struct bisect_asked *asked,
		 struct buf *ret)
{
	buf_adds(ret, head);
	headline(b, asked, ret);
	warnings(b, ret);
	summary(b, asked, ret);
	if (b->posterior) {
		buf_addf(ret, "<h2>Posterior by commit</h2>\n<p>No change: %.4f</p>\n",
			 b->no_change);
		chart_posterior(b, ret);
		set_list(b, ret);
	}
	if (b->nr_moves) {
		buf_adds(ret,
			 "<h2>Measured by commit</h2>\n<p>A dot is a boot, a line the "
			 "mean with its 95 % interval, a ring what could not be "
			 "tested.</p>\n");
		chart_values(b, ret);
		steps(b, ret);
	}
	buf_adds(ret, "</body></html>\n");
}
