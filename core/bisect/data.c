// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/data.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"

/* What data->run_sd is worth, in samples. */
#define PRIOR_RUNS 2
/* From so many residuals on outliers can be told; the plain sd then exceeds the robust
 * one by so much. */
#define ENOUGH_RESIDUALS 12
#define OUTLIER_RATIO 1.5
/* So many runs are paired for their location; of more the median will do. */
#define MOST_PAIRED 64

static size_t find(const struct data *d, size_t commit, unsigned int layout)
{
	size_t i = 0;

	while (i < d->nr &&
	       (d->units[i].commit != commit || d->units[i].layout != layout))
		i++;
	return i;
}

const struct unit *data_unit(const struct data *d, size_t commit, unsigned int layout)
{
	size_t i = find(d, commit, layout);

	return i < d->nr ? &d->units[i] : NULL;
}

struct unit *data_add_unit(struct data *d, size_t commit, unsigned int layout)
{
	size_t i = find(d, commit, layout);
	struct unit *u;

	if (i < d->nr)
		return &d->units[i];
	u = array_push(d->units, d->nr);
	*u = (struct unit){ .commit = commit, .layout = layout };
	return u;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t nr)
{
	qsort(v, nr, sizeof(*v), by_value);
	return (v[(nr - 1) / 2] + v[nr / 2]) / 2;
}

/* Hodges-Lehmann: the median of all pairwise means. */
static double hodges_lehmann(const double *y, size_t nr)
{
	_cleanup_free_ double *pairs = xcalloc(nr * (nr + 1) / 2, sizeof(*pairs));
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = i; k < nr; k++)
			pairs[n++] = (y[i] + y[k]) / 2;
	return median(pairs, n);
}

void data_add_boot(struct data *d, struct unit *u, const double *rates, size_t nr)
{
	_cleanup_free_ double *y = xcalloc(nr, sizeof(*y));
	struct boot_sum *b = array_push(u->boots, u->nr);
	double centre;

	*b = (struct boot_sum){ .runs = (unsigned int)nr };
	for (size_t i = 0; i < nr; i++) {
		y[i] = log(rates[i]);
		b->mean += y[i] / (double)nr;
	}
	for (size_t i = 0; i < nr; i++)
		b->squares += (y[i] - b->mean) * (y[i] - b->mean);
	b->robust = nr < 3 ? b->mean : nr <= MOST_PAIRED ? hodges_lehmann(y, nr) : 0;
	d->boots++;
	d->runs += (unsigned int)nr;
	if (nr < 2)
		return;
	centre = median(y, nr);
	if (nr > MOST_PAIRED)
		b->robust = centre;
	for (size_t i = 0; i < nr; i++) {
		double *r = array_push(d->residuals, d->nr_residuals);

		*r = fabs(y[i] - centre) * sqrt((double)nr / (double)(nr - 1));
	}
}

struct run_noise data_run_noise(const struct data *d)
{
	const double prior = PRIOR_RUNS * d->run_sd * d->run_sd;
	double sum = prior, df = PRIOR_RUNS, plain;
	_cleanup_free_ double *r = NULL;
	struct run_noise n = { 0 };

	for (size_t i = 0; i < d->nr; i++) {
		for (size_t k = 0; k < d->units[i].nr; k++) {
			const struct boot_sum *b = &d->units[i].boots[k];

			sum += b->squares;
			df += b->runs - 1;
		}
	}
	n.variance = sum / df;
	if (d->nr_residuals < ENOUGH_RESIDUALS)
		return n;
	r = xmemdup(d->residuals, d->nr_residuals * sizeof(*r));
	plain = sqrt((sum - prior) / (df - PRIOR_RUNS));
	n.outliers = plain > OUTLIER_RATIO * 1.4826 * median(r, d->nr_residuals);
	if (n.outliers) {
		double robust = 1.4826 * median(r, d->nr_residuals);
		double weight = df - PRIOR_RUNS;

		n.variance = (robust * robust * weight + prior) / df;
	}
	return n;
}

void data_release(struct data *d)
{
	for (size_t i = 0; i < d->nr; i++)
		free(d->units[i].boots);
	free(d->units);
	free(d->residuals);
	*d = (struct data){ 0 };
}
