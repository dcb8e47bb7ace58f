// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* From a table to claims. */
#include "bench/claims/claims.h"
#include "bench/claims/matrix.h"
#include "bench/claims/quantity.h"

/* Text around a table: what its heading leaves open is looked up there. */
struct around {
	struct span before; /* the lines above it, as far as they belong to it */
	unsigned int runs;  /* N that they or the lines below name */
};

/* Append the claims m makes; false when it makes none. m may be changed. */
bool table_claims(struct matrix *m, const struct around *a, struct claims *ret);

/*
 * Append the claims of rows that need no heading to be understood: "value +1.2% value
 * name" as kernel test robots write, and "name value value (+1.2%)".
 */
void loose_claims(const struct matrix *m, const struct around *a, struct claims *ret);

/* Append a zeroed claim, NULL when there are too many. */
struct claim *claims_add(struct claims *c, enum claim_shape shape, unsigned int line);

/* Set base, patched and unit of c from two quantities; the unit of the second, or the
 * first's, or unit. */
void claim_set_values(struct claim *c, const struct quantity *base,
		      const struct quantity *patched, struct span unit);
void claim_set_change(struct claim *c, const struct change *change);

/* Fill in what depends on the rest: benchmark, direction, arithmetic. Metric is set. */
void claim_finish(struct claim *c, struct span around);
