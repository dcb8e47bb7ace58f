// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/print.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/text.h"
#include "bench/spec.h"
#include "cli/bisect/json.h"
#include "cli/bisect/report.h"
#include "cli/json-compare.h"
#include "cli/out.h"
#include "core/base/alloc.h"

#define MAX_LISTED 10

static int check_ends(const struct bisection *b, const struct bisect_asked *asked,
		      struct err *e)
{
	const struct bisect_result *r = &b->result;

	if (r->verdict != BISECT_NO_CHANGE)
		return 0;
	if (!asked->cell) {
		err_set(e, ERR_NO_DIFFERENCE, "nothing says that they differ: %u boots",
			b->boots);
		return err_wrap(e, "the ends answer alike to '%s'", asked->question);
	}
	err_set(e, ERR_NO_DIFFERENCE, "change is %+.2f %%, interval %+.2f %% to %+.2f %%",
		r->change * 100, r->ci_lo * 100, r->ci_hi * 100);
	err_wrap(e, "the ends do not differ in cell %s: there is nothing to bisect",
		 asked->cell->name);
	return err_hint(e, "name another --cell or --bench, or a smaller --min-effect");
}

static void list_set(const struct bisection *b)
{
	const struct bisect_result *r = &b->result;

	for (size_t i = 0; i < r->nr_set && i < MAX_LISTED; i++) {
		const struct point *p = &b->space.v[r->set[i]];

		out_text("  %.12s %s\n", p->commit.hex, p->subject ?: "");
	}
	if (r->nr_set > MAX_LISTED)
		out_text("  and %zu more\n", r->nr_set - MAX_LISTED);
}

/* A predicate's result, in the words of `git bisect` where it says the same. */
static void print_predicate(const struct bisection *b, const struct bisect_asked *asked)
{
	const struct bisect_result *r = &b->result;
	const struct point *p = &b->space.v[r->culprit];

	switch (r->verdict) {
	case BISECT_FOUND:
		out_text("%s is the first %s commit\n  %s\n", p->commit.hex, asked->new,
			 p->subject ?: "");
		break;
	case BISECT_SET:
		out_text("the first %s commit is one of\n", asked->new);
		break;
	case BISECT_NO_CHANGE:
		out_text("no commit made a difference\n");
		break;
	case BISECT_UNDECIDED:
	case BISECT_RUNNING:
		out_text("not decided: the first %s commit is likely one of\n",
			 asked->new);
	}
	if (r->verdict != BISECT_FOUND)
		list_set(b);
	out_text("asked: %s; confidence %.3f, %u builds, %u boots\n", asked->question,
		 r->confidence, b->builds, b->boots);
}

static void print_number(const struct bisection *b, const struct bisect_asked *asked)
{
	_cleanup_(bisect_view_release) struct bisect_view view = { 0 };
	struct report r = { .virtual_clock = b->virtual_clock };
	_cleanup_buf_ struct buf text = BUF_INIT;

	bisect_view_fill(&view, b, asked->bench, asked->cell);
	if (asked->series) {
		bisect_view_number(&view, asked->series, asked->apply);
		r.series = asked->series;
	}
	r.bisect = &view.report;
	report_bisect_outcome(&r, &text);
	report_bisect_text(&r, &text);
	out_text("%s", buf_str(&text));
}

static json_t *json_watch(const struct watch *w)
{
	json_t *list = json_array();

	for (size_t i = 0; w && i < w->nr; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "ends", json_comparison_rows(&w->v[i].ends, 1));
		json_object_set_new(one, "step",
				    json_comparison_rows(&w->v[i].step, w->has_step));
		json_array_append_new(list, one);
	}
	return list;
}

static void print_watch(const struct bisection *b, const struct watch *w)
{
	for (int step = 0; w && w->nr && step <= w->has_step; step++) {
		struct comparison rows[ARRAY_SIZE(w->v)];
		_cleanup_buf_ struct buf text = BUF_INIT;

		for (size_t i = 0; i < w->nr; i++)
			rows[i] = step ? w->v[i].step : w->v[i].ends;
		report_table(rows, w->nr, b->virtual_clock, &text);
		out_text("\nWatched, %s:\n%s",
			 step ? "the commit found over its parent"
			      : "the second end over the first",
			 buf_str(&text));
	}
}

int bisect_asked_read(const char *question, struct bisect_asked *ret,
		      struct benchmark **ret_bench, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(question);
	char *rest = copy;
	const char *word = strsep(&rest, " "), *bench = strsep(&rest, " ");

	if (strcmp(word, "number"))
		return 0;
	if (!bench || !rest)
		return err_set(e, ERR_CONFIG, "the question '%.60s' is cut short",
			       question);
	if (bench_open(bench, NULL, ret_bench, e) < 0)
		return -(int)e->code;
	ret->bench = *ret_bench;
	return cell_parse(NULL, rest, &ret->cell, e);
}

int bisect_print(const struct ctx *c, const struct bisection *b,
		 const struct bisect_asked *asked, struct err *e)
{
	if (c->json) {
		json_t *doc = json_bisection(b);

		json_object_set_new(doc, "question", json_string(asked->question));
		json_object_set_new(doc, "terms",
				    json_pack("[s,s]", asked->old, asked->new));
		json_object_set_new(doc, "watched", json_watch(asked->watch));
		out_json(doc);
		return bisection_exit_code(b);
	}
	if (check_ends(b, asked, e) < 0)
		return -(int)e->code;
	if (asked->cell)
		print_number(b, asked);
	else
		print_predicate(b, asked);
	print_watch(b, asked->watch);
	if (b->built_ahead && !c->quiet)
		out_talk("%u of %u builds ahead were of use and hid %.0f s", b->hidden,
			 b->built_ahead, b->hidden_seconds);
	return bisection_exit_code(b);
}
