// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: one simulated world. */
#include "core/bisect/graph.h"
#include "core/bisect/simulate.h"

struct world {
	const struct sim_spec *spec;
	uint64_t seed, rng;
	struct bisect_history history; /* owned, in spite of its const */
	struct graph graph;
	size_t *start, *parents;
	double *weight;
	bool *broken; /* untestable */
	size_t culprit[2], nr_culprits;
	uint64_t *room;
	unsigned int boots, runs, builds;
	double seconds;
	bool *built;
};

_must_check_ int world_init(struct world *w, const struct sim_spec *s, uint64_t trial,
			    struct err *e);
void world_release(struct world *w);

/* Boot: fill rates[runs]. false: the commit cannot be tested. */
bool world_boot(struct world *w, size_t commit, unsigned int layout, size_t runs,
		double *rates);

/* One run of the predicate; *ret_failed. */
bool world_test(struct world *w, size_t commit, bool *ret_failed);

/* Whether commit is a culprit. */
bool world_is_culprit(const struct world *w, size_t commit);
