// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>

#include "cli/apply-step.h"
#include "cli/arch-guess.h"
#include "cli/base-step.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/report/data.h"
#include "cli/run-start.h"
#include "cli/steps-fetch.h"
#include "cli/triage.h"
#include "core/base/alloc.h"

struct triage_opts {
	struct cli_source_opts source;
	struct stage_opts stage;
	struct compare_settings compare;
	struct bisect_settings search;
	struct cli_base_opts base;
	bool bisect;
};

static const struct opt triage_table[] = {
	BASE_OPTS(struct triage_opts, base),
	{ "bisect", 0, OPT_FLAG, offsetof(struct triage_opts, bisect), NULL,
	  "find the patch that made a cell slower", "kiln.bisect" },
	SOURCE_OPTS(struct triage_opts, source),
	STAGE_BENCH_ROWS(struct triage_opts, stage),
	COMPARE_ROWS(struct triage_opts, compare),
	BISECT_ROWS(struct triage_opts, search),
	STAGE_MACHINE_ROWS(struct triage_opts, stage),
	{ 0 },
};

static void tell(const struct ctx *c, const char *what, const char *about)
{
	if (!c->quiet)
		out_talk("%-5s %s", what, about);
}

static int fetch_and_apply(struct ctx *c, struct run *run, const struct triage_opts *o,
			   struct triage *t, struct err *e)
{
	_cleanup_free_ char *found = NULL;
	struct cli_base_query q = { .source = &o->source, .opts = &o->base };
	int r;

	if (step_fetch(c, run, &o->source, t->source, &t->series, e) < 0)
		return -(int)e->code;
	claims_of_series(t->series, &t->claims);
	found = xasprintf("v%d, %zu of %d patches: %s", t->series->revision,
			  t->series->nr_patches, t->series->total, t->series->title);
	tell(c, "fetch", found);
	q.series = t->series;
	if (step_base(c, run, &q, &t->base, e) < 0)
		return -(int)e->code;
	t->onto = xstrdup(t->base.choice.rev);
	r = cli_apply_to(c, t->series, &t->base.onto, &t->apply, e);
	if (t->apply)
		t->base.choice.applies = !t->apply->failed;
	if (r < 0) {
		if (t->apply)
			cli_why(c, &q, &t->base, t->apply, &t->why);
		return r;
	}
	tell(c, "apply", t->apply->ref);
	return 0;
}

static int measure(struct ctx *c, struct run *run, struct triage_opts *o,
		   struct triage *t, struct err *e)
{
	const struct oid *base = &t->apply->base, *head = &t->apply->head;

	if (lab_one_bench(&o->stage, e) < 0 ||
	    arch_guess(c, t->series, &o->stage.build.arch, e) < 0 ||
	    lab_open(c, run, &o->stage, base->hex, &t->lab, e) < 0)
		return -(int)e->code;
	return campaign_run(t->lab, base, head, &o->compare, &t->campaign, e);
}

/* Which patch: the engine numbers the base 0 and patch N of the series N. */
static int search(struct ctx *c, const struct triage_opts *o, struct triage *t,
		  struct err *e)
{
	const struct comparison *worst = campaign_worst(&t->campaign);
	_cleanup_space_ struct space space = { 0 };
	struct probe probe;

	if (!o->bisect || !worst)
		return 0;
	probe = probe_number(worst->cell);
	if (space_applied(c->repo, t->apply, &space, e) < 0 ||
	    bisection_run(t->lab, &space, &probe, &o->search, &t->bisection, e) < 0)
		return err_wrap(e, "cannot find the patch");
	t->bisect_cell = worst->cell;
	return 0;
}

/* For `kiln report`. The error that ended the triage is worth more than one of this. */
static void keep(struct run *run, const struct triage *t)
{
	_cleanup_err_ struct err ignored = { 0 };
	json_t *doc = triage_json(t);

	if (report_keep_document(run, doc, &ignored) < 0)
		out_talk("warning: a later report will lack the series: %s",
			 ignored.frame[0]);
	json_decref(doc);
}

static void print_triage(const struct ctx *c, const struct triage *t)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (c->json) {
		out_json(triage_json(t));
		return;
	}
	triage_text(t, &text);
	out_text("%s", buf_str(&text));
}

/*
 * A report is due as soon as there is a series, however far the rest came. With --json
 * there is one document: the report, or what the environment did to prevent it.
 */
static int triage(struct ctx *c, struct run *run, const struct triage_opts *given,
		  const char *source, struct err *e)
{
	struct triage_opts own = *given, *o = &own;
	_cleanup_(triage_release) struct triage t = { .source = source };
	int r = fetch_and_apply(c, run, o, &t, e);

	if (r == 0)
		r = measure(c, run, o, &t, e);
	if (r == 0)
		r = search(c, o, &t, e);
	if (r < 0 && (!t.series || (c->json && err_exit_code(e->code) != 1)))
		return r;
	keep(run, &t);
	print_triage(c, &t);
	if (r < 0 && c->json) {
		out_error(e, false); /* the document says it too */
		return err_exit_code(e->code);
	}
	return r < 0 ? r : campaign_exit_code(&t.campaign);
}

static int triage_cmd(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	struct run *run;

	if (cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, triage(c, run, opts, args->v[0], e), e);
}

const struct cmd cmd_triage = {
	.name = "triage",
	.summary =
		"From a message to a report: fetch, apply, build, boot, measure, bisect",
	.usage = "SOURCE",
	.opts = triage_table,
	.opts_size = sizeof(struct triage_opts),
	.needs = CMD_STORE | CMD_TREE,
	.min_args = 1,
	.max_args = 1,
	.run = triage_cmd,
};
