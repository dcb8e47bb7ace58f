// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "bench/claims/claims.h"
#include "bench/claims/span.h"

/* Whether the words name a benchmark kiln knows of. */
bool claims_known(struct span s);

/*
 * Find the benchmark a claim is about by the names in its metric, its label and around,
 * in this order, and set benchmark, or elsewhere, and better where the registry knows it.
 */
void claim_name(struct claim *c, struct span around);
