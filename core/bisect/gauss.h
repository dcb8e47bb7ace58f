// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: each unit's estimate with Gaussian boots at given variances. */
#include "core/bisect/posterior.h"

struct estimate {
	size_t tested;
	double y, v;	 /* less the centre; variance, build effect included */
	double log_norm; /* log(2 pi v) */
};

struct gauss {
	struct estimate *v;
	size_t nr;
	double centre; /* rates are large and noise is small: squares would cancel */
	double within; /* log likelihood of the boots of each unit around their mean */
	struct run_noise run;
};

void gauss_init(struct gauss *ga, const struct data *d, const struct run_noise *run);
void gauss_at(struct gauss *ga, const struct data *d, const struct noise_point *at);
void gauss_release(struct gauss *ga);
