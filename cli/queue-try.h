// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The checks of a stable queue that build, boot and measure: S23 to S26. */
#include "cli/bisect/search.h"
#include "cli/campaign.h"
#include "core/stable/check.h"

struct queue_try_opts {
	struct stage_opts stage;
	struct compare_settings compare;
	struct bisect_settings search;
	bool each;
};

/* What was measured, for the report; zeroed, nothing was. */
struct queue_try {
	struct lab *lab;
	struct campaign campaign;
	struct bisection bisection;
	bool searched; /* for a patch; what for is in the findings */
};
void queue_try_release(struct queue_try *t);

/*
 * Build the queue's tip, with each set what every step touches; boot it and its base, measure both,
 * and where one is worse search for the patch. The findings are added to a report whose
 * patches all apply. What cannot be told (the base does not build or boot, no patch is
 * found) becomes a gap or says so; errors are the environment's alone.
 */
struct queue_try_query {
	struct ctx *c;
	struct run *run;
	const struct queue *queue;
	const struct queue_try_opts *o;
	const struct strv *only, *skip; /* as struct check_opts */
};
_must_check_ int queue_try(const struct queue_try_query *q, struct queue_report *report,
			   struct queue_try *ret, struct err *e);
