// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What is bisected, as points the engine numbers: commits of a range, patches of a
 * series, revisions, steps between two configs. Past this header nobody asks which.
 */
#include "core/base/oid.h"
#include "core/bisect/bisect.h"
#include "core/git/repo.h"

/* One thing that can be built and booted. */
struct point {
	struct oid commit;
	char *subject;
	char *overlay; /* path of a fragment over the lab's, see build.h; NULL: none */
	bool mixed;    /* what it changed is not what its commit alone changes */
};

/* The good end first, parents before their children, the bad end last. */
struct space {
	struct point *v;
	size_t nr;
	size_t *parent_start, *parents; /* as struct bisect_history; NULL: a chain */
	double *weight;			/* prior of each point; NULL: equal */
};

/* Commits in a row, the good end first. */
_must_check_ int space_chain(struct repo *r, const struct oid *commits, size_t nr,
			     struct space *ret, struct err *e);

/*
 * The range good..bad with good itself in front, by ancestry. With first_parent only the
 * mainline of merges. ERR_USAGE when there is nothing between them.
 */
_must_check_ int space_range(struct repo *r, const struct oid *good,
			     const struct oid *bad, bool first_parent, struct space *ret,
			     struct err *e);

/*
 * Keep the ends and the points that touch one of the paths (files or folders), with the
 * ancestry that is left. The bad end stays a point even where it touches none. ERR_USAGE
 * when none in between does.
 */
_must_check_ int space_limit(struct repo *r, struct space *s, const struct strv *paths,
			     struct err *e);

/* The base of an applied series, then its patches. */
struct apply_result;
_must_check_ int space_applied(struct repo *r, const struct apply_result *a,
			       struct space *ret, struct err *e);

/*
 * Point k is the commit with the good configuration and the first k symbols that differ,
 * by name, as the bad one has them: overlays over the file good, written to dir. A symbol
 * whose dependencies are not there yet falls to olddefconfig, so neighbours may be alike.
 */
_must_check_ int space_configs(const struct oid *commit, const char *good,
			       const char *bad, const char *dir, struct space *ret,
			       struct err *e);

/* The engine's view of it; borrows from s. */
struct bisect_history space_history(const struct space *s, bool first_parent);

void space_release(struct space *s);
#define _cleanup_space_ _cleanup_(space_release)
