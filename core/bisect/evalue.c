// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/evalue.h"

#include <math.h>

double e_value(const double *d, size_t nr, double g)
{
	double n = (double)nr, mean = 0, squares = 0, t2, shrink = 1 + n * g;

	if (nr < 2)
		return 1;
	for (size_t i = 0; i < nr; i++)
		mean += d[i] / n;
	for (size_t i = 0; i < nr; i++)
		squares += (d[i] - mean) * (d[i] - mean);
	if (!(squares > 0))
		return mean == 0 ? 1 : INFINITY;
	t2 = n * mean * mean / (squares / (n - 1));
	return pow((1 + t2 / (n - 1)) / (1 + t2 / ((n - 1) * shrink)), n / 2) /
	       sqrt(shrink);
}
