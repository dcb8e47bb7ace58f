// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/calibration.h"

#include <math.h>

#include "bench/stats/boots.h"

/* Sums over layouts, as they come. */
struct sums {
	unsigned int layouts, boots, runs;
	double within_boots;   /* squares of runs around their boot's mean */
	double within_layouts; /* of boots around their layout's */
	double mean, squares;  /* of the layouts' means (Welford) */
	double inverse;	       /* of the layouts' boots */
	double all;	       /* of the boots' means */
};

static void add_layout(struct sums *s, const struct boots *b)
{
	double mean = 0, off;

	if (!b->nr)
		return;
	for (size_t i = 0; i < b->nr; i++)
		mean += b->mean_log[i] / (double)b->nr;
	for (size_t i = 0; i < b->nr; i++) {
		s->within_layouts += pow(b->mean_log[i] - mean, 2);
		s->all += b->mean_log[i];
	}
	s->within_boots += b->squares;
	s->layouts++;
	s->boots += (unsigned int)b->nr;
	s->runs += b->runs;
	s->inverse += 1 / (double)b->nr;
	off = mean - s->mean;
	s->mean += off / s->layouts;
	s->squares += off * (mean - s->mean);
}

static double sd(double squares, unsigned int df)
{
	return df ? sqrt(squares / df) : 0;
}

static void finish(const struct sums *s, struct calibration *ret)
{
	double runs = (double)s->runs / s->boots, layouts;

	*ret = (struct calibration){
		.layouts = s->layouts,
		.boots = s->boots,
		.runs = s->runs,
		.value = exp(s->all / s->boots),
		.run_df = s->runs - s->boots,
		.boot_df = s->boots - s->layouts,
		.build_df = s->layouts - 1,
	};
	ret->run_sd = sd(s->within_boots, ret->run_df);
	ret->boot_sd =
		fmax(sd(s->within_layouts, ret->boot_df), ret->run_sd / sqrt(runs));
	layouts = pow(sd(s->squares, ret->build_df), 2);
	ret->build_sd =
		sqrt(fmax(0, layouts - pow(ret->boot_sd, 2) * s->inverse / s->layouts));
}

int calibration_of(const struct benchmark *b, const struct cell *c,
		   const struct samples *layouts, size_t nr, struct calibration *ret,
		   struct err *e)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < nr; i++) {
		_cleanup_boots_ struct boots boots = BOOTS_INIT;

		if (boots_collect(b, c, &layouts[i], &boots, e) < 0)
			return err_wrap(e, "cannot calibrate %s in %s", b->name, c->name);
		add_layout(&sums, &boots);
	}
	if (sums.boots <= sums.layouts) {
		err_set(e, ERR_UNDECIDED,
			"%u boots of %u builds say nothing of how %s repeats in %s",
			sums.boots, sums.layouts, b->name, c->name);
		return err_hint(e, "a calibration takes --boots 2 or more");
	}
	finish(&sums, ret);
	return 0;
}
