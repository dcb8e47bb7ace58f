// SPDX-License-Identifier: GPL-3.0-or-later
/* What a search will cost, and what it is at: for people. */
#include <math.h>

#include "core/base/buf.h"
#include "core/bisect/choice.h"
#include "core/bisect/plan.h"
#include "core/bisect/state.h"

/* Simulated searches need so many times the bound below this many sd of a step, for they
 * do not know levels and variances. */
#define UNKNOWN_FACTOR 2.5
#define UNKNOWN_BELOW 3.0
#define USUAL_RUN_SD 0.02
#define USUAL_TAU 0.01

double bound_boots(double commits, double eps, double variance, double effect)
{
	double bits = log2(fmax(commits, 2));

	return fmax(bits, (8 * log(fmax(commits, 2)) + 2 * log(1 / eps)) * variance /
				  (effect * effect));
}

void bisect_plan(const struct bisect *b, double effect, struct bisect_cost_plan *ret)
{
	bool known = b->data.boots > 0 && b->o.kind == BISECT_NUMBER;
	double tau2 = known ? b->post.tau2 : USUAL_TAU * USUAL_TAU;
	double run2 = known ? b->post.run2 : USUAL_RUN_SD * USUAL_RUN_SD;
	double runs = best_runs(sqrt(run2), sqrt(tau2), b->o.costs.boot, b->o.costs.run);
	double left = 0, bits = 0, s2, boots, d = fmax(fabs(log1p(effect)), 1e-9);

	runs = fmin(fmax(round(runs), 1), b->o.max_runs);
	s2 = tau2 + run2 / runs;
	for (size_t k = 1; k < b->graph.nr; k++)
		bits -= b->p[k] > 0 ? b->p[k] * log2(b->p[k]) : 0;
	left = b->o.kind == BISECT_PASS
		       ? bits
		       : bound_boots(exp2(bits), 1 - b->o.confidence, s2, d);
	if (b->o.kind == BISECT_NUMBER && d < UNKNOWN_BELOW * sqrt(s2))
		left *= UNKNOWN_FACTOR;
	boots = ceil(left);
	for (size_t i = 0; i < 2; i++) {
		const struct unit *u = data_unit(&b->data, i ? bad_end(b) : 0, 0);
		double had = u ? (double)(u->nr + u->passed + u->failed) : 0;

		boots += fmax(b->o.end_boots - had, 0);
	}
	ret->boots = boots;
	ret->builds = fmin(boots, ceil(bits) + !(b->flags[0] & COMMIT_BUILT) +
					  !(b->flags[bad_end(b)] & COMMIT_BUILT));
	ret->seconds = ret->builds * b->o.costs.build +
		       boots * (b->o.costs.boot + runs * b->o.costs.run);
}

static const char *move_word(enum bisect_move_kind k)
{
	static const char *const words[] = {
		[BISECT_MOVE_DONE] = "done",
		[BISECT_MOVE_END] = "end",
		[BISECT_MOVE_COMMIT] = "boot",
		[BISECT_MOVE_VERIFY] = "verify",
	};

	return words[k];
}

void bisect_dump(const struct bisect *b, struct buf *ret)
{
	size_t top = 1;

	for (size_t k = 1; k < b->graph.nr; k++)
		if (b->p[k] > b->p[top])
			top = k;
	buf_addf(ret, "boots=%u builds=%u runs=%u tested=%zu groups=%zu", b->data.boots,
		 b->builds, b->data.runs, b->nr_tested, b->groups.nr);
	buf_addf(ret, " top=%zu p=%.4f none=%.4f", top, bisect_posterior(b, top),
		 b->post.none_p);
	if (b->o.kind == BISECT_NUMBER && b->data.boots)
		buf_addf(ret, " step=%+.4f boot_sd=%.4f build_sd=%.4f run_sd=%.4f",
			 b->res.step, sqrt(b->post.tau2), sqrt(b->post.lam2),
			 sqrt(b->post.run2));
	buf_addf(ret, " bf10=%.2f next=%s", b->post.log_bf10, move_word(b->move.kind));
	if (b->move.kind != BISECT_MOVE_DONE)
		buf_addf(ret, ":%zu x%u layout=%u", b->move.commit, b->move.runs,
			 b->move.layout);
	else
		buf_addf(ret, " verdict=%s", bisect_verdict_name(b->res.verdict));
}

struct ahead {
	size_t commit;
	double off; /* of the even split */
};

size_t bisect_ahead(const struct bisect *b, size_t *ret, size_t nr)
{
	size_t list[MAX_CANDIDATES], n = candidates(b, list), filled = 0;

	if (b->move.kind != BISECT_MOVE_DONE &&
	    !(b->flags[b->move.commit] & COMMIT_BUILT) && filled < nr)
		ret[filled++] = b->move.commit;
	for (;;) {
		struct ahead best = { b->graph.nr, INFINITY };

		for (size_t i = 0; i < n; i++) {
			double off = fabs(b->f[list[i]] - .5);
			bool had = b->flags[list[i]] & COMMIT_BUILT;

			for (size_t k = 0; k < filled; k++)
				had = had || ret[k] == list[i];
			if (!had && off < best.off)
				best = (struct ahead){ list[i], off };
		}
		if (best.commit == b->graph.nr || filled >= nr)
			return filled;
		ret[filled++] = best.commit;
	}
}
