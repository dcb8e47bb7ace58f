// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Claims in sentences, and in pairs of lines "before: 12 ms", "after: 10 ms". */
#include "bench/claims/claims.h"
#include "bench/claims/lines.h"
#include "bench/claims/quantity.h"

void pair_claims(struct lines *l, struct claims *ret);
void prose_claims(const struct lines *l, struct claims *ret);

/* What the words around a change in a sentence make of it. */
struct phrase {
	enum claim_way way;
	bool faster; /* of speed: "faster", "slowdown" */
	bool approx; /* "up to" */
	bool strong; /* the word is one for performance: "improves", not "increases" */
	struct span metric; /* may be empty */
};

/*
 * Read the sentence around a change that stands at [at, end) of it. False when no word
 * makes it one: "99% of users", "reduce the use to 10%", "no regression above 1%".
 */
bool phrase_of_change(struct span sentence, size_t at, size_t end, bool ratio,
		      struct phrase *ret);

/* Whether a word before byte at says that something changed: "increased from A to B" does,
 * "an integer from 0 to 7" does not. */
bool phrase_moves(struct span sentence, size_t at);

/* The metric of "X went from A to B", A's word "from" being at byte at; may be empty. */
struct span phrase_subject(struct span sentence, size_t at);
