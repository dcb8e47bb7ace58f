// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What `kiln queue` works on, fixed for its run: the patches, and the tree they are for. */
#include "cli/source.h"
#include "core/stable/queue.h"
#include "core/store/run.h"

struct box;

/*
 * Step "read": a version (folder queue-X.Y of dir), a quilt folder, or a SOURCE. The files
 * or mails are kept in the run's folder. ret_box, which may hold mails already, gets those
 * of a SOURCE. ERR_NOT_FOUND, ERR_NO_PATCHES, those of step_fetch().
 */
struct queue_source {
	const char *what; /* as typed */
	const char *dir;  /* of --queue, NULL = the working folder */
	const struct cli_source_opts *opts;
};
_must_check_ int step_queue(struct ctx *c, struct run *r, const struct queue_source *s,
			    struct queue **ret, struct err *e);

/* The tree a queue is put on. */
struct queue_base {
	char *name; /* revision, NULL = there is none */
	struct oid oid;
	char *candidate; /* "-rc2" when it is a release candidate, NULL otherwise */
};
void queue_base_release(struct queue_base *b);
#define _cleanup_queue_base_ _cleanup_(queue_base_release)

/*
 * Step "base": onto when given; else for a queue of a release the release before it; else
 * the branch linux-X.Y.y, local or of a remote, else the newest tag of the version. A
 * queue without a version has no base. ERR_UNKNOWN_REV when the repository has nothing of
 * the version.
 */
_must_check_ int step_queue_base(struct ctx *c, struct run *r, const struct queue *q,
				 const char *onto, struct queue_base *ret, struct err *e);
