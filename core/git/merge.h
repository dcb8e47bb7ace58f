// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A three-way merge of what one patch touches: where the sides cannot be joined. */
#include <stddef.h>

#include "core/base/oid.h"

/* A file of one side. */
struct merge_side {
	char *path;	   /* NULL when the side has no such file */
	unsigned int mode; /* one of git's five; 0 when it has none */
	struct oid oid;
};

/* A path that did not merge. Base is the blob of the index line, ours the tree, theirs
 * base with the patch on it. */
struct conflict {
	char *path; /* where it stands in the merged tree */
	char *kind; /* git's word: "content", "add/add", "modify/delete", "rename/delete",
		       "rename/add", "rename/rename", "binary", "submodule",
		       "file/directory", "mode" */
	struct merge_side base, ours, theirs;
};

struct conflicts {
	struct conflict *v;
	size_t nr;
};

void conflicts_release(struct conflicts *c);
