// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The commits that changed a file, newest first, as `git log -- PATH` finds them: where a
 * parent has the file as the commit does, only that parent is followed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/git/repo.h"

struct path_log;

/* One commit that changed it. */
struct path_change {
	struct oid commit, parent; /* parent none for a root commit */
	struct oid before, after;  /* blobs, none = there was no such file */
};

/* Commits looked at and time spent before a search gives up. */
struct path_log_limit {
	size_t commits;
	uint64_t deadline_ms; /* of clock_ms(); 0 = none */
};

_must_check_ int path_log_open(struct repo *r, const struct oid *from, const char *path,
			       const struct path_log_limit *limit, struct path_log **ret,
			       struct err *e);
void path_log_free(struct path_log *l);
DEFINE_FREEP(path_log_free, struct path_log *)
#define _cleanup_path_log_ _cleanup_(path_log_freep)

/* 1 and the next one; 0 at the end or at the limit. A missing parent is an end. */
_must_check_ int path_log_next(struct path_log *l, struct path_change *ret,
			       struct err *e);
