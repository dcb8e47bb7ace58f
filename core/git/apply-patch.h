// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One diff on one tree. */
#include "core/git/apply.h"
#include "core/git/patch.h"

struct patch_opts {
	bool reverse;			 /* take the diff back instead */
	bool only_check;		 /* write nothing, *ret_tree stays as it is */
	const struct apply_rules *rules; /* NULL = APPLY_RULES_INIT */
	size_t *shift; /* becomes the lines the farthest hunk was moved, may be NULL */
};

/* Where and why a file's diff does not apply; strings owned by the struct. */
struct file_failure {
	char *path, *reason, *hint;
	int hunk; /* from 1, 0 = the file as a whole */
};
void file_failure_release(struct file_failure *f);

/*
 * 0 and the new tree and how the hunks fitted; or the codes of apply_series() with
 * failure filled. Blobs and trees are written only when every file's diff applies.
 */
_must_check_ int patch_apply(struct repo *r, const struct diff *d, const struct oid *tree,
			     const struct patch_opts *o, struct oid *ret_tree,
			     enum apply_method *ret_method, struct file_failure *failure,
			     struct err *e);
