// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Campaigns in worlds whose truth is known, through compare_cell() as a command calls it:
 * what share of them gets a false verdict, an interval that holds the truth, a true one.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "bench/stats/compare.h"
#include "core/base/alloc.h"

struct stats_world {
	double boot_sd, run_sd, effect; /* of logs */
	double outliers;    /* share of runs that are 10 % slower on average */
	size_t boots, runs; /* a side; runs in each boot */
	struct compare_opts o;
	bool drawn; /* o.noise.boot_sd is the truth; each trial has it as measured, with its
		       degrees of freedom */
	size_t trials;
	unsigned long seed;
};

struct stats_tally {
	double differs; /* share of trials with a verdict of faster or slower */
	double wrong;	/* of these, that name the wrong direction */
	double covers;	/* whose interval holds the effect */
	double same;
};

static void stats_side(struct samples *s, size_t boots, size_t runs, const char *side)
{
	for (size_t i = 0; i < boots * runs; i++) {
		struct sample *n = samples_add(s);

		n->token = xasprintf("%s%zu", side, i / runs);
		n->benchmark = xstrdup("cpuid_rate");
		n->l0 = xstrdup("npt");
		n->l1 = xstrdup("npt");
		n->unit = xstrdup("/s");
		n->clock = xstrdup("host");
		n->path = xstrdup("kexec");
		n->proven = true;
	}
}

static void stats_draw(struct samples *s, const struct stats_world *w, double mu,
		       gsl_rng *rng)
{
	for (size_t b = 0; b < w->boots; b++) {
		double boot = mu + gsl_ran_gaussian(rng, w->boot_sd);

		for (size_t r = 0; r < w->runs; r++) {
			double y = boot + gsl_ran_gaussian(rng, w->run_sd);

			if (w->outliers > 0 && gsl_rng_uniform(rng) < w->outliers)
				y -= gsl_ran_exponential(rng, 0.1);
			s->v[b * w->runs + r].value = exp(y);
		}
	}
}

static struct stats_tally stats_world_run(const struct stats_world *w)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	_cleanup_err_ struct err e = { 0 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct stats_tally t = { 0 };
	double share = 1 / (double)w->trials;

	gsl_rng_set(rng, w->seed);
	stats_side(&base, w->boots, w->runs, "b");
	stats_side(&patched, w->boots, w->runs, "p");
	for (size_t i = 0; i < w->trials; i++) {
		double effect = expm1(w->effect), df = w->o.noise.boot_df;
		struct compare_opts o = w->o;
		struct comparison c;

		if (w->drawn)
			o.noise.boot_sd *= sqrt(gsl_ran_chisq(rng, df) / df);
		stats_draw(&base, w, 10, rng);
		stats_draw(&patched, w, 10 + w->effect, rng);
		if (compare_cell(bench_find("cpuid_rate"), cell_at(NULL, 0), &base,
				 &patched, &o, &c, &e) < 0)
			abort();
		if (c.verdict == VERDICT_FASTER || c.verdict == VERDICT_SLOWER) {
			t.differs += share;
			if ((c.verdict == VERDICT_FASTER) != (w->effect > 0))
				t.wrong += share;
		}
		t.covers += c.ci_lo <= effect && effect <= c.ci_hi ? share : 0;
		t.same += c.verdict == VERDICT_SAME ? share : 0;
	}
	gsl_rng_free(rng);
	return t;
}
