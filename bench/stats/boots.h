// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Samples of one side gathered by boot. */
#include "bench/bench.h"

struct boots {
	double *mean_log; /* one a boot, in the order of their first samples */
	size_t nr;
	unsigned int runs;
	double squares;	   /* of the runs' logs around their boot's mean, all boots */
	const char *clock; /* of all of them, borrowed from the samples; NULL if none */
	const char *path;  /* by which they came up, likewise */
	const struct sample *first; /* all are of its kind; borrowed, NULL if none */
};
#define BOOTS_INIT \
	{          \
		0  \
	}

/*
 * The proven samples of benchmark and cell, each boot as the mean of its runs' logs.
 * ERR_USAGE as compare_cell(). ret is released by the caller on success.
 */
_must_check_ int boots_collect(const struct benchmark *b, const struct cell *c,
			       const struct samples *samples, struct boots *ret,
			       struct err *e);

void boots_release(struct boots *b);
#define _cleanup_boots_ _cleanup_(boots_release)
