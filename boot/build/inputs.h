// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a build is made from, and the key that names it in the cache. */
#include "boot/build/job.h"

/*
 * Read everything job->opts names, ask the toolchain, and compute the keys of building a
 * commit. ERR_USAGE for an unknown architecture, ERR_CONFIG for a file that is no
 * configuration, ERR_TOOL_MISSING when there is no compiler.
 */
_must_check_ int inputs_read(struct build_job *j, struct repo *r,
			     const struct oid *commit, struct err *e);

/* The key again after j->rec.tree was changed. */
void inputs_key(struct build_job *j);
