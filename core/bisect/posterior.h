// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/bisect only: the posterior over groups of commits. With y the log of a
 * rate, commit x, boot b and m runs,
 *
 *	y = level(side of x) + build(x, layout) + boot(b) + run / sqrt(m)
 *
 * with build ~ N(0, lam^2), boot ~ N(0, tau^2) or t5, run ~ N(0, sig^2); levels have a flat
 * prior of width LEVEL_RANGE; tau and lam are integrated out on a grid. For Gaussian
 * boots all integrals are in closed form.
 */
#include "core/bisect/data.h"
#include "core/bisect/groups.h"

#define LEVEL_RANGE 0.5
#define NOISE_POINTS 32

/* Where tau and lam may lie. */
struct noise_grid {
	size_t nr;
	struct noise_point {
		double tau, lam, log_weight;
	} v[NOISE_POINTS];
};

/* tau from min_sd (0: 0.15 %) up to 3.5 % at least; lam known, or unknown if negative. */
void noise_grid_init(struct noise_grid *g, double min_sd, double build_sd);

/* What is asked of the change: its direction and least size, as a log. */
struct change_prior {
	int direction;
	double least;
};

struct problem {
	const struct data *data;
	const struct groups *groups;
	const struct noise_grid *grid;
	struct run_noise run;
	struct change_prior change;
};

/* The two levels under one hypothesis, means and variances of their posterior. */
struct levels {
	double old, old_var, new, new_var;
};

struct posterior {
	size_t nr;
	double *p;	       /* [nr] of each group, given that there is a change */
	struct levels *levels; /* [nr] */
	struct levels none;    /* old: the only level when there is no change */
	double none_p;	       /* of no change, whose prior is 1/2 */
	double log_bf10;
	double tau2, lam2, run2;    /* posterior means of the variances */
	double log_tau;		    /* and of the log of tau */
	double point[NOISE_POINTS]; /* posterior of each point of the grid */
};

/* Gaussian boots. */
void posterior_gauss(const struct problem *pr, struct posterior *ret);

/* t5 boots, by sums over a grid of levels; fills all but the levels of ret, which is
 * zeroed. false when there is too little noise for such a grid. */
bool posterior_tails(const struct problem *pr, struct posterior *ret);

/* A predicate instead of a number: data->units have passed and failed. */
void posterior_predicate(const struct problem *pr, struct posterior *ret);

/* For the three above: from the log likelihood of each group and of no change (last) at
 * each point of the grid, [grid->nr][groups->nr + 1]. */
void posterior_combine(const struct problem *pr, const double *log_like,
		       struct posterior *ret);

/* Two changes against one, and where the second is when one is in group first. */
struct two_changes {
	double log_bf21;
	double *second; /* [groups] posterior of the other change's group, given two */
	double step;	/* size of it at the likeliest place, signed log */
};
void posterior_two(const struct problem *pr, size_t first, struct two_changes *ret);

void posterior_release(struct posterior *p);
