// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/play.h"

#include <stdlib.h>

#include "core/base/alloc.h"

#define END_BOOTS 3 /* what the other methods measure the ends with, as the engine does */
#define END_RUNS 5

static void judge_answer(const struct world *w, const struct bisect *b,
			 struct outcome_of_search *ret)
{
	struct bisect_result r;

	bisect_result(b, &r);
	*ret = (struct outcome_of_search){ .verdict = r.verdict,
					   .second = r.second_change,
					   .verified = r.verified };
	ret->right = r.verdict != BISECT_NO_CHANGE && world_is_culprit(w, r.culprit);
	if (r.verdict == BISECT_SET)
		for (size_t i = 0; i < r.nr_set; i++)
			ret->right = ret->right || world_is_culprit(w, r.set[i]);
	if (!w->nr_culprits)
		ret->right = r.verdict != BISECT_FOUND && r.verdict != BISECT_SET;
}

static int boot_number(struct world *w, struct bisect *b, const struct bisect_move *m,
		       struct err *e)
{
	_cleanup_free_ double *rates = xcalloc(m->runs, sizeof(*rates));
	struct bisect_boot boot = { m->commit, m->layout, rates, m->runs };

	if (!world_boot(w, m->commit, m->layout, m->runs, rates))
		return bisect_untestable(b, m->commit, BISECT_AT_BUILD, e);
	return bisect_observe(b, &boot, e);
}

static int boot_test(struct world *w, struct bisect *b, const struct bisect_move *m,
		     struct err *e)
{
	bool failed;

	if (!world_test(w, m->commit, &failed))
		return bisect_untestable(b, m->commit, BISECT_AT_BUILD, e);
	return bisect_observe_pass(b, m->commit, !failed, failed, e);
}

int play_engine(struct world *w, struct outcome_of_search *ret, struct err *e)
{
	_cleanup_bisect_ struct bisect *b = NULL;
	struct bisect_opts o = w->spec->o;
	struct bisect_move m;

	o.kind = w->spec->flaky > 0 ? BISECT_PASS : BISECT_NUMBER;
	if (bisect_new(&w->history, &o, &b, e) < 0)
		return -(int)e->code;
	for (;;) {
		bisect_next(b, &m);
		if (m.kind == BISECT_MOVE_DONE)
			break;
		if ((o.kind == BISECT_PASS ? boot_test(w, b, &m, e)
					   : boot_number(w, b, &m, e)) < 0)
			return -(int)e->code;
	}
	judge_answer(w, b, ret);
	return 0;
}

static double boot_mean(struct world *w, size_t commit, size_t runs, bool *ret_ok)
{
	_cleanup_free_ double *rates = xcalloc(runs, sizeof(*rates));
	double sum = 0;

	*ret_ok = world_boot(w, commit, 0, runs, rates);
	for (size_t i = 0; i < runs; i++)
		sum += rates[i] / (double)runs;
	return sum;
}

/* The middle between the means of both ends; *ret_up tells that new is the larger. */
static double midpoint(struct world *w, bool *ret_up)
{
	double old = 0, new = 0;
	bool ok;

	for (int i = 0; i < END_BOOTS; i++) {
		old += boot_mean(w, 0, END_RUNS, &ok) / END_BOOTS;
		new += boot_mean(w, w->spec->n - 1, END_RUNS, &ok) / END_BOOTS;
	}
	*ret_up = new > old;
	return (old + new) / 2;
}

/* The testable commit that halves what is left best; n when none does. */
static size_t halve(const struct world *w, const double *left, const double *share)
{
	size_t best = w->spec->n, k;
	double nearest = 0.5 - 1e-9;

	for (k = 1; k + 1 < w->spec->n; k++) {
		double off = share[k] > .5 ? share[k] - .5 : .5 - share[k];

		if (left[k] > 0 && !w->broken[k] && off < nearest) {
			nearest = off;
			best = k;
		}
	}
	return best;
}

/* Keep what agrees with the answer at k. */
static void narrow(struct world *w, double *left, size_t k, bool bad)
{
	double sum = 0;

	graph_ancestors(&w->graph, k, w->room);
	for (size_t i = 0; i < w->spec->n; i++) {
		if (bits_has(w->room, i) != bad)
			left[i] = 0;
		sum += left[i];
	}
	for (size_t i = 0; i < w->spec->n; i++)
		left[i] /= sum;
}

int play_git(struct world *w, struct outcome_of_search *ret, struct err *e)
{
	const size_t n = w->spec->n;
	_cleanup_free_ double *left = xcalloc(n, sizeof(*left));
	_cleanup_free_ double *share = xcalloc(n, sizeof(*share));
	size_t remain = 0;
	double middle;
	bool up, ok;

	(void)e;
	middle = midpoint(w, &up);
	for (size_t k = 1; k < n; k++)
		left[k] = 1 / (double)(n - 1);
	for (;;) {
		double value;
		size_t k;

		graph_shares(&w->graph, left, share);
		k = halve(w, left, share);
		if (k == n)
			break;
		value = boot_mean(w, k, w->spec->runs, &ok);
		narrow(w, left, k, (value > middle) == up);
	}
	*ret = (struct outcome_of_search){ .verdict = BISECT_FOUND };
	for (size_t k = 1; k < n; k++) {
		remain += left[k] > 0;
		ret->right = ret->right || (left[k] > 0 && world_is_culprit(w, k));
	}
	if (remain > 1)
		ret->verdict = BISECT_SET;
	return 0;
}

int play_bayes(struct world *w, struct outcome_of_search *ret, struct err *e)
{
	_cleanup_bisect_ struct bisect *b = NULL;
	struct bisect_opts o = w->spec->o;
	struct bisect_move m;
	double middle;
	bool up;

	o.kind = BISECT_PASS;
	middle = midpoint(w, &up);
	if (bisect_new(&w->history, &o, &b, e) < 0)
		return -(int)e->code;
	for (;;) {
		double value;
		bool bad, ok;

		bisect_next(b, &m);
		if (m.kind == BISECT_MOVE_DONE)
			break;
		value = boot_mean(w, m.commit, w->spec->runs, &ok);
		bad = (value > middle) == up;
		if ((ok ? bisect_observe_pass(b, m.commit, !bad, bad, e)
			: bisect_untestable(b, m.commit, BISECT_AT_BUILD, e)) < 0)
			return -(int)e->code;
	}
	judge_answer(w, b, ret);
	return 0;
}
