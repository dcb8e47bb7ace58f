// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Put a series on a commit as commits, by git-apply's rules, on trees alone: no index, no
 * worktree, no checkout. All or nothing: the ref moves only when every patch applied.
 */
#include "core/git/merge.h"
#include "core/git/repo.h"
#include "core/git/rules.h"
#include "core/series/series.h"

/* How far git had to go for the worst hunk of a patch. */
enum apply_method {
	APPLY_EXACT,
	APPLY_OFFSET,
	APPLY_REDUCED,
	APPLY_3WAY,
	APPLY_RESOLVED, /* by hand: not what was mailed */
};

struct apply_opts {
	struct oid onto;
	const struct apply_rules *rules; /* NULL = APPLY_RULES_INIT */
	bool threeway; /* where a patch does not apply, merge as git am -3 does */
	const char *committer_name,
		*committer_email; /* NULL = user.name, user.email, else kiln */
	int64_t committer_date;	  /* 0 = the author date of each patch: same input, same
				     commit id */
	int committer_tz;
	const char *ref;	    /* full name to write, NULL writes none */
	const struct oid *resolved; /* NULL, or the tree that somebody made of the first
				       patch in its stead; equal to onto's, the patch is
				       skipped */
};

struct applied {
	struct oid oid, tree;
	char *message_id, *subject;
	enum apply_method method;
	size_t shift; /* lines the farthest hunk was moved from where it says it belongs */
};

/* A patch that a merge found to change nothing: no commit, as git am -3 has it. */
struct apply_skipped {
	int number;
	char *message_id, *subject;
};

/* Where and why the first patch that does not apply failed. */
struct apply_failure {
	enum err_code code;
	int number;
	char *message_id, *subject, *path;
	int hunk; /* from 1, 0 when the file as a whole is the cause */
	char *reason, *hint;
	/*
	 * When a merge met conflicts (ERR_CONFLICT): the paths, and the tree with what
	 * merged cleanly and, at conflicting paths, text with markers or our side. Its
	 * objects are readable through the repo, and on disk after repo_flush().
	 */
	struct conflicts conflicts;
	struct oid merged;
	struct oid tree; /* what the patch was to go on */
};

struct apply_result {
	struct oid base, head;
	char *ref;
	struct applied *commits;
	size_t nr;
	struct apply_skipped *skipped;
	size_t nr_skipped;
	struct apply_failure *failed; /* NULL when all applied */
};

/*
 * Put the patches on o->onto, each as the commit `git am` makes of it, and o->ref on the
 * last one. Objects stay in memory until all patches applied, see repo_flush(), so that a
 * failed series writes nothing, unless it has made more than 64 MiB of them. With committer and date given by o or by default, the same
 * series on the same base has the same ids.
 *
 * ERR_NO_PATCHES, or ERR_INCOMPLETE naming the numbers, before anything is written.
 * 0 when all applied. Otherwise ERR_HUNK, ERR_NO_FILE, ERR_EXISTS, ERR_BAD_PATCH,
 * ERR_UNSAFE_PATH, ERR_CONFLICT or ERR_NO_BLOB, frames naming patch, file, hunk and
 * cause, and *ret is set all the same: commits that did apply and failed. Any other
 * error leaves *ret untouched.
 */
_must_check_ int apply_series(struct repo *r, const struct series *s,
			      const struct apply_opts *o, struct apply_result **ret,
			      struct err *e);

/* "exact", "offset", "reduced" (less context than the hunk has), "3way", "resolved". */
const char *apply_method_name(enum apply_method m);

void apply_result_free(struct apply_result *a);
DEFINE_FREEP(apply_result_free, struct apply_result *)
#define _cleanup_apply_ _cleanup_(apply_result_freep)
