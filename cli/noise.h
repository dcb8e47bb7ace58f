// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How well the lab's target repeats, as far as it is known. */
#include "bench/stats/interval.h"
#include "cli/stages.h"
#include "core/store/calibrations.h"

enum noise_source {
	NOISE_UNKNOWN,	  /* nothing: what a campaign sees is all there is */
	NOISE_USUAL,	  /* of an emulated target that nobody has calibrated */
	NOISE_CALIBRATED, /* by `kiln bench --calibrate` */
	NOISE_TOLD,	  /* by the user */
};

struct noise {
	enum noise_source source;
	struct known_noise known;
	struct calibration calibration; /* with NOISE_CALIBRATED */
};

/* For one row: what the user told (> 0), else the newest calibration of this target,
 * benchmark, cell and parameters, else what is usual. */
_must_check_ int noise_of(struct lab *l, const struct lab_point *p, double told,
			  struct noise *ret, struct err *e);

/* "unknown", "usual", "calibrated", "told" */
const char *noise_source_name(enum noise_source s);

/* One line for people, without newline: where it is from and how large it is. */
void noise_text(const struct noise *n, struct buf *ret);

/* The object of docs/json.md; a new reference. */
struct json_t *noise_json(const struct noise *n);

void noise_release(struct noise *n);
