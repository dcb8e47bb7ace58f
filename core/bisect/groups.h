// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/bisect only: hypotheses that no measurement tells apart. The likelihood of
 * a culprit depends only on which tested commits have it; commits with the same ones
 * form a group (on a chain: the gap between two tested commits), and each newly tested
 * commit splits groups in two.
 */
#include <stdint.h>

#include "core/bisect/graph.h"

struct group {
	double weight;	/* prior of its members */
	double squares; /* of their priors */
	size_t nr;
	size_t first; /* its least member */
};

struct groups {
	size_t nr_commits;
	const double *weight; /* borrowed; [0] is 0: the good end is no hypothesis */
	uint32_t *of;	      /* group of each commit */
	struct group *v;
	size_t nr, nr_tested;
	uint8_t *side; /* [nr][nr_tested]: 1 where the tested commit has the change */
};

void groups_init(struct groups *g, size_t nr_commits, const double *weight);
void groups_release(struct groups *g);

/* One more tested commit, by its ancestors. */
void groups_split(struct groups *g, const uint64_t *ancestors);

static inline const uint8_t *group_side(const struct groups *g, size_t i)
{
	return g->side + i * g->nr_tested;
}
