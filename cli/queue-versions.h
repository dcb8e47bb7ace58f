// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which stable versions mailed backports are for. */
#include "cli/cmd.h"
#include "core/stable/queue.h"

/*
 * The versions, ascending, each once: the queue's own; of a backport all that the prefixes
 * of its subject name: "6.1.y", "v6.1", "5.4.y,5.10.y", and of "5.10-6.1" those that have a
 * branch in the repository. None when nothing says it.
 */
_must_check_ int queue_versions(struct ctx *c, const struct queue *q, struct strv *ret,
				struct err *e);

/* Whether that is a mailed backport that names none. */
bool queue_names_no_version(const struct queue *q);

/*
 * The versions such a one is for: those that are cared for and have a branch in the
 * repository, ascending. They are those of active_kernel_versions or of the queues in dir,
 * the checkout of the stable queue (NULL = the working folder), else the branches that
 * have not ended.
 */
_must_check_ int queue_versions_active(struct ctx *c, const char *dir, struct strv *ret,
				       struct err *e);
