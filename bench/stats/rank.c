// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/rank.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *differences(const struct boot_means *base,
			   const struct boot_means *patched)
{
	double *d = xcalloc(base->nr * patched->nr, sizeof(*d));

	for (size_t i = 0; i < base->nr; i++)
		for (size_t k = 0; k < patched->nr; k++)
			d[i * patched->nr + k] = patched->v[k] - base->v[i];
	qsort(d, base->nr * patched->nr, sizeof(*d), ascending);
	return d;
}

/*
 * P(U <= u) for every u below nr, by who has the largest value of all:
 *	P(u; n, m) = n/(n+m) P(u - m; n-1, m) + m/(n+m) P(u; n, m-1)
 * Sums of positive terms only: nothing cancels in the tails.
 */
static double *exact_tail(size_t n1, size_t n2, size_t nr)
{
	/* rows[m] is the distribution for (n, m), n growing in place */
	_cleanup_free_ double *rows = xcalloc((n2 + 1) * nr, sizeof(*rows));
	double *tail = xcalloc(nr, sizeof(*tail));

	for (size_t m = 0; m <= n2; m++)
		rows[m * nr] = 1; /* n = 0: U is 0 */
	for (size_t n = 1; n <= n1; n++) {
		for (size_t m = 1; m <= n2; m++) {
			double *row = &rows[m * nr];
			const double *less = row - nr;
			double share = (double)n / (double)(n + m);

			for (size_t u = nr; u-- > 0;)
				row[u] = (u >= m ? share * row[u - m] : 0) +
					 (1 - share) * less[u];
		}
	}
	for (size_t u = 0; u < nr; u++)
		tail[u] = rows[n2 * nr + u] + (u ? tail[u - 1] : 0);
	return tail;
}

static double *normal_tail(size_t n1, size_t n2, size_t nr)
{
	double n = (double)n1, m = (double)n2;
	double sd = sqrt(n * m * (n + m + 1) / 12);
	double *tail = xcalloc(nr, sizeof(*tail));

	for (size_t u = 0; u < nr; u++)
		tail[u] = gsl_cdf_ugaussian_P(((double)u + 0.5 - n * m / 2) / sd);
	return tail;
}

/* For u up to the middle; beyond it the other tail is the smaller one. */
static double *lower_tail(size_t n1, size_t n2, size_t nr)
{
	bool exact = n1 <= RANK_EXACT && n2 <= RANK_EXACT;

	return exact ? exact_tail(n1, n2, nr) : normal_tail(n1, n2, nr);
}

static double middle(const double *sorted, size_t nr)
{
	return nr % 2 ? sorted[nr / 2] : (sorted[nr / 2 - 1] + sorted[nr / 2]) / 2;
}

void rank_shift_of(const struct boot_means *base, const struct boot_means *patched,
		   double confidence, struct rank_shift *ret)
{
	size_t nr = base->nr * patched->nr, half = nr / 2 + 1, k = 0;
	size_t below = 0, above = 0, u;
	_cleanup_free_ double *d = NULL, *tail = NULL;

	*ret = (struct rank_shift){ .lo = -INFINITY, .hi = INFINITY, .p = 1 };
	if (!nr)
		return;
	d = differences(base, patched);
	tail = lower_tail(base->nr, patched->nr, half);
	ret->shift = middle(d, nr);
	for (size_t i = 0; i < nr; i++) {
		below += d[i] <= 0;
		above += d[i] >= 0;
	}
	u = below < above ? below : above;
	if (u < half)
		ret->p = fmin(1, 2 * tail[u]);
	while (k < half && tail[k] <= (1 - confidence) / 2)
		k++;
	ret->enough = k > 0;
	if (!k)
		return;
	ret->lo = d[k - 1];
	ret->hi = d[nr - k];
}

double rank_least_p(size_t n1, size_t n2)
{
	double p = 2;

	for (size_t i = 1; i <= n2; i++)
		p *= (double)i / (double)(n1 + i);
	return fmin(p, 1);
}

unsigned int rank_needs(double alpha)
{
	unsigned int n = 1;

	while (n < 1000 && rank_least_p(n, n) > alpha)
		n++;
	return n;
}
