// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/why-step.h"

#include <string.h>

#include "cli/cmd.h"
#include "core/base/log.h"

void cli_why_release(struct cli_why *w)
{
	why_release(&w->why);
	base_choice_release(&w->nearest);
}

void cli_why(struct ctx *c, const struct cli_base_query *q, const struct cli_base *base,
	     const struct apply_result *a, struct cli_why *ret)
{
	struct why_query wq = { .series = q->series, .result = a };
	_cleanup_err_ struct err e = { 0 };

	/* The search fills the index, from which the explanation names branches. */
	if (!strcmp(base->choice.method, "given") &&
	    cli_base_nearest(c, q, &ret->nearest, &e) < 0) {
		log_debug("no nearest base: %s", e.frame[0]);
		err_release(&e);
	}
	if (why_explain(c->repo, &wq, &ret->why, &e) < 0)
		log_debug("no explanation: %s", e.frame[0]);
	else
		ret->known = true;
}
