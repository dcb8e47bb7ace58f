// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What figures depend on beside the kernel under test. Figures meet only where that is
 * alike: what differs between two sides is then the kernel, or chance.
 */
#include "cli/stages.h"

/* The arguments of benchmark, machine and candidate in one line: what a calibration is of, beside
 * target, benchmark and cell. Owned by the caller. */
_must_check_ char *held_params(const struct lab *l, const struct benchmark *b);

/*
 * The digest of all that such a boot holds fixed: L1's kernel, the benchmarks' programs,
 * their arguments and the machine's, and which cells share the boot.
 * Owned by the caller.
 */
_must_check_ int held_digest(const struct lab *l, const struct shot *s, char **ret,
			     struct err *e);

/* Where a side's figures come from; borrowed, NULL what is not known. */
struct identity {
	const char *target, *accel, *path;
	const char *held; /* held_digest() */
};

/*
 * Whether the figures of two sides may be held against each other; ERR_USAGE names what
 * differs. This is the one place that every comparison asks.
 */
_must_check_ int identity_alike(const struct identity *base,
				const struct identity *patched, struct err *e);
