// SPDX-License-Identifier: GPL-3.0-or-later
/* A bisection as blocks of a report. */
#include "cli/bisect/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define MAX_ROWS 1000

/* Owned by the caller. */
static char *commit_text(const struct bisection *b, size_t i)
{
	return xasprintf("%.12s %s", b->space.v[i].commit.hex,
			 b->space.v[i].subject ?: "");
}

static void headline(const struct bisection *b, const struct bisect_asked *asked,
		     struct page *page)
{
	const struct bisect_result *r = &b->result;
	_cleanup_free_ char *culprit = NULL;

	switch (r->verdict) {
	case BISECT_FOUND:
		culprit = commit_text(b, r->culprit);
		page_text(page, "The first %s commit is %s", asked->new, culprit);
		break;
	case BISECT_SET:
		page_text(page, "The change is in one of %zu commits", r->nr_set);
		break;
	case BISECT_NO_CHANGE:
		page_text(page, "No change between the ends");
		break;
	case BISECT_UNDECIDED:
	case BISECT_RUNNING:
		page_text(page, "Not decided");
	}
}

static void row(struct strv *cells, const char *name, char *value)
{
	strv_add(cells, name);
	strv_take(cells, value);
}

static char *change_text(double v, double lo, double hi)
{
	return xasprintf("%+.2f %% (95 %% interval %+.2f to %+.2f %%)", v * 100, lo * 100,
			 hi * 100);
}

static void rows_of_number(const struct bisection *b, struct strv *cells)
{
	const struct bisect_result *r = &b->result;
	const char *layouts = b->layout_failed ? "could not be measured"
			      : r->rejected    ? "did not agree"
			      : r->verified    ? "agreed"
					       : "not tried";

	row(cells, "bad end over good end", change_text(r->change, r->ci_lo, r->ci_hi));
	if (r->verdict == BISECT_FOUND || r->verdict == BISECT_SET)
		row(cells, "step at the commit",
		    change_text(r->step, r->step_lo, r->step_hi));
	row(cells, "fresh layouts", xstrdup(layouts));
	row(cells, "revert on the bad end", xstrdup(bisect_revert_name(b->revert)));
}

static void summary(const struct bisection *b, const struct bisect_asked *asked,
		    struct page *page)
{
	const struct bisect_result *r = &b->result;
	struct strv *cells = page_table(page, "ll");

	row(cells, "verdict", xstrdup(bisect_verdict_name(r->verdict)));
	row(cells, "asked", xstrdup(asked->question));
	row(cells, "confidence", xasprintf("%.4f", r->confidence));
	if (asked->cell && !b->alike)
		rows_of_number(b, cells);
	row(cells, "cost",
	    xasprintf("%u boots, %u builds, %.2f hours", b->boots, b->builds,
		      b->seconds / 3600));
	if (b->virtual_clock)
		row(cells, "clock",
		    xstrdup("virtual: figures are path length, not time"));
}

static void second_change(const struct bisection *b, struct page *page)
{
	const struct bisect_result *r = &b->result;
	_cleanup_free_ char *first = NULL, *last = NULL;

	if (!r->second_change)
		return;
	first = commit_text(b, r->second_first);
	last = commit_text(b, r->second_last);
	page_warning(page,
		     "There is likely a second change of %+.2f %%, between these: "
		     "%s and %s",
		     r->second_step * 100, first, last);
}

static void warnings(const struct bisection *b, struct page *page)
{
	if (b->implausible)
		page_warning(page, "Implausible: %s.", b->implausible);
	if (b->alike)
		page_warning(page, "Both ends are the same binary; nothing was booted.");
	if (b->result.rejected)
		page_warning(page, "The likeliest commit was refused: its step did not "
				   "come again in other layouts, or it is the same "
				   "binary as its parent.");
	second_change(b, page);
}

static void set_list(const struct bisection *b, struct page *page)
{
	const struct bisect_result *r = &b->result;
	struct strv *cells;

	if (r->verdict == BISECT_FOUND || !r->nr_set)
		return;
	page_heading(page, "Commits that remain");
	cells = page_table(page, "rl");
	strv_addl(cells, "posterior", "commit", NULL);
	for (size_t i = 0; i < r->nr_set && i < MAX_ROWS; i++) {
		strv_addf(cells, "%.4f", b->posterior[r->set[i]]);
		strv_take(cells, commit_text(b, r->set[i]));
	}
}

static void steps(const struct bisection *b, struct page *page)
{
	struct strv *cells;

	page_heading(page, "What was done");
	cells = page_table(page, "lrrrl");
	strv_addl(cells, "stage", "value", "posterior", "seconds", "commit", NULL);
	for (size_t i = 0; i < b->nr_moves && i < MAX_ROWS; i++) {
		const struct bisect_step *m = &b->moves[i];
		_cleanup_free_ char *commit = commit_text(b, m->commit);

		strv_add(cells, m->stage);
		if (m->answered)
			strv_addf(cells, "%.6g", m->value);
		else
			strv_add(cells, "-");
		strv_addf(cells, "%.4f", m->posterior_max);
		strv_addf(cells, "%.1f", m->seconds);
		strv_addf(cells, "%zu %s%s%s", m->commit, commit,
			  m->answered ? "" : ": ",
			  m->answered ? "" : m->reason ?: "cannot be tested");
	}
}

void bisect_page(const struct bisection *b, const struct bisect_asked *asked,
		 struct page *page)
{
	headline(b, asked, page);
	warnings(b, page);
	summary(b, asked, page);
	if (b->posterior) {
		chart_posterior(b, page);
		page_text(page, "Posterior of \"no change\": %.4f.", b->no_change);
		set_list(b, page);
	}
	if (b->nr_moves) {
		chart_values(b, page);
		steps(b, page);
	}
}
