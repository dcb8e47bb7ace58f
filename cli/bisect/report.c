// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/report.h"

#include <stdlib.h>

#include "core/base/alloc.h"

static struct report_level level_of(const struct bisection *b, size_t commit)
{
	struct report_level l = { .commit = commit };

	for (size_t i = 0; i < b->nr_moves; i++)
		if (b->moves[i].commit == commit && b->moves[i].answered) {
			l.mean += b->moves[i].value;
			l.boots++;
		}
	l.mean /= l.boots ? l.boots : 1;
	return l;
}

void bisect_view_fill(struct bisect_view *view, const struct bisection *b,
		      const struct benchmark *bench, const struct cell *cell)
{
	view->commits = xcalloc(b->space.nr, sizeof(*view->commits));
	for (size_t i = 0; i < b->space.nr; i++) {
		view->commits[i].oid = b->space.v[i].commit;
		view->commits[i].subject = b->space.v[i].subject;
		view->commits[i].made = b->space.v[i].overlay || b->space.v[i].mixed;
	}
	view->report = (struct report_bisect){
		.result = &b->result,
		.commits = view->commits,
		.nr_commits = b->space.nr,
		.benchmark = bench->name,
		.cell = cell,
		.boots = b->boots,
		.builds = b->builds,
		.seconds = b->seconds,
		.revert = b->revert == REVERT_NOT_TRIED ? NULL
							: bisect_revert_name(b->revert),
		.implausible = b->implausible,
		.proven = b->measured,
	};
	if (b->result.verdict != BISECT_FOUND)
		return;
	view->report.levels[0] = level_of(b, b->result.parent);
	view->report.levels[1] = level_of(b, b->result.culprit);
}

void bisect_view_number(struct bisect_view *view, const struct series *s,
			const struct apply_result *a)
{
	for (size_t i = 0; i < view->report.nr_commits; i++)
		for (size_t k = 0; k < a->nr && k < s->nr_patches; k++)
			if (oid_equal(&view->commits[i].oid, &a->commits[k].oid))
				view->commits[i].number = s->patches[k].number;
}

void bisect_view_release(struct bisect_view *view)
{
	free(view->commits);
	*view = (struct bisect_view){ 0 };
}
