// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compiling what a commit touches, as a step of a run. */
#include "boot/build/objects.h"
#include "cli/steps-build.h"

/*
 * Step "objects:BEFORE..COMMIT": build_objects(), whose answer that
 * all compile is remembered for later runs too.
 */
_must_check_ int step_objects(struct ctx *c, struct run *r, const struct oid *before,
			      const struct oid *commit, const struct cli_build_opts *o,
			      struct objects_record *ret, struct err *e);
