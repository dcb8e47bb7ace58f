// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Building the next kernel while something boots. */
#include "cli/stages.h"

/* A build to be done beside boots. Starts with commit set, the rest zeroed. */
struct lab_ahead {
	struct oid commit;
	struct kernel kernel; /* result */
};

/* How many processors builds may use while one boot or test is under way. 0: nothing is
 * built then, as there is one processor, or as a busy host would move the clock. */
unsigned int lab_spare(const struct lab *l, bool timed);

/* Do independent steps, up to jobs at once, and a build beside them (NULL: none). */
_must_check_ int lab_steps(struct lab *l, const struct step *s,
			   const struct step_call *calls, size_t nr, unsigned int jobs,
			   struct lab_ahead *ahead, struct err *e);
