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
	char *fragment; /* config fragment it is built with; NULL: the one of the lab */
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

/* The engine's view of it; borrows from s. */
struct bisect_history space_history(const struct space *s, bool first_parent);

void space_release(struct space *s);
#define _cleanup_space_ _cleanup_(space_release)
