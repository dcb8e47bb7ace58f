// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The commits of one branch, by everything they are asked for: id, title, what they fix,
 * revert and were backported from. Kept in a file of the cache folder, one for each branch
 * of each repository, and brought up to date when it is opened. Of two kinds:
 *
 *	mainline	all commits of the branch
 *	stable tree	those that mainline has not, and where it left mainline
 *
 * An update is one transaction that ends with the new tip: who is killed in it leaves the
 * index of the old tip. Several processes may use it at once; each sees the branch as it
 * was at its own open. Arrays and strings in results are owned by them.
 *
 * Names of commits are compared whole: "is it the commit X" is asked of an abbreviation by
 * whether X begins with it, never by a fixed number of digits.
 */
#include <stdint.h>

#include "core/base/progress.h"
#include "core/git/repo.h"
#include "core/series/commit-notes.h"
#include "core/series/upstream.h"

struct stable_index;

struct stable_index_opts {
	const char *rev; /* "origin/master": the branch, and by its name the file */
	/* Makes it the index of a stable tree; borrowed, must live longer. */
	struct stable_index *mainline;
	const struct progress *progress; /* may be NULL */
};

/*
 * Open and update. The repository is borrowed and must live longer. ERR_UNKNOWN_REV names
 * rev. A damaged file, or one of another version, is made anew. Where the branch was
 * rewritten (linux-stable-rc), or the repository is no longer as shallow as it was, the
 * whole index is.
 */
_must_check_ int stable_index_open(struct repo *r, const struct stable_index_opts *o,
				   struct stable_index **ret, struct err *e);
void stable_index_free(struct stable_index *ix);
DEFINE_FREEP(stable_index_free, struct stable_index *)
#define _cleanup_stable_index_ _cleanup_(stable_index_freep)

/* What is in it. */
struct stable_index_state {
	struct oid tip;
	size_t commits, added; /* all; read by this open */
	/*
	 * Parents that the repository does not have: a shallow or partial clone. What is
	 * not found may then be older than oldest, the time of the oldest commit that is
	 * there, and nothing can be said of it.
	 */
	size_t missing;
	int64_t oldest;
};
const struct stable_index_state *stable_index_state(const struct stable_index *ix);
struct repo *stable_index_repo(const struct stable_index *ix);

/* One commit as its message has it. */
struct stable_commit {
	struct oid oid;
	char *subject;
	char *author;		   /* "Name <address>" */
	int64_t author_date, date; /* seconds since the epoch; date is the committer's */
	size_t parents;
	char *message; /* whole */
	struct commit_notes notes;
	struct upstream_claims upstream;
};
void stable_commit_release(struct stable_commit *c);
#define _cleanup_stable_commit_ _cleanup_(stable_commit_release)

/* 1 and the commit; 0 when it is not in the index. ret may be NULL. */
_must_check_ int stable_index_get(struct stable_index *ix, const struct oid *oid,
				  struct stable_commit *ret, struct err *e);
