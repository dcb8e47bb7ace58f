// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a campaign will cost, said before it starts. */
#include "cli/campaign.h"

struct campaign_plan {
	unsigned int pairs; /* of boots a cell: as many as there will be, or about */
	unsigned int most;  /* pairs after which it gives up */
	unsigned int boots, builds;
	double pair_seconds; /* one pair of all cells, wall */
	double seconds;	     /* all of it */
	bool guessed;	     /* nobody knows how boots scatter here: 1 % is taken */
};

/*
 * By what boots and builds have cost so far: the target's calibration, else the newest
 * runs. noise is the campaign's, one for each cell of the lab.
 */
_must_check_ int campaign_plan(struct lab *l, const struct oid commits[2],
			       const struct compare_settings *o,
			       const struct noise *noise, struct campaign_plan *ret,
			       struct err *e);

/* Say it, and refuse it with ERR_BUDGET when it takes longer than it may. A run that is
 * resumed was allowed before. */
_must_check_ int campaign_plan_check(const struct lab *l, const struct campaign_plan *p,
				     const struct compare_settings *o, struct err *e);
