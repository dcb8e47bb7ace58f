// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether taking the culprit back on the bad end takes the change back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/state.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/git/derive.h"

const char *bisect_revert_name(enum bisect_revert r)
{
	static const char *const names[] = {
		[REVERT_NOT_TRIED] = "not-tried",
		[REVERT_CONFIRMED] = "confirmed",
		[REVERT_REFUTED] = "not-confirmed",
		[REVERT_CONFLICT] = "does-not-apply",
		[REVERT_UNTESTABLE] = "cannot-be-tested",
	};

	return names[r];
}

/* Mean of the logs of the bad end's boots, as they were reported. */
static double bad_level(const struct bisection *b)
{
	double sum = 0;
	size_t nr = 0;

	for (size_t i = 0; i < b->nr_moves; i++)
		if (b->moves[i].commit + 1 == b->space.nr && b->moves[i].value > 0) {
			sum += log(b->moves[i].value);
			nr++;
		}
	return nr ? sum / (double)nr : 0;
}

static double level(const struct answer *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->nr_runs; i++)
		sum += log(a->runs[i]);
	return sum / (double)a->nr_runs;
}

/* Half of the step is where it came from the one side as likely as from the other. */
static enum bisect_revert judge(struct search *s, const struct answer *a, size_t nr)
{
	double step = log1p(s->out->result.step), moved, sum = 0;

	for (size_t i = 0; i < nr; i++) {
		if (a[i].kind != ANSWER_RUNS)
			return REVERT_UNTESTABLE;
		sum += level(&a[i]);
		s->out->runs += (unsigned int)a[i].nr_runs;
		s->out->seconds += a[i].seconds;
	}
	s->out->boots += (unsigned int)nr;
	moved = sum / (double)nr - bad_level(s->out);
	s->out->revert_change = expm1(moved);
	return -moved / step >= 0.5 ? REVERT_CONFIRMED : REVERT_REFUTED;
}

static int measure(struct search *s, struct kernel *k, struct err *e)
{
	const struct probe *p = s->site->probe;
	size_t nr = s->site->o.end_boots;
	_cleanup_free_ struct question *q = xcalloc(nr, sizeof(*q));
	_cleanup_free_ struct answer *a = xcalloc(nr, sizeof(*a));
	int r;

	for (size_t i = 0; i < nr; i++)
		q[i] = (struct question){ k, (unsigned int)i, s->site->o.end_runs, 0 };
	r = p->ask(p, s->site->lab, q, nr, NULL, a, e);
	if (r == 0)
		s->out->revert = judge(s, a, nr);
	for (size_t i = 0; i < nr; i++)
		answer_release(&a[i]);
	return r;
}

static void tell(const struct search *s)
{
	if (!s->site->quiet)
		out_talk("revert of %.12s on the %s end: %s",
			 s->out->space.v[s->out->result.culprit].commit.hex, s->site->new,
			 bisect_revert_name(s->out->revert));
}

int search_revert(struct search *s, struct err *e)
{
	struct bisection *out = s->out;
	const struct point *culprit = &out->space.v[out->result.culprit];
	const struct point *bad = &out->space.v[out->space.nr - 1];
	_cleanup_(kernel_release) struct kernel k = { 0 };
	_cleanup_err_ struct err why = { 0 };
	struct oid reverted;

	if (out->result.verdict != BISECT_FOUND || !s->site->revert || culprit->overlay ||
	    culprit->mixed)
		return 0;
	if (derive_revert(lab_repo(s->site->lab), &bad->commit, &culprit->commit,
			  &reverted, &why) < 0) {
		if (why.code != ERR_HUNK) {
			*e = why;
			why = (struct err){ 0 };
			return -(int)e->code;
		}
		out->revert = REVERT_CONFLICT;
		tell(s);
		return 0;
	}
	if (lab_build(s->site->lab, &reverted, &k, e) < 0)
		return -(int)e->code;
	out->builds += !k.build.cached;
	out->revert = REVERT_UNTESTABLE;
	if (!strcmp(k.build.status, "ok") && measure(s, &k, e) < 0)
		return -(int)e->code;
	/* One status: what its own revert does not undo is not named as the culprit. */
	if (out->revert == REVERT_REFUTED)
		out->result.verdict = BISECT_UNDECIDED;
	tell(s);
	return 0;
}
