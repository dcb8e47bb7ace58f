// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/gauss.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"

void gauss_init(struct gauss *ga, const struct data *d, const struct run_noise *run)
{
	double boots = 0;

	*ga = (struct gauss){ .run = *run };
	ga->v = xcalloc(d->nr + 1, sizeof(*ga->v));
	for (size_t i = 0; i < d->nr; i++) {
		for (size_t k = 0; k < d->units[i].nr; k++) {
			ga->centre += boot_location(&d->units[i].boots[k], run);
			boots++;
		}
	}
	if (boots > 0)
		ga->centre /= boots;
}

/* Boots weighted by their precision. */
static struct estimate estimate(struct gauss *ga, const struct unit *u, double tau2)
{
	double w = 0, s = 0, q = 0;

	for (size_t k = 0; k < u->nr; k++) {
		double y = boot_location(&u->boots[k], &ga->run) - ga->centre;
		double v = tau2 + ga->run.variance / u->boots[k].runs;

		w += 1 / v;
		s += y / v;
		q += y * y / v;
		ga->within -= log(2 * M_PI * v) / 2;
	}
	ga->within += log(2 * M_PI / w) / 2 - fmax(q - s * s / w, 0) / 2;
	return (struct estimate){ u->tested, s / w, 1 / w, 0 };
}

void gauss_at(struct gauss *ga, const struct data *d, const struct noise_point *at)
{
	ga->within = 0;
	ga->nr = 0;
	for (size_t i = 0; i < d->nr; i++) {
		struct estimate *v = &ga->v[ga->nr];

		if (!d->units[i].nr)
			continue;
		*v = estimate(ga, &d->units[i], at->tau * at->tau);
		v->v += at->lam * at->lam;
		v->log_norm = log(2 * M_PI * v->v);
		ga->nr++;
	}
}

void gauss_release(struct gauss *ga)
{
	free(ga->v);
	*ga = (struct gauss){ 0 };
}
