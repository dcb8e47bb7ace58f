// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/run-data.h"
#include "core/base/alloc.h"

#define SAME_WITHIN 0.002
/* Boot-to-boot relative sd under -icount is 0.02 %; twice that and a bit
 * (tests/bench/RESULTS.md). */
#define EMULATED_SD 0.0005

struct compare_opts campaign_opts(const struct lab *l, const struct compare_settings *o)
{
	bool emulated = !strcmp(lab_accel(l), "tcg");

	return (struct compare_opts){
		.same_within = o->same_within > 0 ? o->same_within : SAME_WITHIN,
		.min_sd = o->min_sd > 0 ? o->min_sd
			  : emulated	? EMULATED_SD
					: 0,
		.confidence = o->confidence > 0 ? o->confidence : 0.95,
	};
}

/* ABBA: what drifts with time falls on both sides alike. */
static void plan(struct campaign *c, const struct lab *l)
{
	for (unsigned int n = 0; n < lab_boots(l); n++) {
		shots_plan(&c->shots, l, n % 2 ? &c->patched : &c->base, n);
		shots_plan(&c->shots, l, n % 2 ? &c->base : &c->patched, n);
	}
}

static int compare_all(const struct lab *l, const struct compare_settings *settings,
		       struct campaign *c, struct err *e)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct compare_opts o = campaign_opts(l, settings);

	shots_samples(&c->shots, &c->base, &base);
	shots_samples(&c->shots, &c->patched, &patched);
	c->nr = lab_nr_points(l);
	c->rows = xcalloc(c->nr, sizeof(*c->rows));
	for (size_t i = 0; i < c->nr; i++) {
		const struct lab_point *p = lab_point(l, i);

		if (compare_cell(p->bench, p->cell, &base, &patched, &o, &c->rows[i], e) <
		    0)
			return err_wrap(e, "cannot compare %s in cell %s", p->bench->name,
					p->cell->name);
	}
	compare_adjust(c->rows, c->nr, &o);
	return 0;
}

/* A difference that is not the kernel's would be taken for the kernel's. */
static int check_environment(const struct lab *l, const struct campaign *c,
			     bool unlike_ok, struct err *e)
{
	_cleanup_free_ char *why = NULL;
	enum likeness like = shots_likeness(&c->shots, &c->base, &why);

	if (like == ENVIRONMENT_UNLIKE && !unlike_ok) {
		err_set(e, ERR_UNDECIDED, "%s", why);
		err_wrap(e, "the boots measured in unlike environments");
		return err_hint(e, "make the machine the same for both and measure "
				   "again, or compare all the same with --unlike");
	}
	/* of unlike boots the lab has told */
	if (like == ENVIRONMENT_FLAGGED && !lab_quiet(l))
		out_talk("warning: environments differ: %s", why);
	return 0;
}

/* Equal code behaves alike: a boot could only measure the machine. */
static void take_as_same(const struct lab *l, const struct compare_settings *settings,
			 struct campaign *c)
{
	struct compare_opts o = campaign_opts(l, settings);

	c->same_code = true;
	c->nr = lab_nr_points(l);
	c->rows = xcalloc(c->nr, sizeof(*c->rows));
	for (size_t i = 0; i < c->nr; i++)
		c->rows[i] = (struct comparison){
			.cell = lab_point(l, i)->cell,
			.benchmark = lab_point(l, i)->bench->name,
			.unit = lab_point(l, i)->bench->unit,
			.confidence = o.confidence,
			.p = 1,
			.p_adj = 1,
			.verdict = VERDICT_SAME,
		};
}

int campaign_run(struct lab *l, const struct oid *base, const struct oid *patched,
		 const struct compare_settings *o, struct campaign *ret, struct err *e)
{
	struct compare_opts opts;

	if (oid_equal(base, patched)) {
		err_set(e, ERR_USAGE, "both sides are commit %.12s", base->hex);
		return err_hint(e, "name two different revisions");
	}
	if (lab_build_ok(l, base, &ret->base, e) < 0 ||
	    lab_build_ok(l, patched, &ret->patched, e) < 0)
		return -(int)e->code;
	ret->virtual_clock = !strcmp(lab_accel(l), "tcg");
	if (build_same_code(&ret->base.build, &ret->patched.build)) {
		take_as_same(l, o, ret);
		return 0;
	}
	plan(ret, l);
	if (lab_measure(l, &ret->shots, NULL, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < ret->shots.nr; i++)
		if (shot_check(&ret->shots.v[i], e) < 0)
			return -(int)e->code;
	if (check_environment(l, ret, o->unlike, e) < 0)
		return -(int)e->code;
	opts = campaign_opts(l, o);
	if (run_keep_sides(lab_run(l), &(struct run_sides){ *base, *patched, opts }, e) <
	    0)
		return -(int)e->code;
	return compare_all(l, o, ret, e);
}

int campaign_exit_code(const struct campaign *c)
{
	bool undecided = false;

	if (campaign_worst(c))
		return err_exit_code(ERR_REGRESSION);
	for (size_t i = 0; i < c->nr; i++)
		undecided |= c->rows[i].verdict == VERDICT_UNDECIDED;
	return undecided ? err_exit_code(ERR_UNDECIDED) : 0;
}

const struct comparison *campaign_worst(const struct campaign *c)
{
	const struct comparison *worst = NULL;

	for (size_t i = 0; i < c->nr; i++)
		if (c->rows[i].verdict == VERDICT_SLOWER &&
		    (!worst || c->rows[i].change < worst->change))
			worst = &c->rows[i];
	return worst;
}

void campaign_release(struct campaign *c)
{
	shots_release(&c->shots);
	kernel_release(&c->base);
	kernel_release(&c->patched);
	free(c->rows);
	*c = (struct campaign){ 0 };
}
