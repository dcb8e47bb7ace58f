// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "cli/bench-print.h"
#include "cli/calibrate.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "cli/stages.h"
#include "core/base/alloc.h"

struct bench_opts {
	struct stage_opts stage;
	bool list, count;
	struct calibrate_opts calibrate;
};

static const struct opt bench_table[] = {
	{ "list", 0, OPT_FLAG, offsetof(struct bench_opts, list), NULL,
	  "list benchmarks with their parameters", "kiln.benchList" },
	{ "count", 0, OPT_FLAG, offsetof(struct bench_opts, count), NULL,
	  "count events beside each rate, in boots of their own", "kiln.benchCount" },
	STAGE_BENCH_ROWS(struct bench_opts, stage),
	CALIBRATE_ROWS(struct bench_opts, calibrate),
	STAGE_MACHINE_ROWS(struct bench_opts, stage),
	{ 0 },
};

struct kernels {
	struct kernel *v;
	size_t nr;
};

static void kernels_release(struct kernels *k)
{
	for (size_t i = 0; i < k->nr; i++)
		kernel_release(&k->v[i]);
	free(k->v);
}

/* Names are checked before anything is built. */
static int resolve_all(struct ctx *c, struct run *run, const struct strv *revs,
		       struct kernels *ret, struct err *e)
{
	ret->v = xcalloc(revs->nr, sizeof(*ret->v));
	ret->nr = revs->nr;
	for (size_t i = 0; i < revs->nr; i++)
		if (step_resolve(c, run, revs->v[i], &ret->v[i].commit, e) < 0)
			return -(int)e->code;
	return 0;
}

/* All are built before the first boots: a broken one shows before an hour is spent. */
static int build_all(struct lab *lab, struct kernels *kernels, struct err *e)
{
	for (size_t i = 0; i < kernels->nr; i++)
		if (lab_build_ok(lab, &kernels->v[i].commit, &kernels->v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

/* An earlier kernel of another commit whose samples are this one's too; NULL: none. */
static const struct kernel *same_kernel(const struct kernels *k, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (!oid_equal(&k->v[n].commit, &k->v[i].commit) &&
		    build_same_code(&k->v[n].build, &k->v[i].build))
			return &k->v[n];
	return NULL;
}

static void plan_all(struct lab *lab, const struct kernels *k, struct shots *shots)
{
	for (size_t i = 0; i < k->nr && !lab_quiet(lab); i++) {
		const struct kernel *same = same_kernel(k, i);

		if (same)
			out_talk("%.12s is the same kernel as %.12s and not booted",
				 k->v[i].commit.hex, same->commit.hex);
	}
	for (unsigned int n = 0; n < lab_boots(lab); n++)
		for (size_t i = 0; i < k->nr; i++)
			if (!same_kernel(k, i))
				shots_plan(shots, lab, &k->v[i], n);
}

static int bench_all(struct ctx *c, struct run *run, const struct bench_opts *o,
		     const struct strv *revs, struct err *e)
{
	_cleanup_(kernels_release) struct kernels kernels = { 0 };
	_cleanup_(shots_release) struct shots shots = { 0 };
	_cleanup_lab_ struct lab *lab = NULL;

	if (calibrate_check(&o->calibrate, &o->stage, revs->nr, e) < 0 ||
	    resolve_all(c, run, revs, &kernels, e) < 0 ||
	    lab_open(c, run, &o->stage, NULL, &lab, e) < 0)
		return -(int)e->code;
	if (o->calibrate.on)
		return calibrate(lab, &kernels.v[0].commit, &o->calibrate, c->json, e);
	if (build_all(lab, &kernels, e) < 0)
		return -(int)e->code;
	plan_all(lab, &kernels, &shots);
	for (size_t i = 0; o->count && i < kernels.nr; i++)
		if (!same_kernel(&kernels, i))
			shots_plan_counted(&shots, lab, &kernels.v[i]);
	if (lab_measure(lab, &shots, NULL, e) < 0)
		return -(int)e->code;
	if (c->json)
		bench_print_json(lab, &shots);
	else
		bench_print(lab, &shots);
	for (size_t i = 0; i < shots.nr; i++)
		if (shot_check(&shots.v[i], e) < 0)
			return c->json ? err_exit_code(e->code) : -(int)e->code;
	return 0;
}

static int no_tree(struct err *e)
{
	err_set(e, ERR_NO_TREE, "there is no repository here");
	return err_hint(e, "name a kernel repository with --tree DIR");
}

static int bench_cmd(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct bench_opts *o = opts;
	struct run *run;

	if (o->list)
		return bench_print_list(c, e);
	if (!args->nr) {
		err_set(e, ERR_USAGE, "a revision is wanted");
		return err_hint(e, "kiln bench REV..., or kiln bench --list");
	}
	if (!c->repo)
		return no_tree(e);
	if (cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, bench_all(c, run, opts, args, e), e);
}

const struct cmd cmd_bench = {
	.name = "bench",
	.summary = "Measure kernels as L0 of a nested guest",
	.usage = "REV...",
	.opts = bench_table,
	.opts_size = sizeof(struct bench_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.min_args = 0,
	.max_args = -1,
	.run = bench_cmd,
};
