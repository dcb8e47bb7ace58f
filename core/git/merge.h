// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A three-way merge of what one patch touches: where the sides cannot be joined. */
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/oid.h"

struct repo;

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

struct merge_input {
	struct oid base, ours, theirs; /* trees */
	const char *their_name;	       /* for conflict markers */
};

/*
 * Merge trees as git's recursive strategy does for git am -3: ours with the changes from
 * base to theirs, base and theirs being small. *ret is the merged tree; with conflicts,
 * which are appended to *conflicts, it has text with markers, else our file, where there
 * is one, else theirs.
 * Not looked at: merge drivers of .gitattributes, histories of submodules.
 */
_must_check_ int merge_trees(struct repo *r, const struct merge_input *in,
			     struct oid *ret, struct conflicts *conflicts, struct err *e);
