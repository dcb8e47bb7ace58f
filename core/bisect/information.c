// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "core/bisect/choice.h"

#define MIN_POINTS 45
#define MAX_POINTS 181
#define REACH 5.5 /* sd beyond the outer components */

static double density(const struct component *c, size_t nr, double y)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		double z2 = (y - c[i].mean) * (y - c[i].mean) / c[i].var;

		if (z2 < 80)
			sum += c[i].p * exp(-z2 / 2) / sqrt(2 * M_PI * c[i].var);
	}
	return sum;
}

double mixture_information(const struct component *c, size_t nr)
{
	double lo = INFINITY, hi = -INFINITY, least = INFINITY, inside = 0, h = 0, step;
	double total = 0;
	int points;

	for (size_t i = 0; i < nr; i++) {
		double sd = sqrt(c[i].var);

		lo = fmin(lo, c[i].mean - REACH * sd);
		hi = fmax(hi, c[i].mean + REACH * sd);
		least = fmin(least, sd);
		inside += c[i].p * log(2 * M_PI * M_E * c[i].var) / 2;
		total += c[i].p;
	}
	if (!(hi > lo))
		return 0;
	points = (int)fmin(fmax(3 * (hi - lo) / least, MIN_POINTS), MAX_POINTS);
	step = (hi - lo) / (points - 1);
	for (int i = 0; i < points; i++) {
		double f = density(c, nr, lo + i * step) / total;

		if (f > 0)
			h -= f * log(f) * step;
	}
	return fmax(h - inside / total, 0);
}

double best_runs(double run_sd, double boot_sd, double fixed, double run)
{
	return run_sd / boot_sd * sqrt(fixed / run);
}
