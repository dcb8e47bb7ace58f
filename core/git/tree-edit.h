// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Change files in a git tree; only the folders on their paths are read and written. */
#include <stdbool.h>
#include <stddef.h>

#include "core/git/repo-internal.h"

struct tree_change {
	const char *path; /* clean and relative */
	bool present;	  /* false removes what is there, if anything */
	unsigned int mode;
	struct oid oid;
};

/*
 * The tree base with changes made; changes get sorted. ERR_EXISTS when a file would have
 * to be a folder too, and *ret_conflict, owned by the caller, is its path.
 */
_must_check_ int tree_edit(struct repo *r, const struct oid *base, struct tree_change *v,
			   size_t nr, struct oid *ret, char **ret_conflict,
			   struct err *e);
