// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the histories say, as the checks ask for it: mainline, the tree the queue is for and
 * newer stable branches through their indexes (index.h). Commits are kept, so that one
 * commit is one pointer however it was found.
 */
#include "core/stable/lookup.h"

struct stable_facts;

enum facts_answer {
	FACTS_UNKNOWN, /* not asked, or no mainline to ask */
	FACTS_NONE,    /* no such commit */
	FACTS_ONE,
	FACTS_SEVERAL,	 /* the digits are too few */
	FACTS_ELSEWHERE, /* the repository has it, outside of mainline */
};

/* A commit of mainline. */
struct facts_commit {
	struct stable_commit c;
	struct oid parent;	   /* the first; none for a root commit or a merge */
	char *author_name, *email; /* of c.author */
};

/* One that has to do with another. */
struct facts_hit {
	const struct facts_commit *commit; /* borrowed of the facts */
	bool doubtful; /* names it by title alone, or by its id beside another's title */
	bool partial;  /* a revert in part */
	bool undone;   /* was reverted itself */
};

struct facts_list {
	struct facts_hit *v; /* oldest first */
	size_t nr;
};
void facts_list_release(struct facts_list *l);
#define _cleanup_facts_list_ _cleanup_(facts_list_release)

struct facts_opts {
	const char
		*mainline;   /* revision, or folder of a repository; NULL = look for it */
	const char *base;    /* revision of the tree the queue is for; NULL = none */
	const char *version; /* of the queue, NULL = unknown: no newer branches */
	const struct strv *active; /* versions that are cared for; NULL or empty = those
				      with commits about as young as the base */
	const struct progress *progress;
};

/*
 * Open the indexes, building or updating them. ERR_UNKNOWN_REV when a mainline that was
 * named is not there; without any *ret is NULL, which is no failure.
 */
_must_check_ int facts_open(struct repo *r, const struct facts_opts *o,
			    struct stable_facts **ret, struct err *e);
void facts_free(struct stable_facts *f);
DEFINE_FREEP(facts_free, struct stable_facts *)
#define _cleanup_facts_ _cleanup_(facts_freep)

/* The repository that has mainline's objects, borrowed. */
struct repo *facts_repo(const struct stable_facts *f);

/* The name of mainline's revision, borrowed; whether its history is cut off. */
const char *facts_mainline(const struct stable_facts *f);
bool facts_is_shallow(const struct stable_facts *f);
const struct oid *facts_mainline_tip(const struct stable_facts *f);

/* The commit that 7 to 40 hex digits stand for; *ret NULL unless there is one. */
_must_check_ int facts_find(struct stable_facts *f, const char *digits,
			    enum facts_answer *ret_answer,
			    const struct facts_commit **ret, struct err *e);

/* git patch-id --stable, borrowed; *ret NULL for a merge or an empty commit. */
_must_check_ int facts_patch_id(struct stable_facts *f, const struct facts_commit *commit,
				const char **ret, struct err *e);

_must_check_ int facts_by_title(struct stable_facts *f, const char *title,
				struct facts_list *ret, struct err *e);

/* Later commits that name this one in Fixes:, that revert it; those of the series it was
 * posted in, itself among them; those it fixes. */
enum facts_relation { FACTS_FIXERS, FACTS_REVERTERS, FACTS_SERIES, FACTS_FIXED };
_must_check_ int facts_related(struct stable_facts *f, const struct facts_commit *commit,
			       enum facts_relation what, struct facts_list *ret,
			       struct err *e);

/* Whether the tree has a commit of mainline; *ret is then the commit in the tree, or the
 * one that took it back. STABLE_ABSENT where there is no tree. */
_must_check_ int facts_holds(struct stable_facts *f, const struct oid *upstream,
			     enum stable_held *ret_held, struct oid *ret, struct err *e);

/* The commit of mainline that a commit of the tree, named by digits, is the backport of:
 * 1 and *ret; 0 when the tree has none of that name, or it does not say. */
_must_check_ int facts_upstream_of(struct stable_facts *f, const char *digits,
				   const struct facts_commit **ret, struct err *e);

/* Whether the tree has commits of its own whose id begins with the digits. */
_must_check_ int facts_in_tree(struct stable_facts *f, const char *digits, bool *ret,
			       struct err *e);

/* The commit of the tree that makes the change: 1, 0. */
_must_check_ int facts_tree_patch(struct stable_facts *f, const struct stable_patch *p,
				  struct oid *ret, struct err *e);

/* Newer stable branches: how many, and the version of one, borrowed, ascending. */
size_t facts_newer(const struct stable_facts *f);
const char *facts_newer_version(const struct stable_facts *f, size_t i);
_must_check_ int facts_newer_has(struct stable_facts *f, size_t i,
				 const struct oid *commit, bool *ret, struct err *e);
