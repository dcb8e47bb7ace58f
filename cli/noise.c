// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/noise.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/held.h"
#include "cli/json.h"
#include "core/base/alloc.h"

/* Boot-to-boot relative sd under -icount is 0.02 %; twice that and a bit
 * (tests/bench/RESULTS.md). */
#define USUAL_EMULATED_SD 0.0005
/* Emulated boots may agree to the digit; that is a tenth of a count in some 18,000, and
 * none is taken to repeat better. */
#define LEAST_SD 1e-5

static void of_calibration(struct noise *n)
{
	const struct calibration *c = &n->calibration;

	n->source = NOISE_CALIBRATED;
	n->known = (struct known_noise){
		.boot_sd = fmax(c->boot_sd, LEAST_SD),
		.boot_df = c->boot_df,
		.build_sd = c->build_sd,
		.build_df = c->build_df,
	};
}

int noise_of(struct lab *l, const struct lab_point *p, double told, struct noise *ret,
	     struct err *e)
{
	_cleanup_free_ char *params = held_params(l, p->bench);
	const struct measured of = {
		.target = "qemu",
		.accel = lab_accel(l),
		.path = "kexec",
		.benchmark = p->bench->name,
		.l0 = p->cell->l0,
		.l1 = p->cell->l1,
		.params = params,
	};
	int r;

	*ret = (struct noise){ 0 };
	if (told > 0) {
		ret->source = NOISE_TOLD;
		ret->known.boot_sd = told;
		return 0;
	}
	r = store_calibration(run_store(lab_run(l)), &of, &ret->calibration, e);
	if (r < 0)
		return r;
	if (r > 0) {
		of_calibration(ret);
	} else if (lab_is_emulated(l)) {
		ret->source = NOISE_USUAL;
		ret->known.boot_sd = USUAL_EMULATED_SD;
	}
	return 0;
}

const char *noise_source_name(enum noise_source s)
{
	static const char *const names[] = {
		[NOISE_UNKNOWN] = "unknown",
		[NOISE_USUAL] = "usual",
		[NOISE_CALIBRATED] = "calibrated",
		[NOISE_TOLD] = "told",
	};

	return names[s];
}

void noise_text(const struct noise *n, struct buf *ret)
{
	const struct calibration *c = &n->calibration;

	if (n->source == NOISE_UNKNOWN) {
		buf_adds(ret, "not calibrated: only what these boots show");
		return;
	}
	buf_addf(ret, "%s: boots repeat to %.3f %% (sd)", noise_source_name(n->source),
		 100 * n->known.boot_sd);
	if (n->source == NOISE_CALIBRATED) {
		if (n->known.build_df > 0)
			buf_addf(ret, ", builds to %.3f %%", 100 * n->known.build_sd);
		buf_addf(ret, "; %u boots in run %.8s", c->boots, c->run);
	}
}

json_t *noise_json(const struct noise *n)
{
	return json_pack("{s:s, s:o, s:o, s:o}", "source", noise_source_name(n->source),
			 "boot_sd",
			 n->known.boot_sd > 0 ? json_real(n->known.boot_sd) : json_null(),
			 "build_sd",
			 n->source == NOISE_CALIBRATED && n->known.build_df > 0
				 ? json_real(n->known.build_sd)
				 : json_null(),
			 "run", json_text(n->calibration.run));
}

void noise_release(struct noise *n)
{
	calibration_release(&n->calibration);
}
