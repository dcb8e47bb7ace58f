// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which column of a table is what. */
#include "bench/claims/matrix.h"
#include "bench/claims/words.h"

struct column_info {
	enum role role;
	bool numeric;	  /* a cell below the heading is a quantity */
	char *heading;	  /* whole */
	char *metric;	  /* without role and unit */
	struct span unit; /* of the heading, points into it */
};

/* A patched column with what it is held against; base or change may be missing. */
struct pair {
	size_t base, patched, change; /* SIZE_MAX: none */
	char *metric;		      /* "": the row names it */
};

struct layout {
	struct column_info col[MATRIX_MAX_COLS];
	size_t nr_cols;
	struct pair pair[MATRIX_MAX_COLS];
	size_t nr_pairs;
};

/* Fill; nr_pairs 0 when the headings make no comparison. */
void layout_of(const struct matrix *m, struct layout *ret);

/* Whether the first column rather than the first row tells base from patched. */
bool layout_is_turned(const struct matrix *m, const struct layout *l);

void layout_release(struct layout *l);
#define _cleanup_layout_ _cleanup_(layout_release)
