// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a commit changed against its first parent. */
#include "core/git/path-log.h"

/* git patch-id --stable of the commit, owned by the caller; NULL for a merge, an empty
 * commit or one that changes more than max files. */
_must_check_ int commit_patch_id(struct repo *r, const struct oid *commit, size_t max,
				 char **ret, struct err *e);

/* What became of a file that the commit took away. */
struct commit_move {
	char *to; /* NULL = deleted, or split so that git sees no rename */
};
_must_check_ int commit_moved(struct repo *r, const struct oid *commit, const char *path,
			      struct commit_move *ret, struct err *e);

/*
 * The commit that brought a patch into the history of from: among those that changed path,
 * the one with this patch-id. 1 and *ret, 0 when there is none within the limit.
 */
struct commit_patch {
	const char *path, *patch_id;
	size_t nr_files;
};
_must_check_ int commit_find_patch(struct repo *r, const struct oid *from,
				   const struct commit_patch *p,
				   const struct path_log_limit *limit, struct oid *ret,
				   struct err *e);

/*
 * Append what the commit changes as git format-patch shows it, renames found; nothing for a
 * merge.
 */
_must_check_ int commit_patch_text(struct repo *r, const struct oid *commit,
				   struct buf *ret, struct err *e);
