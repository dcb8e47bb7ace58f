// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a patch has done to a tree so far: files by path, over the tree it started from.
 */
#include "core/git/tree-edit.h"

/* What later diffs of the same patch see of a path. */
enum seen {
	SEEN_TREE,    /* what the tree has */
	SEEN_LEAVING, /* the same, but a later diff deletes it or moves it away */
	SEEN_GONE,
	SEEN_HERE, /* the result of an earlier diff */
};

struct node {
	char *path;
	enum seen seen;
	bool touched;	   /* goes into the new tree */
	bool present;	   /* in the end; false removes it */
	bool created;	   /* by a diff that makes a file, not by one that changes it */
	bool has_data;	   /* else oid is an object of the repository */
	unsigned int mode; /* one of git's five */
	struct oid oid;
	struct oid from; /* what data was made of, or none */
	struct buf data;
};

struct overlay {
	struct repo *r;
	struct oid tree;
	struct node **v; /* sorted by path */
	size_t nr;
};

void overlay_release(struct overlay *o);
#define _cleanup_overlay_ _cleanup_(overlay_release)

/* The node of path, NULL when there is none; the second form makes one. */
struct node *overlay_find(const struct overlay *o, const char *path);
struct node *overlay_node(struct overlay *o, const char *path);

/*
 * What the tree the patch started from has at path: 1 and mode and oid, 0 when nothing,
 * negative on error. A folder has mode 040000.
 */
int overlay_base(const struct overlay *o, const char *path, unsigned int *mode,
		 struct oid *oid, struct err *e);

/* The bytes of an object; a submodule reads as git shows one in diffs. */
_must_check_ int overlay_read(const struct overlay *o, unsigned int mode,
			      const struct oid *oid, struct buf *ret, struct err *e);

/* Write all touched nodes into a new tree. ERR_EXISTS as tree_edit(). */
_must_check_ int overlay_write(struct overlay *o, struct oid *ret, char **ret_conflict,
			       struct err *e);
