// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Objects of a repository, read and made. What is made stays in memory, where libgit2
 * finds it too, until repo_flush(); trees are kept parsed, as a series reads the same few
 * folders again and again.
 */
#include <stddef.h>

#include "core/git/pack.h"
#include "core/git/repo-internal.h"

struct objects;

/* For repo_open() and repo_free(). */
_must_check_ int objects_new(struct repo *r, struct err *e);
void objects_free(struct repo *r);

/*
 * Make a blob or commit. old, which may be NULL or none, is an earlier version of the same
 * thing; one that was made here too saves space.
 */
_must_check_ int repo_put(struct repo *r, enum object_type type, const struct buf *data,
			  const struct oid *old, struct oid *ret, struct err *e);

/* Append the bytes of an object of that type; ERR_NO_BLOB when there is none. */
_must_check_ int repo_get(struct repo *r, enum object_type type, const struct oid *oid,
			  struct buf *ret, struct err *e);

/* Size of a blob, without reading it all. */
_must_check_ int repo_blob_size(struct repo *r, const struct oid *oid, size_t *ret,
				struct err *e);

/* One name of a tree. */
struct tree_entry {
	unsigned int mode; /* 040000 is a folder */
	const char *name;
	const unsigned char *id; /* 20 bytes */
};

/* In git's order: as if folders had a slash behind their names. */
struct tree {
	struct buf bytes;
	struct tree_entry *v;
	size_t nr;
};

#define MODE_TREE 040000U

/* A tree, borrowed until repo_trim(), or until a tree that replaces it is made. */
_must_check_ int repo_tree(struct repo *r, const struct oid *oid, const struct tree **ret,
			   struct err *e);

/* Make a tree of the bytes, which are taken. Else as repo_put(). */
_must_check_ int repo_put_tree(struct repo *r, struct buf *bytes, const struct oid *old,
			       struct oid *ret, struct err *e);

/* The entry with that name of n bytes, NULL when there is none. */
const struct tree_entry *tree_find(const struct tree *t, const char *name, size_t n);

/* git's order of names. */
int tree_compare(const char *a, size_t a_len, bool a_tree, const char *b, size_t b_len,
		 bool b_tree);

/* What the tree root has at path: 1, mode and oid; 0 when nothing; negative on error. */
int tree_lookup(struct repo *r, const struct oid *root, const char *path,
		unsigned int *mode, struct oid *oid, struct err *e);

struct oid tree_entry_oid(const struct tree_entry *t);

/* Forget trees when there are many. */
void repo_trim(struct repo *r);
