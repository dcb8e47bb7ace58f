// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: what a boot is worth. */
#include <stddef.h>

/* One hypothesis' prediction of a boot. */
struct component {
	double p, mean, var;
};

/* Mutual information (nats) of the hypothesis and the boot's location. */
double mixture_information(const struct component *c, size_t nr);

/*
 * Runs in a boot at which an hour tells most, not rounded: sig/tau sqrt(fixed/run), after
 * Kalibera and Jones (2013), with sd of runs and of boots, seconds of the fixed part and
 * of a run.
 */
double best_runs(double run_sd, double boot_sd, double fixed, double run);
