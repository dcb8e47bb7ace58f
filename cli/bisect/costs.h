// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What builds and boots cost here, in seconds: the averages of what was measured. */
#include "cli/bisect/log.h"
#include "core/store/store.h"

struct tally {
	double build, boot;
	unsigned int builds, boots;
};

/* Count what an entry cost; data told by hand and cached builds say nothing. */
void tally_add(struct tally *t, const struct log_entry *en);

/* The averages; what was never measured stays as it is in costs. */
void tally_costs(const struct tally *t, struct bisect_costs *costs);

/* The averages of the newest runs in the store, before anything of this one is known. */
_must_check_ int costs_of_store(struct store *s, struct bisect_costs *costs,
				struct err *e);
