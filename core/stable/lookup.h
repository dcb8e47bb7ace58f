// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the upstream index answers. Strings are as in the repository: who shows them makes
 * them safe. What is looked for and not there is never an error.
 */
#include "core/stable/index.h"

/* A commit found, in short. */
struct stable_hit {
	struct oid oid;
	char *subject;
	int64_t date;
	/*
	 * How it names the commit that was asked for, as written; NULL where nothing was
	 * named. by_title: no id of it, or one of no commit, but the exact title of a
	 * single commit. other_title: the id is right, the title beside it is another's.
	 */
	char *hex, *title;
	bool by_title, other_title, partial;
	/*
	 * The commit that takes this one back and is not taken back itself; or none. Told
	 * of fixes, reverts, backports and of a series.
	 */
	struct oid reverted_by;
};
struct stable_hits {
	struct stable_hit *v; /* as the branch got them; those by title alone last */
	size_t nr;
};
void stable_hits_release(struct stable_hits *h);
#define _cleanup_stable_hits_ _cleanup_(stable_hits_release)

/* At most this many are returned of anything. */
#define STABLE_MAX_HITS 1000

/*
 * The commits whose id begins with hex, of any length from 1 digit to 40: none, one, or
 * several. Text that is no hex, or longer, finds none.
 */
_must_check_ int stable_index_find(struct stable_index *ix, const char *hex,
				   struct stable_hits *ret, struct err *e);

/* The commits with exactly this subject. */
_must_check_ int stable_index_title(struct stable_index *ix, const char *subject,
				    struct stable_hits *ret, struct err *e);

/*
 * Which commit a message means: by its id when that is of one commit, by id and title
 * together when it is of several, else by title when a single commit has it.
 */
enum stable_match {
	STABLE_NONE,  /* of no commit here */
	STABLE_ONE,   /* by its id, and the title, if given, is the commit's */
	STABLE_TITLE, /* by its title alone: no id, or one of no commit */
	STABLE_OTHER, /* by its id, but the title is another */
	STABLE_MANY,  /* the id, or without one the title, is of several */
};
_must_check_ int stable_index_resolve(struct stable_index *ix,
				      const struct commit_name *name,
				      enum stable_match *ret_match, struct oid *ret,
				      struct err *e);

/* The commits that say Fixes: of this one, and those that revert it. */
_must_check_ int stable_index_fixes(struct stable_index *ix, const struct oid *oid,
				    struct stable_hits *ret, struct err *e);
_must_check_ int stable_index_reverts(struct stable_index *ix, const struct oid *oid,
				      struct stable_hits *ret, struct err *e);

/* 1 and the revert of it that was not itself reverted (a reapply is one that was). */
_must_check_ int stable_index_reverted(struct stable_index *ix, const struct oid *oid,
				       struct oid *ret, struct err *e);

/* The commits that came in the same series, itself among them. */
_must_check_ int stable_index_series(struct stable_index *ix, const struct oid *oid,
				     struct stable_hits *ret, struct err *e);

/*
 * git patch-id --stable of a commit that is in the repository, whether indexed or not;
 * made once and kept. NULL for a merge, an empty commit or one of more than 1000 files.
 */
_must_check_ int stable_index_patch_id(struct stable_index *ix, const struct oid *oid,
				       char **ret, struct err *e);

/*
 * The commits with a patch-id among those that have the subject, or the author's date,
 * that goes with it: what a backport keeps of them. subject may be NULL, author_date 0.
 */
struct stable_patch {
	const char *patch_id, *subject;
	int64_t author_date;
};
_must_check_ int stable_index_patch(struct stable_index *ix, const struct stable_patch *p,
				    struct stable_hits *ret, struct err *e);

/* Of a stable tree: the commits that say they are this mainline commit. */
_must_check_ int stable_index_backports(struct stable_index *ix,
					const struct oid *upstream,
					struct stable_hits *ret, struct err *e);

enum stable_held {
	STABLE_ABSENT,
	STABLE_SHARED,	 /* mainline had it when the tree left mainline */
	STABLE_BACKPORT, /* *ret is the commit in the tree */
	STABLE_DROPPED,	 /* was there, and was reverted by *ret */
	/* Not found, but may be older than the history that is there (a shallow clone). */
	STABLE_UNKNOWN,
};

/*
 * Of a stable tree: whether it has a mainline commit. The commit may also be named by its
 * id in the tree. Without a mainline only what the tree's messages say is known.
 */
_must_check_ int stable_index_holds(struct stable_index *ix, const struct oid *upstream,
				    enum stable_held *ret_held, struct oid *ret,
				    struct err *e);

/* The commits that name a mail in a Link: or Message-ID: line. */
_must_check_ int stable_index_mail(struct stable_index *ix, const char *message_id,
				   struct stable_hits *ret, struct err *e);

/* Call found for each commit, oldest first, until it returns non-zero, which is returned. */
_must_check_ int stable_index_each(struct stable_index *ix,
				   int (*found)(void *ctx, const struct stable_hit *hit,
						struct err *e),
				   void *ctx, struct err *e);

/*
 * The same for each name in Fixes: lines, or of reverts, of the commits that the branch
 * got behind a position: hit->hex and hit->title are what it names.
 */
struct stable_each {
	bool reverts;
	int64_t behind; /* stable_index_branched(), 0 = all */
	int (*found)(void *ctx, const struct stable_hit *hit, struct err *e);
	void *ctx;
};
_must_check_ int stable_index_each_name(struct stable_index *ix,
					const struct stable_each *each, struct err *e);

/*
 * The position in mainline up to which a stable tree has every commit; 0 when it is not
 * known where the tree left mainline.
 */
_must_check_ int stable_index_branched(struct stable_index *ix, int64_t *ret,
				       struct err *e);
