// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/fdr.h"

#include <stdlib.h>

#include "core/base/alloc.h"

static int descending(const void *a, const void *b)
{
	const double *x = *(double *const *)a, *y = *(double *const *)b;

	return (*x < *y) - (*x > *y);
}

void fdr_adjust(double *p, size_t nr)
{
	_cleanup_free_ double **order = xcalloc(nr ? nr : 1, sizeof(*order));
	double least = 1;

	for (size_t i = 0; i < nr; i++)
		order[i] = &p[i];
	qsort(order, nr, sizeof(*order), descending);
	for (size_t i = 0; i < nr; i++) { /* order[i] has rank nr - i from below */
		double adjusted = *order[i] * (double)nr / (double)(nr - i);

		least = adjusted < least ? adjusted : least;
		*order[i] = least;
	}
}
