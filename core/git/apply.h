// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Put a series on a commit as commits, by git-apply's rules, on trees alone: no index, no
 * worktree, no checkout. All or nothing: the ref moves only when every patch applied.
 */
#include "core/git/repo.h"
#include "core/series/series.h"

enum apply_method { APPLY_EXACT, APPLY_OFFSET };

struct apply_opts {
	struct oid onto;
	const char *committer_name,
		*committer_email; /* NULL = user.name, user.email, else kiln */
	int64_t committer_date;	  /* 0 = the author date of each patch: same input, same
				     commit id */
	int committer_tz;
	const char *ref; /* full name to write, NULL writes none */
};

struct applied {
	struct oid oid, tree;
	char *message_id, *subject;
	enum apply_method method;
};

/* Where and why the first patch that does not apply failed. */
struct apply_failure {
	enum err_code code;
	int number;
	char *message_id, *subject, *path;
	int hunk; /* from 1, 0 when the file as a whole is the cause */
	char *reason, *hint;
};

struct apply_result {
	struct oid base, head;
	char *ref;
	struct applied *commits;
	size_t nr;
	struct apply_failure *failed; /* NULL when all applied */
};

/*
 * Put the patches on o->onto, each as the commit `git am` makes of it, and o->ref on the
 * last one; objects are written as they come, the ref at the end. With committer and
 * date given by o or by default, the same series on the same base has the same ids.
 *
 * ERR_NO_PATCHES, or ERR_INCOMPLETE naming the numbers, before anything is written.
 * 0 when all applied. Otherwise ERR_HUNK, ERR_NO_FILE, ERR_EXISTS, ERR_BAD_PATCH or
 * ERR_UNSAFE_PATH, frames naming patch, file, hunk and cause, and *ret is set all the
 * same: commits that did apply and failed. Any other error leaves *ret untouched.
 */
_must_check_ int apply_series(struct repo *r, const struct series *s,
			      const struct apply_opts *o, struct apply_result **ret,
			      struct err *e);

/* "exact", "offset": whether each hunk was found at its line. */
const char *apply_method_name(enum apply_method m);

void apply_result_free(struct apply_result *a);
DEFINE_FREEP(apply_result_free, struct apply_result *)
#define _cleanup_apply_ _cleanup_(apply_result_freep)
