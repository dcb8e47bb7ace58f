// SPDX-License-Identifier: GPL-3.0-or-later
/* A benchmark's number in one cell as the question of a bisection. */
#include "cli/bisect/probe.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

void answer_release(struct answer *a)
{
	free(a->runs);
	free(a->reason);
	*a = (struct answer){ 0 };
}

/* The proven runs of the wanted cell. */
static void take_runs(const struct shot *shot, const struct cell *cell,
		      struct answer *ret)
{
	ret->runs = xcalloc(shot->samples.nr, sizeof(*ret->runs));
	for (size_t i = 0; i < shot->samples.nr; i++) {
		const struct sample *sample = &shot->samples.v[i];

		if (sample->proven && !strcmp(sample->l0, cell->l0) &&
		    !strcmp(sample->l1, cell->l1))
			ret->runs[ret->nr_runs++] = sample->value;
	}
}

static enum bisect_stage stage_of(const struct shot *shot)
{
	return strcmp(shot->boot.status, "no-result") ? BISECT_AT_BOOT
						      : BISECT_AT_BENCHMARK;
}

/* A wrong kernel is never evidence about a commit. */
static int number_answer(const struct shot *shot, const struct cell *cell,
			 struct answer *ret, struct err *e)
{
	struct answer a = { .seconds = shot->boot.seconds };

	if (!strcmp(shot->boot.status, "wrong-kernel"))
		return shot_check(shot, e);
	if (strcmp(shot->boot.status, "ok")) {
		a.kind = ANSWER_UNTESTABLE;
		a.stage = stage_of(shot);
		a.reason = xasprintf("%s: %s", shot->boot.status,
				     shot->boot.reason ?: "no cause recorded");
		*ret = a;
		return 0;
	}
	a.kind = ANSWER_RUNS;
	take_runs(shot, cell, &a);
	if (!a.nr_runs) {
		answer_release(&a);
		return err_set(e, ERR_WRONG_KERNEL, "boot of %.12s has no proven sample",
			       shot->kernel->commit.hex);
	}
	*ret = a;
	return 0;
}

static int number_ask(const struct probe *p, struct lab *l, const struct question *q,
		      size_t nr, struct answer *ret, struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };

	for (size_t i = 0; i < nr; i++)
		shots_plan_cell(&shots, p->ctx, q[i].kernel, q[i].boot);
	if (lab_measure(l, &shots, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++)
		if (number_answer(&shots.v[i], p->ctx, &ret[i], e) < 0)
			return -(int)e->code;
	return 0;
}

struct probe probe_number(const struct cell *cell)
{
	return (struct probe){ .kind = BISECT_NUMBER, .ask = number_ask, .ctx = cell };
}
