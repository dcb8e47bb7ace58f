// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The files in which two trees differ, by names alone: no contents are read. */
#include "core/git/repo-internal.h"

struct tree_delta {
	const char *path;	    /* NULL unless asked for; borrowed for the call */
	uint64_t key;		    /* history_path_key() of the path */
	const struct git_oid *from; /* NULL = there is no such file on that side */
	const struct git_oid *to;
};

struct tree_diff_opts {
	bool paths; /* spell the paths out, which costs time */
	/* Return 0 to go on, anything else to stop with it. */
	int (*found)(void *ctx, const struct tree_delta *d);
	void *ctx;
};

/*
 * Walk both trees; either may be NULL, which is empty. A file that became a folder is gone
 * and its contents are new. Returns 0, what found() returned, or a libgit2 code: a tree
 * that the repository lacks is GIT_ENOTFOUND.
 */
_must_check_ int tree_diff(struct repo *r, const struct git_oid *from,
			   const struct git_oid *to, const struct tree_diff_opts *o);
