// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One benchmark over commits: what the store has of it from whichever runs. */
#include "bench/environment.h"
#include "core/store/records.h"

/* One kernel in one cell. Strings are borrowed from the samples and boots. */
struct trend_row {
	struct oid commit;
	const char *build_id; /* NULL when a boot has none recorded */
	const char *l0, *l1, *unit, *clock, *path;
	const struct sample *one; /* of its samples; the others are of its kind */
	double value;		  /* geometric mean over boots */
	double lo, hi;		  /* interval of it; both NAN with fewer than two boots */
	unsigned int boots, runs;
	double change; /* over the row before in this cell and of this kind; or NAN */
	/* How its boots' environments compare with the first row's of that cell. */
	enum likeness likeness;
	char *why; /* NULL when alike; owned */
};

struct trend {
	struct trend_row *v; /* cell by cell, in the order asked for */
	size_t nr;
};

/* What to make it of; all borrowed. */
struct trend_query {
	const struct samples
		*samples; /* of one benchmark; unproven ones are passed over */
	const struct boot_record *boots;
	size_t nr_boots;
	const struct oid *commits; /* rows in this order; NULL: as first measured */
	size_t nr_commits;
	double confidence; /* of the intervals, by Student's t on the boots' log means */
};

/*
 * Samples are of one row when commit, build and cell are the same and samples_unlike() has
 * nothing against it: another build of a commit (a fresh layout, another configuration) is
 * another kernel, and values of unlike clocks, paths or setups never meet. Values that are
 * not finite and positive are passed over.
 */
void trend_of(const struct trend_query *q, struct trend *ret);

void trend_release(struct trend *t);
#define _cleanup_trend_ _cleanup_(trend_release)
