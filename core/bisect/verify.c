// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A build's layout alone can move a number by percents (functions aligned otherwise gave
 * netperf +16.6 to +97.4 %, in Linux 09c60546f04f). So culprit and parent are rebuilt in
 * layouts of their own before anything is named.
 */
#include <math.h>

#include "core/bisect/state.h"

#define LAYOUTS 3
#define LAYOUT_BOOTS 2
#define LAYOUT_RUNS 5

static double mean_of(const struct bisect *b, const struct unit *u)
{
	struct run_noise noise = data_run_noise(&b->data);
	double sum = 0;

	for (size_t i = 0; i < u->nr; i++)
		sum += boot_location(&u->boots[i], &noise);
	return sum / (double)u->nr;
}

static bool lacks(const struct bisect *b, size_t k, unsigned int layout, size_t round,
		  struct bisect_move *ret)
{
	const struct unit *u = data_unit(&b->data, k, layout);

	if (u && u->nr > round)
		return false;
	*ret = (struct bisect_move){ BISECT_MOVE_VERIFY, k, LAYOUT_RUNS, layout };
	return true;
}

enum verified verify(const struct bisect *b, size_t culprit, size_t parent,
		     struct bisect_move *ret, double *ret_step)
{
	const struct levels *l = &b->post.levels[b->groups.of[culprit]];
	double found = l->new - l->old, step = 0;

	for (size_t round = 0; round < LAYOUT_BOOTS; round++) {
		for (unsigned int i = 1; i <= LAYOUTS; i++) {
			size_t first = (round + i) % 2 ? parent : culprit;
			size_t second = first == parent ? culprit : parent;

			if (lacks(b, first, i, round, ret) ||
			    lacks(b, second, i, round, ret))
				return VERIFY_MORE;
		}
	}
	for (unsigned int i = 1; i <= LAYOUTS; i++)
		step += (mean_of(b, data_unit(&b->data, culprit, i)) -
			 mean_of(b, data_unit(&b->data, parent, i))) /
			LAYOUTS;
	*ret_step = expm1(step);
	return step / found >= 0.5 ? VERIFY_ACCEPTED : VERIFY_REJECTED;
}
