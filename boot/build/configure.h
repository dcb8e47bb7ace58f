// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "boot/build/config.h"
#include "boot/build/job.h"

/*
 * Make out/.config for a checked-out tree: its base, the fragments over it,
 * olddefconfig; then every symbol of the fragments must be there. The one of the tree
 * before is kept when nothing that Kconfig reads has changed. Fills j->config, and
 * j->rec.status when the configuration is the answer ("failed", "config-lost").
 */
_must_check_ int configure(struct build_job *j, struct err *e);

/*
 * Whether the .config that is there serves the job's tree as well: 1, j->config filled and
 * the paths that changed since it was made appended to ret, each ended by a NUL byte; else
 * 0. Once the objects of the tree follow, configure_kept() makes it the tree's.
 */
_must_check_ int configure_keep(struct build_job *j, struct buf *ret, struct err *e);
_must_check_ int configure_kept(struct build_job *j, struct err *e);
