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
