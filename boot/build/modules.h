// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Modules of a build, in a folder of their own: one kernel never finds another's, whatever
 * their release strings say.
 */
#include "boot/build/job.h"

/* Build and install them, where the configuration has modules at all. Returns as
 * job_target(). */
_must_check_ int modules_make(struct build_job *j, struct err *e);

/*
 * Copy what was installed into j->wt->modules, flat, and append name and digest of each to
 * code: a kernel is not the same where its modules are others. *ret_nr is their number.
 */
_must_check_ int modules_collect(struct build_job *j, struct buf *code, size_t *ret_nr,
				 struct err *e);
