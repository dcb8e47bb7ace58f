// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only. */
#include <math.h>

/* The log of exp(sum) + exp(term); either may be -INFINITY. */
static inline double log_add(double sum, double term)
{
	double hi = fmax(sum, term), lo = fmin(sum, term);

	return isinf(lo) ? hi : hi + log1p(exp(lo - hi));
}
