// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a bisection is asked about: a range, a series, two revisions, two configurations. */
#include "cli/base-step.h"
#include "cli/bisect/search.h"
#include "cli/bisect/space.h"
#include "cli/source.h"
#include "core/git/apply.h"

struct bisect_range_query {
	struct ctx *c;
	struct run *run;
	const struct cli_source_opts *source;
	const struct cli_base_opts *base;
	const struct bisect_settings *bisect;
	char **arch; /* of the kernels; NULL in it: what a series touches says it, and is
			left there, borrowed of a table */
	const struct strv *args; /* not empty */
	bool configs;		 /* args are two files and a revision */
};

/* The points, and what they were made from; series and apply are NULL for a range. */
struct bisect_range {
	struct space space;
	struct series *series;
	struct apply_result *apply;
};
void bisect_range_release(struct bisect_range *s);
#define _cleanup_bisect_range_ _cleanup_(bisect_range_release)

/*
 * Read, fetch and apply what the words name, as steps of the run, and weigh the points by
 * the paths they touch. ERR_USAGE for words that do not go together; otherwise the errors
 * of step_fetch(), step_base(), cli_apply_to() and of the space_*() functions. ret is
 * released by the caller whatever is returned.
 */
_must_check_ int bisect_range_open(const struct bisect_range_query *q,
				   struct bisect_range *ret, struct err *e);
