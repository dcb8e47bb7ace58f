// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How well a target repeats, as it was measured: one record for each benchmark, cell and
 * set of parameters on each target, the newest counts. And what a boot's figures hold
 * fixed beside its kernel, so that boots of different runs meet only when that is equal.
 */
#include "core/store/store.h"

/* What figures are of. Borrowed strings, none NULL. */
struct measured {
	const char *target, *accel; /* "qemu", "tcg" */
	const char *path;	    /* "kexec" */
	const char *benchmark, *l0, *l1;
	const char *params; /* what the benchmark and the machine were told */
};

/* Relative standard deviations and the degrees of freedom they were estimated with. */
struct calibration {
	unsigned int layouts, boots, runs; /* boots of all layouts, runs of all boots */
	double value;			   /* geometric mean, in the benchmark's unit */
	double run_sd, boot_sd, build_sd;  /* boot_sd: of a boot's mean over its runs */
	unsigned int run_df, boot_df, build_df; /* 0: could not be estimated */
	double seconds;				/* of a boot, wall */
	int64_t time;				/* epoch */
	char *run; /* which measured it; owned, set by store_calibration() */
};

/* Written once a run and cell; the same again is a no-op. */
_must_check_ int store_add_calibration(struct store *s, const char *run,
				       const struct measured *of,
				       const struct calibration *c, struct err *e);

/* The newest for exactly this: 1, ret->run owned by the caller; 0 when there is none. */
_must_check_ int store_calibration(struct store *s, const struct measured *of,
				   struct calibration *ret, struct err *e);

/* The digest of all that a boot's figures depend on beside the kernel under test. */
_must_check_ int store_add_held(struct store *s, const char *token, const char *digest,
				struct err *e);

/* Boots that may stand beside each other; borrowed strings, none NULL. */
struct boots_like {
	const struct oid *tree;
	const char *build_id, *target, *accel, *path, *benchmark, *held;
};

/* Append the proven samples of all such boots that ended well, whichever run made them,
 * oldest first. */
_must_check_ int store_samples_like(struct store *s, const struct boots_like *like,
				    struct samples *ret, struct err *e);

void calibration_release(struct calibration *c);
