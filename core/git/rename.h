// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which files of one tree are gone to where in another, as git's merges find it. */
#include "core/git/objects.h"

/* A file of a tree, path relative to the root. */
struct tree_file {
	char *path;
	unsigned int mode;
	struct oid oid;
};

struct tree_files {
	struct tree_file *v; /* sorted by path */
	size_t nr;
};

/* All files of a tree. */
_must_check_ int tree_files(struct repo *r, const struct oid *root,
			    struct tree_files *ret, struct err *e);
const struct tree_file *tree_files_find(const struct tree_files *f, const char *path);
void tree_files_release(struct tree_files *f);
#define _cleanup_tree_files_ _cleanup_(tree_files_release)

/*
 * For every file of from that to lacks: the file of to that from lacks and that it was
 * renamed to, or NULL; the array, by index in from, is the caller's (free()).
 */
_must_check_ int renames_find(struct repo *r, const struct tree_files *from,
			      const struct tree_files *to, const struct tree_file ***ret,
			      struct err *e);
