// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * In which order the two sides boot: base, patched, patched, base or the reverse, block by
 * block, so that what drifts with time falls on both alike; which of the two is random,
 * so that nothing else in the machine's day keeps step with it.
 */
#include "cli/stages.h"

/*
 * Step "order": the seed of a run's order, told (> 0) or drawn when the run first comes
 * here.
 */
_must_check_ int order_seed(struct lab *l, uint64_t told, uint64_t *ret, struct err *e);

/* Whether base is the first of pair n, from 0: one bit of the seed for two pairs. */
bool order_base_first(uint64_t seed, unsigned int n);
