// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate.h"
#include "cli/cmd.h"
#include "cli/json-compare.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "cli/stages.h"
#include "core/base/alloc.h"

struct bench_opts {
	struct stage_opts stage;
	struct calibrate_opts calibrate;
};

static const struct opt bench_table[] = {
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

static void print_shot(const struct shot *s, struct strv *cells)
{
	for (size_t i = 0; i < s->samples.nr; i++) {
		const struct sample *sample = &s->samples.v[i];

		strv_addf(cells, "%.12s", sample->commit.hex);
		strv_add(cells, sample->benchmark);
		strv_addf(cells, "%s/%s", sample->l0, sample->l1);
		strv_addf(cells, "%.8s", sample->token);
		strv_addf(cells, "%d", sample->ordinal);
		strv_addf(cells, "%.1f", sample->value);
		strv_add(cells, sample->unit);
		strv_add(cells, sample->clock);
		strv_add(cells, sample->proven ? "yes" : "no");
	}
}

static void print_samples(const struct shots *shots)
{
	static const struct column cols[] = {
		{ "COMMIT", false }, { "BENCHMARK", false }, { "CELL", false },
		{ "BOOT", false },   { "RUN", true },	     { "VALUE", true },
		{ "UNIT", false },   { "CLOCK", false },     { "PROVEN", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < shots->nr; i++)
		print_shot(&shots->v[i], &cells);
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

static void print_json(const struct shots *shots)
{
	_cleanup_samples_ struct samples all = SAMPLES_INIT;

	for (size_t i = 0; i < shots->nr; i++)
		samples_copy(&shots->v[i].samples, &all);
	out_json(json_pack("{s:o}", "samples", json_samples(&all)));
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
	for (unsigned int n = 0; n < lab_boots(lab); n++)
		for (size_t i = 0; i < kernels.nr; i++)
			shots_plan(&shots, lab, &kernels.v[i], n);
	if (lab_measure(lab, &shots, NULL, e) < 0)
		return -(int)e->code;
	if (c->json)
		print_json(&shots);
	else
		print_samples(&shots);
	for (size_t i = 0; i < shots.nr; i++)
		if (shot_check(&shots.v[i], e) < 0)
			return c->json ? err_exit_code(e->code) : -(int)e->code;
	return 0;
}

static int bench_cmd(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	struct run *run;

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
	.needs = CMD_STORE | CMD_TREE,
	.min_args = 1,
	.max_args = -1,
	.run = bench_cmd,
};
