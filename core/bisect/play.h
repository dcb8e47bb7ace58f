// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: one search of a world, by each method. */
#include "core/bisect/world.h"

struct outcome_of_search {
	enum bisect_verdict verdict;
	bool right; /* the likeliest commit, or the set, is a culprit */
	bool second, verified;
};

_must_check_ int play_engine(struct world *w, struct outcome_of_search *ret,
			     struct err *e);
_must_check_ int play_git(struct world *w, struct outcome_of_search *ret, struct err *e);
_must_check_ int play_bayes(struct world *w, struct outcome_of_search *ret,
			    struct err *e);
