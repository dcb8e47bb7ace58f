// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Under which names a repository has mainline and the stable trees. */
#include "core/base/strv.h"
#include "core/git/repo.h"

/* A branch without commits for longer than this before another has ended; seconds. */
#define BRANCHES_ENDED (INT64_C(60) * 24 * 3600)

/* Where mainline is. */
struct mainline {
	struct repo *other; /* a repository of its own; NULL = that of the trees */
	char *rev;	    /* NULL = nowhere */
};
void mainline_release(struct mainline *m);
#define _cleanup_mainline_ _cleanup_(mainline_release)

/*
 * The one given: a revision of r, else the folder of a repository; else the first of the
 * usual names that is there, if any. ERR_UNKNOWN_REV when what was given is neither, or
 * that repository has none of the names.
 */
_must_check_ int mainline_find(struct repo *r, const char *given, struct mainline *ret,
			       struct err *e);

/* The error of who cannot do without one. */
int mainline_missing(struct repo *r, struct err *e);

/* The versions of the stable branches that have not ended, ascending. */
_must_check_ int branches_active(struct repo *r, struct strv *ret, struct err *e);

/*
 * The branch of a version ("6.1"): the one given, or linux-6.1.y, of a remote when there
 * is no own one, but of no tree of release candidates while there is another.
 * ERR_UNKNOWN_REV names the branches there are. Owned by the caller.
 */
_must_check_ int branches_stable(struct repo *r, const char *version, const char *given,
				 char **ret, struct err *e);
