// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A finished bisection as bench/report wants to see it. */
#include "bench/report/report.h"
#include "cli/bisect/search.h"

struct bisect_view {
	struct report_commit *commits;
	struct report_bisect report; /* points into commits and the bisection */
};

/* Fill view from b, which it borrows. */
void bisect_view_fill(struct bisect_view *view, const struct bisection *b,
		      const struct benchmark *bench, const struct cell *cell);

/* Give the commits that are patches of s, applied as a, their numbers. */
void bisect_view_number(struct bisect_view *view, const struct series *s,
			const struct apply_result *a);

void bisect_view_release(struct bisect_view *view);
