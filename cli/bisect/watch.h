// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Other cells looked at while one is bisected: what the ends and the step did to them. */
#include "cli/bisect/search.h"

struct watched {
	const struct cell *cell;
	struct comparison ends; /* bad end over good end */
	struct comparison step; /* culprit over its parent, when one was found */
};

struct watch {
	struct watched v[4];
	size_t nr;
	bool has_step;
};

/* The cells by name; those of the probe's L0 paging are added to its boots. ERR_USAGE. */
_must_check_ int watch_cells(const struct strv *names, struct probe *p, struct watch *ret,
			     struct err *e);

/*
 * Compare once the search is over. Boots of the search count; what lacks is booted, each
 * commit `boots` times.
 */
_must_check_ int watch_measure(struct lab *l, const struct probe *p,
			       const struct bisection *b, unsigned int boots,
			       struct watch *w, struct err *e);
