// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One file of a merge. Any side may be NULL; sides may have different paths. */
#include "core/git/merge.h"
#include "core/git/rename.h"

struct merge_three {
	const struct tree_file *base, *ours, *theirs;
	const char *their_name;
};

struct merge_outcome {
	unsigned int mode;
	struct oid oid;
	const char *conflict; /* git's word, NULL when it merged cleanly */
};

/* Join ours and theirs, both of which are there. */
_must_check_ int merge_contents(struct repo *r, const struct merge_three *m,
				struct merge_outcome *ret, struct err *e);
