// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/calibrate.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/report/report.h"
#include "bench/stats/calibration.h"
#include "cli/bisect/build.h"
#include "cli/held.h"
#include "cli/json.h"
#include "cli/lab-internal.h"
#include "cli/out.h"
#include "core/base/alloc.h"

#define LAYOUTS 3
#define LAYOUTS_MAX 60 /* before their gaps repeat */
#define BOOTS 5

struct calibrating {
	struct lab *lab;
	struct kernel *kernels; /* one a layout */
	size_t nr;
	struct shots shots;
	struct calibration *cells; /* one a point of the lab */
};

static void calibrating_release(struct calibrating *c)
{
	shots_release(&c->shots);
	for (size_t i = 0; i < c->nr; i++)
		kernel_release(&c->kernels[i]);
	free(c->kernels);
	free(c->cells);
}

static int build_layouts(struct calibrating *c, const struct oid *commit, size_t nr,
			 struct err *e)
{
	struct point point = { .commit = *commit };

	c->kernels = xcalloc(nr, sizeof(*c->kernels));
	for (; c->nr < nr; c->nr++) {
		struct kernel *k = &c->kernels[c->nr];

		if (point_build(c->lab, &point, (unsigned int)c->nr, k, e) < 0 ||
		    build_need_ok(&k->build, e) < 0)
			return err_wrap(e, "cannot calibrate with commit %.12s",
					commit->hex);
	}
	return 0;
}

/* Forth and back, so that what drifts with time falls on all layouts alike. */
static int measure_layouts(struct calibrating *c, struct err *e)
{
	uint64_t boots = c->lab->opts->boots ? c->lab->opts->boots : BOOTS;

	for (unsigned int n = 0; n < boots; n++)
		for (size_t i = 0; i < c->nr; i++)
			shots_plan(&c->shots, c->lab,
				   &c->kernels[n % 2 ? c->nr - 1 - i : i], n);
	if (lab_measure(c->lab, &c->shots, NULL, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < c->shots.nr; i++)
		if (shot_check(&c->shots.v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

static double seconds_of(const struct shots *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->nr; i++)
		sum += s->v[i].boot.seconds;
	return sum / (double)s->nr;
}

static void release_layouts(struct samples *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		samples_release(&v[i]);
	free(v);
}

static int evaluate(struct calibrating *c, struct err *e)
{
	const struct lab *l = c->lab;
	struct samples *layouts = xcalloc(c->nr, sizeof(*layouts));
	int r = 0;

	c->cells = xcalloc(lab_nr_points(l), sizeof(*c->cells));
	for (size_t i = 0; i < c->nr; i++)
		shots_samples(&c->shots, &c->kernels[i], &layouts[i]);
	for (size_t i = 0; i < lab_nr_points(l) && r == 0; i++) {
		r = calibration_of(lab_point(l, i)->bench, lab_point(l, i)->cell, layouts,
				   c->nr, &c->cells[i], e);
		c->cells[i].seconds = seconds_of(&c->shots);
		c->cells[i].time = time(NULL);
	}
	release_layouts(layouts, c->nr);
	return r;
}

static int nothing_to_do(void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

static int keep(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct calibrating *c = ctx;
	for (size_t i = 0; i < lab_nr_points(c->lab); i++) {
		const struct lab_point *p = lab_point(c->lab, i);
		_cleanup_free_ char *params = held_params(c->lab, p->bench);
		const struct measured of = {
			.target = c->shots.v[0].boot.target,
			.accel = lab_accel(c->lab),
			.path = c->shots.v[0].boot.path,
			.benchmark = p->bench->name,
			.l0 = p->cell->l0,
			.l1 = p->cell->l1,
			.params = params,
		};

		if (store_add_calibration(run_store(r), run_id(r), &of, &c->cells[i], e) <
		    0)
			return -(int)e->code;
	}
	buf_addf(detail, "%zu", lab_nr_points(c->lab));
	return 0;
}

static int kept(void *ctx, struct run *r, const char *detail, struct err *e)
{
	(void)r;
	(void)detail;
	return nothing_to_do(ctx, e);
}

static json_t *cell_json(const struct lab *l, size_t i, const struct calibration *c)
{
	const struct lab_point *p = lab_point(l, i);

	return json_pack("{s:s, s:{s:s, s:s}, s:i, s:i, s:i, s:f, s:o, s:o, s:o, s:f}",
			 "benchmark", p->bench->name, "cell", "l0", p->cell->l0, "l1",
			 p->cell->l1, "layouts", (int)c->layouts, "boots", (int)c->boots,
			 "runs", (int)c->runs, "value", c->value, "run_sd",
			 c->run_df ? json_real(c->run_sd) : json_null(), "boot_sd",
			 json_real(c->boot_sd), "build_sd",
			 c->build_df ? json_real(c->build_sd) : json_null(), "seconds",
			 c->seconds);
}

static void print_json(const struct calibrating *c)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < lab_nr_points(c->lab); i++)
		json_array_append_new(cells, cell_json(c->lab, i, &c->cells[i]));
	out_json(json_pack("{s:o, s:s}", "calibrations", cells, "clock",
			   lab_clock(c->lab)));
}

static void add_sd(struct strv *cells, double sd, unsigned int df)
{
	if (df)
		strv_addf(cells, "%.4f%% (%u)", 100 * sd, df);
	else
		strv_add(cells, "unknown");
}

static void print_text(const struct calibrating *c)
{
	static const struct column cols[] = {
		{ "BENCHMARK", false }, { "CELL", false },    { "LAYOUTS", true },
		{ "BOOTS", true },	{ "VALUE", true },    { "RUN SD (DF)", true },
		{ "BOOT SD", true },	{ "BUILD SD", true },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < lab_nr_points(c->lab); i++) {
		const struct calibration *k = &c->cells[i];

		strv_add(&cells, lab_point(c->lab, i)->bench->name);
		strv_add(&cells, lab_point(c->lab, i)->cell->name);
		strv_addf(&cells, "%u", k->layouts);
		strv_addf(&cells, "%u", k->boots);
		strv_addf(&cells, "%.1f", k->value);
		add_sd(&cells, k->run_sd, k->run_df);
		add_sd(&cells, k->boot_sd, k->boot_df);
		add_sd(&cells, k->build_sd, k->build_df);
	}
	out_table(cols, ARRAY_SIZE(cols), &cells);
	out_text("%s\n", report_clock_words(lab_is_emulated(c->lab)));
}

static size_t choose_layouts(const struct lab *l, const struct oid *commit,
			     const struct calibrate_opts *o)
{
	size_t nr = o->layouts ? (size_t)o->layouts : LAYOUTS;

	if (point_has_layouts(lab_repo(l), commit))
		return nr;
	if (nr > 1 && !lab_quiet(l))
		out_talk("no layout but the usual one: %.12s has no init/main.c",
			 commit->hex);
	return 1;
}

int calibrate_check(const struct calibrate_opts *o, const struct stage_opts *stage,
		    size_t revs, struct err *e)
{
	if (o->layouts && !o->on)
		return err_set(e, ERR_USAGE, "--layouts is for --calibrate");
	if (!o->on)
		return 0;
	if (revs != 1)
		return err_set(e, ERR_USAGE, "--calibrate takes one revision, not %zu",
			       revs);
	if (o->layouts > LAYOUTS_MAX)
		return err_set(e, ERR_USAGE,
			       "%llu layouts are more than the %d there are",
			       (unsigned long long)o->layouts, LAYOUTS_MAX);
	if (stage->boots == 1) {
		err_set(e, ERR_USAGE, "one boot says nothing of how boots repeat");
		return err_hint(e, "a calibration takes --boots 2 or more");
	}
	return 0;
}

int calibrate(struct lab *l, const struct oid *commit, const struct calibrate_opts *o,
	      bool json, struct err *e)
{
	static const struct step step = { nothing_to_do, keep, kept };
	_cleanup_(calibrating_release) struct calibrating c = { .lab = l };

	if (build_layouts(&c, commit, choose_layouts(l, commit, o), e) < 0 ||
	    measure_layouts(&c, e) < 0 || evaluate(&c, e) < 0 ||
	    run_step(lab_run(l), &step, "calibrate", &c, e) < 0)
		return -(int)e->code;
	if (json)
		print_json(&c);
	else
		print_text(&c);
	return 0;
}
