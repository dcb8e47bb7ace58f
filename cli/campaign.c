// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign.h"

#include <stdlib.h>
#include <string.h>

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
		.noise = { .boot_sd = o->min_sd > 0 ? o->min_sd
				      : emulated    ? EMULATED_SD
						    : 0 },
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
	c->rows = xcalloc(lab_nr_cells(l), sizeof(*c->rows));
	c->nr = lab_nr_cells(l);
	for (size_t i = 0; i < c->nr; i++)
		if (compare_cell(lab_bench(l), lab_cell(l, i), &base, &patched, &o,
				 &c->rows[i], e) < 0)
			return err_wrap(e, "cannot compare cell %s",
					lab_cell(l, i)->name);
	compare_adjust(c->rows, c->nr, &o);
	return 0;
}

int campaign_run(struct lab *l, const struct oid *base, const struct oid *patched,
		 const struct compare_settings *o, struct campaign *ret, struct err *e)
{
	if (oid_equal(base, patched)) {
		err_set(e, ERR_USAGE, "both sides are commit %.12s", base->hex);
		return err_hint(e, "name two different revisions");
	}
	if (lab_build_ok(l, base, &ret->base, e) < 0 ||
	    lab_build_ok(l, patched, &ret->patched, e) < 0)
		return -(int)e->code;
	ret->virtual_clock = !strcmp(lab_accel(l), "tcg");
	plan(ret, l);
	if (lab_measure(l, &ret->shots, NULL, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < ret->shots.nr; i++)
		if (shot_check(&ret->shots.v[i], e) < 0)
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
