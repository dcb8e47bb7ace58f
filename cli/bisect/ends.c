// SPDX-License-Identifier: GPL-3.0-or-later
/* Before the search: what it will cost, and whether the ends are what they are said. */
#include <math.h>
#include <stdlib.h>

#include "cli/bisect/state.h"
#include "cli/out.h"
#include "core/base/alloc.h"

#define EXPECTED 0.05

int search_plan(struct search *s, struct err *e)
{
	_cleanup_free_ char *takes = NULL, *budget = NULL;
	struct bisect_cost_plan *plan = &s->out->plan;
	double limit = s->site->o.max_seconds;

	bisect_plan(s->engine, s->site->expect > 0 ? s->site->expect : EXPECTED, plan);
	takes = out_duration(plan->seconds);
	if (s->site->asks_build)
		plan->boots = 0;
	if (!s->site->quiet)
		out_talk("plan  %zu commits: about %.0f boots, %.0f builds, %s",
			 s->out->space.nr - 1, plan->boots, plan->builds, takes);
	if (!(limit > 0) || plan->seconds <= limit)
		return 0;
	budget = out_duration(limit);
	err_set(e, ERR_BUDGET,
		"the plan of %.0f boots and %.0f builds takes about %s, the budget is %s",
		plan->boots, plan->builds, takes, budget);
	return err_hint(e, "allow more with --budget, look for a larger change with "
			   "--expect, or bisect a shorter range");
}

/* The same once the ends have shown how large the change is and how noisy boots are. */
static void plan_again(const struct search *s)
{
	_cleanup_free_ char *takes = NULL;
	struct bisect_cost_plan plan;
	struct bisect_result r;

	bisect_result(s->engine, &r);
	if (s->site->quiet || s->site->asks_build || r.verdict != BISECT_RUNNING)
		return;
	bisect_plan(s->engine, fabs(r.change) > 0 ? r.change : EXPECTED, &plan);
	takes = out_duration(plan.seconds);
	out_talk("plan  the ends differ by %+.2f %%: about %.0f more boots, %.0f builds, "
		 "%s",
		 r.change * 100, plan.boots, plan.builds, takes);
}

static int build_end(struct search *s, struct variant *v, struct err *e)
{
	if (search_build(s, v, e) < 0)
		return -(int)e->code;
	if (search_can_ask(s, v) || build_need_ok(&v->kernel.build, e) == 0)
		return 0;
	err_wrap(e, "commit %.12s '%s' does not build", v->kernel.commit.hex,
		 v->kernel.subject ?: "");
	return err_wrap(e, "an end of the range cannot be measured");
}

/* A predicate's ends; those of a number are the engine's to compare. */
static int check_claims(struct search *s, struct err *e)
{
	size_t last = s->out->space.nr - 1;
	const struct variant *old = search_variant(s, 0, 0);
	const struct variant *new = search_variant(s, last, 0);
	double of_old = old->old + old->new, of_new = new->old + new->new;

	if (s->site->o.kind != BISECT_PASS ||
	    (old->old && new->new && old->new / of_old < new->new / of_new))
		return 0;
	err_set(e, ERR_NO_DIFFERENCE,
		"%s end %.12s was %s %u times of %.0f, %s end %.12s was %s %u times of "
		"%.0f",
		s->site->old, s->out->space.v[0].commit.hex, s->site->old, old->old,
		of_old, s->site->new, s->out->space.v[last].commit.hex, s->site->new,
		new->new, of_new);
	err_wrap(e, "the ends do not answer as claimed");
	if (!old->old && !new->new)
		return err_hint(e, s->site->fixed ? "without --fixed the ends would"
						  : "with --fixed the ends would");
	return err_hint(e, "what fails rarely may need more --end-boots");
}

int search_ends(struct search *s, struct err *e)
{
	unsigned int boots = s->site->o.end_boots;
	struct variant *good = search_variant(s, 0, 0);
	struct variant *bad = search_variant(s, s->out->space.nr - 1, 0);
	_cleanup_free_ struct ask *v = xcalloc(2 * (size_t)boots, sizeof(*v));
	size_t nr = 0;

	if (build_end(s, good, e) < 0 || build_end(s, bad, e) < 0)
		return -(int)e->code;
	if (s->out->alike)
		return 0;
	for (unsigned int n = 0; n < boots; n++)
		for (unsigned int side = 0; side < 2; side++) {
			struct variant *one = n % 2 == side ? good : bad;

			if (n >= one->taken)
				v[nr++] = (struct ask){ one, s->site->o.end_runs, n };
		}
	if (nr && search_ask(s, v, nr, NULL, e) < 0)
		return -(int)e->code;
	if (check_claims(s, e) < 0)
		return -(int)e->code;
	if (nr)
		plan_again(s);
	return 0;
}
