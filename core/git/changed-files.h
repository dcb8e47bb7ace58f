// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The files of a tree, or those in which it differs from another, one by one. */
#include "core/git/repo.h"

struct changed_files {
	/* A file as the new tree has it; a negative error ends the walk. */
	int (*file)(void *ctx, const char *path, const struct oid *blob, struct err *e);
	void *ctx;
};

/* from may be NULL: all files. Files that are gone are not told. ERR_NO_BLOB when a tree
 * is missing. */
_must_check_ int changed_files(struct repo *r, const struct oid *from,
			       const struct oid *to, const struct changed_files *o,
			       struct err *e);
