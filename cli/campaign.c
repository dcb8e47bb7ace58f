// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/campaign-order.h"
#include "cli/campaign-plan.h"
#include "cli/campaign-stored.h"
#include "cli/held.h"
#include "cli/out.h"
#include "cli/run-data.h"
#include "core/base/alloc.h"

#define SAME_WITHIN 0.002

int campaign_opts(const struct compare_settings *o, const struct noise *n,
		  struct compare_opts *ret, struct err *e)
{
	double effect = o->target_effect;

	if (!(effect >= 0 && effect < 1) || !(o->min_sd >= 0 && o->min_sd < 1))
		return err_set(e, ERR_USAGE,
			       "an effect of %g, a sd of %g: both lie from 0 to 1",
			       effect, o->min_sd);
	*ret = (struct compare_opts){
		.same_within = o->same_within > 0 ? o->same_within
			       : effect > 0	  ? effect
						  : SAME_WITHIN,
		.noise = n->known,
		.confidence = o->confidence > 0 ? o->confidence : 0.95,
		.sequential = effect > 0,
	};
	return 0;
}

static int find_noise(struct lab *l, const struct compare_settings *o, struct campaign *c,
		      struct err *e)
{
	c->nr_noise = lab_nr_points(l);
	c->noise = xcalloc(c->nr_noise, sizeof(*c->noise));
	for (size_t i = 0; i < c->nr_noise; i++)
		if (noise_of(l, lab_point(l, i), o->min_sd, &c->noise[i], e) < 0)
			return err_wrap(e, "cannot tell how %s in cell %s repeats",
					lab_point(l, i)->bench->name,
					lab_point(l, i)->cell->name);
	return 0;
}

/* Both sides of one pair, in an order that the seed says. */
static void plan_pair(const struct lab *l, const struct campaign *c, unsigned int n,
		      struct shots *ret)
{
	bool base_first = order_base_first(c->seed, n);

	shots_plan(ret, l, base_first ? &c->base : &c->patched, n);
	shots_plan(ret, l, base_first ? &c->patched : &c->base, n);
}

static int measure(struct lab *l, struct shots *shots, struct campaign *c, struct err *e)
{
	int r = lab_measure(l, shots, NULL, e);

	for (size_t i = 0; i < shots->nr; i++)
		*array_push(c->shots.v, c->shots.nr) = shots->v[i];
	free(shots->v); /* what they hold moved */
	*shots = (struct shots){ 0 };
	if (r < 0)
		return r;
	for (size_t i = 0; i < c->shots.nr; i++)
		if (shot_check(&c->shots.v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

static struct identity identity_of(const struct campaign *c, const struct kernel *k)
{
	for (size_t i = 0; i < c->shots.nr; i++)
		if (c->shots.v[i].kernel == k)
			return (struct identity){ c->shots.v[i].boot.target,
						  c->shots.v[i].boot.accel,
						  c->shots.v[i].boot.path, NULL };
	return (struct identity){ 0 }; /* stored boots were chosen to be alike */
}

/* A difference that is not the kernel's would be taken for the kernel's. */
static int check_environment(const struct lab *l, struct campaign *c, bool unlike_ok,
			     struct err *e)
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
	if (like == ENVIRONMENT_FLAGGED && !lab_quiet(l) && !c->flagged)
		out_talk("warning: environments differ: %s", why);
	c->flagged = like == ENVIRONMENT_FLAGGED;
	return 0;
}

/* How one row of the table is decided. */
static int row_opts(const struct lab *l, const struct compare_settings *settings,
		    const struct noise *n, struct compare_opts *ret, struct err *e)
{
	if (campaign_opts(settings, n, ret, e) < 0)
		return -(int)e->code;
	ret->rows = lab_nr_points(l);
	ret->sequential = ret->sequential && !settings->stored;
	return 0;
}

static int compare_all(const struct lab *l, const struct compare_settings *settings,
		       struct campaign *c, struct err *e)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	const struct identity one = identity_of(c, &c->base);
	const struct identity other = identity_of(c, &c->patched);
	struct compare_opts o = { 0 };

	if (identity_alike(&one, &other, e) < 0 ||
	    check_environment(l, c, settings->unlike, e) < 0)
		return -(int)e->code;
	shots_samples(&c->shots, &c->base, &base);
	shots_samples(&c->shots, &c->patched, &patched);
	samples_copy(&c->stored[0], &base);
	samples_copy(&c->stored[1], &patched);
	if (!c->rows)
		c->rows = xcalloc(lab_nr_points(l), sizeof(*c->rows));
	for (size_t i = 0; i < lab_nr_points(l); i++) {
		const struct lab_point *p = lab_point(l, i);
		struct comparison *row = &c->rows[i];

		if (row_opts(l, settings, &c->noise[i], &o, e) < 0)
			return -(int)e->code;
		if (compare_cell(p->bench, p->cell, &base, &patched, &o, row, e) < 0)
			return err_wrap(e, "cannot compare %s in cell %s", p->bench->name,
					p->cell->name);
		row->stored = settings->stored ? row->base.boots + row->patched.boots : 0;
	}
	c->nr = lab_nr_points(l);
	compare_adjust(c->rows, c->nr, &o);
	return 0;
}

static bool decided(const struct campaign *c)
{
	for (size_t i = 0; i < c->nr; i++)
		if (c->rows[i].verdict == VERDICT_UNDECIDED)
			return false;
	return true;
}

/* Wall seconds so far, by the boots' own, which a resumed run has too. */
static double spent(const struct lab *l, const struct campaign *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->shots.nr; i++)
		sum += c->shots.v[i].boot.seconds;
	return sum / fmin(lab_machines(l), (double)c->shots.nr);
}

static void tell_pair(const struct lab *l, const struct campaign *c, unsigned int n)
{
	if (lab_quiet(l))
		return;
	for (size_t i = 0; i < c->nr; i++)
		out_talk("pair  %u  %s %s  %+.2f %%  p %.4f  %s", n, c->rows[i].benchmark,
			 c->rows[i].cell->name, 100 * c->rows[i].change, c->rows[i].p_adj,
			 verdict_name(c->rows[i].verdict));
}

/* Pair by pair, until all is clear. */
static int measure_until(struct lab *l, const struct campaign_plan *p,
			 const struct compare_settings *o, struct campaign *c,
			 struct err *e)
{
	for (unsigned int n = 0; n < p->most; n++) {
		_cleanup_(shots_release) struct shots pair = { 0 };

		c->out_of_time = o->budget && n &&
				 spent(l, c) + p->pair_seconds > (double)o->budget;
		if (c->out_of_time)
			return 0;
		plan_pair(l, c, n, &pair);
		if (measure(l, &pair, c, e) < 0 || compare_all(l, o, c, e) < 0)
			return -(int)e->code;
		tell_pair(l, c, n + 1);
		if (decided(c))
			return 0;
	}
	return 0;
}

static int measure_all(struct lab *l, const struct campaign_plan *p, struct campaign *c,
		       struct err *e)
{
	_cleanup_(shots_release) struct shots all = { 0 };

	for (unsigned int n = 0; n < p->most; n++)
		plan_pair(l, c, n, &all);
	return measure(l, &all, c, e);
}

static int build_both(struct lab *l, const struct oid commits[2], struct campaign *c,
		      struct err *e)
{
	if (lab_build_ok(l, &commits[0], &c->base, e) < 0 ||
	    lab_build_ok(l, &commits[1], &c->patched, e) < 0)
		return -(int)e->code;
	c->same_code = build_same_code(&c->base.build, &c->patched.build);
	return 0;
}

static int take_stored(struct lab *l, const struct oid commits[2], struct campaign *c,
		       struct err *e)
{
	if (campaign_check_stored(l, commits, e) < 0 || build_both(l, commits, c, e) < 0)
		return -(int)e->code;
	return c->same_code ? 0 : campaign_take_stored(l, c, e);
}

static int measure_new(struct lab *l, const struct oid commits[2],
		       const struct compare_settings *o, struct campaign *c,
		       struct err *e)
{
	struct campaign_plan plan;

	if (campaign_plan(l, commits, o, c->noise, &plan, e) < 0 ||
	    campaign_plan_check(l, &plan, o, e) < 0 || build_both(l, commits, c, e) < 0 ||
	    order_seed(l, o->seed, &c->seed, e) < 0)
		return -(int)e->code;
	if (c->same_code)
		return 0;
	return o->target_effect > 0 ? measure_until(l, &plan, o, c, e)
				    : measure_all(l, &plan, c, e);
}

/* Equal code behaves alike: a boot could only measure the machine. */
static int take_as_same(const struct lab *l, const struct compare_settings *settings,
			struct campaign *c, struct err *e)
{
	struct compare_opts o;

	if (campaign_opts(settings, &(struct noise){ 0 }, &o, e) < 0)
		return -(int)e->code;
	c->nr = lab_nr_points(l);
	c->rows = xcalloc(c->nr, sizeof(*c->rows));
	for (size_t i = 0; i < c->nr; i++)
		c->rows[i] = (struct comparison){
			.cell = lab_point(l, i)->cell,
			.benchmark = lab_point(l, i)->bench->name,
			.unit = lab_point(l, i)->bench->unit,
			.confidence = o.confidence,
			.same_within = o.same_within,
			.p = 1,
			.p_adj = 1,
			.verdict = VERDICT_SAME,
		};
	return 0;
}

/* So that the run can be told again by the same rules. */
static int keep_sides(const struct lab *l, const struct oid commits[2],
		      const struct compare_settings *settings, const struct campaign *c,
		      struct err *e)
{
	struct run_sides sides = { .base = commits[0], .patched = commits[1] };

	for (size_t i = 0; i < lab_nr_points(l); i++) {
		const struct lab_point *p = lab_point(l, i);

		if (row_opts(l, settings, &c->noise[i], &sides.opts, e) < 0 ||
		    run_keep_noise(lab_run(l), p->bench->name, p->cell, &sides.opts.noise,
				   e) < 0)
			return -(int)e->code;
	}
	return run_keep_sides(lab_run(l), &sides, e);
}

int campaign_run(struct lab *l, const struct oid *base, const struct oid *patched,
		 const struct compare_settings *o, struct campaign *ret, struct err *e)
{
	const struct oid commits[2] = { *base, *patched };
	struct compare_opts check;
	int r;

	if (oid_equal(base, patched)) {
		err_set(e, ERR_USAGE, "both sides are commit %.12s", base->hex);
		return err_hint(e, "name two different revisions");
	}
	ret->virtual_clock = lab_is_emulated(l);
	if (campaign_opts(o, &(struct noise){ 0 }, &check, e) < 0 ||
	    find_noise(l, o, ret, e) < 0)
		return -(int)e->code;
	r = o->stored ? take_stored(l, commits, ret, e)
		      : measure_new(l, commits, o, ret, e);
	if (r < 0)
		return r;
	if (ret->same_code)
		return take_as_same(l, o, ret, e);
	return keep_sides(l, commits, o, ret, e) < 0 ? -(int)e->code
						     : compare_all(l, o, ret, e);
}

int campaign_exit_code(const struct campaign *c)
{
	if (campaign_worst(c))
		return err_exit_code(ERR_REGRESSION);
	return decided(c) ? 0 : err_exit_code(ERR_UNDECIDED);
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
	for (size_t i = 0; i < ARRAY_SIZE(c->stored); i++)
		samples_release(&c->stored[i]);
	for (size_t i = 0; i < c->nr_noise; i++)
		noise_release(&c->noise[i]);
	free(c->noise);
	free(c->rows);
	*c = (struct campaign){ 0 };
}
