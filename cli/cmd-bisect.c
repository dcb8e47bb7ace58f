// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/report/text.h"
#include "cli/bisect/simulate.h"
#include "cli/bisect/report.h"
#include "cli/cmd.h"
#include "cli/bisect/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"

struct bisect_cmd_opts {
	struct stage_opts stage;
	struct bisect_settings bisect;
	char *simulate;
};

static const struct opt bisect_table[] = {
	STAGE_BENCH_ROWS(struct bisect_cmd_opts, stage),
	BISECT_ROWS(struct bisect_cmd_opts, bisect),
	{ "first-parent", 0, OPT_FLAG,
	  offsetof(struct bisect_cmd_opts, bisect.first_parent), NULL,
	  "follow only the first parent of merges", "kiln.firstParent" },
	{ "simulate", 0, OPT_STRING, offsetof(struct bisect_cmd_opts, simulate), "SPEC",
	  "search simulated histories instead of GOOD BAD", NULL },
	STAGE_MACHINE_ROWS(struct bisect_cmd_opts, stage),
	{ 0 },
};

static void print_bisection(const struct ctx *c, const struct lab *lab,
			    const struct bisection *b)
{
	_cleanup_(bisect_view_release) struct bisect_view view = { 0 };
	struct report r = { .accel = lab_accel(lab), .virtual_clock = b->virtual_clock };
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (c->json) {
		out_json(json_bisection(b));
		return;
	}
	bisect_view_fill(&view, b, lab_bench(lab), lab_cell(lab, 0));
	r.bisect = &view.report;
	report_bisect_outcome(&r, &text);
	report_bisect_text(&r, &text);
	out_text("%s", buf_str(&text));
}

static int check_ends(const struct bisection *b, const struct cell *cell, struct err *e)
{
	if (b->result.verdict != BISECT_NO_CHANGE)
		return 0;
	err_set(e, ERR_NO_DIFFERENCE, "change is %+.2f %%, interval %+.2f %% to %+.2f %%",
		b->result.change * 100, b->result.ci_lo * 100, b->result.ci_hi * 100);
	err_wrap(e, "the ends do not differ in cell %s: there is nothing to bisect",
		 cell->name);
	return err_hint(e, "name another --cell or --bench, or a smaller --min-effect");
}

static int bisect_range(struct ctx *c, struct run *run, const struct bisect_cmd_opts *o,
			const struct strv *args, struct err *e)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_space_ struct space space = { 0 };
	_cleanup_lab_ struct lab *lab = NULL;
	struct oid good, bad;
	struct probe probe;

	if (step_resolve(c, run, args->v[0], &good, e) < 0 ||
	    step_resolve(c, run, args->v[1], &bad, e) < 0 ||
	    space_range(c->repo, &good, &bad, o->bisect.first_parent, &space, e) < 0 ||
	    lab_open(c, run, &o->stage, good.hex, &lab, e) < 0)
		return -(int)e->code;
	probe = probe_number(lab_cell(lab, 0));
	if (bisection_run(lab, &space, &probe, &o->bisect, &b, e) < 0)
		return -(int)e->code;
	if (!c->json && check_ends(&b, lab_cell(lab, 0), e) < 0)
		return -(int)e->code;
	print_bisection(c, lab, &b);
	return bisection_exit_code(&b);
}

static int bisect_cmd(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct bisect_cmd_opts *o = opts;
	struct run *run;

	if (o->simulate && args->nr)
		return err_set(e, ERR_USAGE, "a simulated search takes no ends");
	if (o->simulate)
		return bisect_simulate(o->simulate, c->json, e);
	if (args->nr != 2) {
		err_set(e, ERR_USAGE, "bisect takes two ends, %zu given", args->nr);
		return err_hint(e, "see kiln help bisect");
	}
	if (!c->repo) {
		err_set(e, ERR_NO_TREE, "no git repository here to bisect in");
		return err_hint(e, "name one with --tree DIR");
	}
	if (o->stage.cells.nr > 1) {
		err_set(e, ERR_USAGE, "one cell is bisected at a time, %zu given",
			o->stage.cells.nr);
		return err_hint(e, "name one --cell");
	}
	if (cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, bisect_range(c, run, o, args, e), e);
}

const struct cmd cmd_bisect = {
	.name = "bisect",
	.summary = "Find the commit that changed a number",
	.usage = "GOOD BAD | --simulate SPEC",
	.opts = bisect_table,
	.opts_size = sizeof(struct bisect_cmd_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.min_args = 0,
	.max_args = 2,
	.run = bisect_cmd,
};
