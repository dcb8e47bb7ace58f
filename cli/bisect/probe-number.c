// SPDX-License-Identifier: GPL-3.0-or-later
/* A benchmark's number in one cell as the question of a bisection. */
#include "cli/bisect/probe.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

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

static int number_answer(const struct shot *shot, const struct cell *cell,
			 struct answer *ret, struct err *e)
{
	struct answer a = { .kind = ANSWER_RUNS, .seconds = shot->boot.seconds };

	if (strcmp(shot->boot.status, "ok")) {
		answer_no_boot(shot, ret);
		return 0;
	}
	take_runs(shot, cell, &a);
	if (!a.nr_runs) {
		answer_release(&a);
		return err_set(e, ERR_WRONG_KERNEL, "boot of %.12s has no proven sample",
			       shot->kernel->commit.hex);
	}
	*ret = a;
	return 0;
}

int probe_ask_number(const struct probe *p, struct lab *l, const struct question *q,
		     size_t nr, struct lab_ahead *ahead, struct answer *ret,
		     struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };

	if (probe_shots(p, l, q, nr, ahead, &shots, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++)
		if (number_answer(&shots.v[i], p->o.cells[0], &ret[i], e) < 0)
			return -(int)e->code;
	return 0;
}
