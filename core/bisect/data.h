// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/bisect only: what was measured. A unit is one build (commit and layout)
 * with its boots; one boot is one observation, summarised by its location, for its runs
 * share the boot's effect and are no independent samples.
 */
#include "core/bisect/bisect.h"

struct boot_sum {
	double mean,
		robust; /* of the logs of its rates; robust: Hodges-Lehmann, or median */
	double squares; /* around the mean */
	unsigned int runs;
};

struct unit {
	size_t commit, tested; /* the latter: its place among tested commits */
	unsigned int layout;
	struct boot_sum *boots;
	size_t nr;
	unsigned int passed, failed;
};

struct data {
	struct unit *units;
	size_t nr;
	double *residuals; /* of all runs, around their boot's median, scaled */
	size_t nr_residuals;
	unsigned int boots, runs;
	double run_sd; /* what runs are taken to scatter by before anything is known */
};

/* The unit of commit and layout, NULL when there is none. */
const struct unit *data_unit(const struct data *d, size_t commit, unsigned int layout);

/* The same, made when there is none. */
struct unit *data_add_unit(struct data *d, size_t commit, unsigned int layout);

void data_add_boot(struct data *d, struct unit *u, const double *rates, size_t nr);

/* What runs within a boot tell: their variance, and whether some are outliers, in which
 * case the variance is a robust one and boots are told by their robust location. */
struct run_noise {
	double variance;
	bool outliers;
};
struct run_noise data_run_noise(const struct data *d);

static inline double boot_location(const struct boot_sum *b, const struct run_noise *n)
{
	return n->outliers && b->runs >= 3 ? b->robust : b->mean;
}

void data_release(struct data *d);
