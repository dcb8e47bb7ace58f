// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a commit builds. */
#include "cli/bisect/probe.h"

#include <string.h>

#include "core/base/alloc.h"

/*
 * The same sources build or fail the same each time (builds that a machine spoiled are
 * errors before they come here), so one build tells as much as many boots do of a kernel.
 */
#define AS_GOOD_AS 20

static void build_answer(const struct build_record *b, struct answer *ret)
{
	bool ok = !strcmp(b->status, "ok"), failed = !strcmp(b->status, "failed");

	*ret = (struct answer){ .kind = ok || failed ? ANSWER_PASS : ANSWER_UNTESTABLE };
	ret->passed = ok ? AS_GOOD_AS : 0;
	ret->failed = failed ? AS_GOOD_AS : 0;
	ret->stage = BISECT_AT_BUILD;
	if (!ok)
		ret->reason = xasprintf("%s: %s", b->status, b->reason ?: "");
}

int probe_ask_build(const struct probe *p, struct lab *l, const struct question *q,
		    size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	(void)p;
	(void)l;
	(void)ahead;
	(void)e;
	for (size_t i = 0; i < nr; i++)
		build_answer(&q[i].kernel->build, &ret[i]);
	return 0;
}
