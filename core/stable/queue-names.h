// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Which commits of mainline the queue of a version has, and which it was decided to leave
 * out: the patches of queue-X.Y/ and the lines "X.Y SHA" of scripts/dropped_commits, as the
 * stable-queue repository has them.
 */
#include "core/series/commit-notes.h"
#include "core/base/err.h"

struct queue_names {
	char *folder; /* of the patches; NULL when there is no queue */
	size_t patches;
	struct commit_names queued, dropped;
};

/*
 * Read what is at dir: a checkout, or a folder of patches with a file "series". A folder that is
 * neither is no error, folder is NULL then.
 */
_must_check_ int queue_names_read(const char *dir, const char *version,
				  struct queue_names *ret, struct err *e);
void queue_names_release(struct queue_names *q);
#define _cleanup_queue_names_ _cleanup_(queue_names_release)

/* Append the commits that the lines "X.Y SHA" of a version name; others are skipped. */
void queue_dropped_read(const char *text, const char *version, struct commit_names *ret);

/* Append the commit that a patch says it is: by its claim, else by the title of its mail. */
void queue_patch_read(const char *text, struct commit_names *ret);
