// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files that build and boot a queue share. */
#include "cli/queue-try.h"

struct trial {
	const struct queue_try_query *q;
	struct queue_report *report;
	struct queue_try *out;
	struct space space; /* the base, then patch i at i + 1 */
	struct kernel tip;
};

bool trial_wants(const struct trial *t, const char *id);

/*
 * Say by check id what is wrong with the tip, and since which patch: what the probe asks is
 * asked of the steps between until that is found.
 */
_must_check_ int trial_blame(struct trial *t, const char *id, struct probe *p,
			     const char *what, struct err *e);

/* S23 and S24. 1 when the tip can be booted. */
_must_check_ int trial_build(struct trial *t, struct err *e);
