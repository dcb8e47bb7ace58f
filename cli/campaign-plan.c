// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign-plan.h"

#include <math.h>

#include "bench/stats/plan.h"
#include "cli/bisect/costs.h"
#include "cli/lab-internal.h"
#include "cli/out.h"

#define MOST_PAIRS 40
#define GUESSED_SD 0.01

/* Pairs that decide the cell that takes most of them. */
static unsigned int pairs_for(const struct lab *l, const struct compare_settings *o,
			      const struct noise *noise, struct campaign_plan *plan)
{
	double effect = log1p(o->target_effect);
	double confidence = o->confidence > 0 ? o->confidence : 0.95;
	unsigned int most = 2;

	for (size_t i = 0; i < lab_nr_points(l); i++) {
		const struct known_noise *k = &noise[i].known;
		bool known = k->boot_sd > 0;
		unsigned int n = plan_pairs(known ? k->boot_sd : GUESSED_SD, effect, k,
					    confidence);

		plan->guessed = plan->guessed || !known;
		if (!n || n > plan->most)
			return plan->most;
		most = n > most ? n : most;
	}
	return most;
}

static double boot_seconds(const struct lab *l, const struct noise *noise,
			   const struct bisect_costs *costs)
{
	double most = 0;

	for (size_t i = 0; i < lab_nr_points(l); i++)
		most = fmax(most, noise[i].calibration.seconds);
	return most > 0 ? most : costs->boot;
}

int campaign_plan(struct lab *l, const struct oid commits[2],
		  const struct compare_settings *o, const struct noise *noise,
		  struct campaign_plan *ret, struct err *e)
{
	struct bisect_costs costs = bisect_defaults().costs;
	_cleanup_(shots_release) struct shots pair = { 0 };
	const struct kernel none = { 0 };
	struct campaign_plan p = { 0 };
	bool cached[2];
	size_t rounds;

	if (costs_of_store(run_store(lab_run(l)), &costs, e) < 0 ||
	    lab_cached(l, commits, 2, cached, e) < 0)
		return err_wrap(e, "cannot plan the comparison");
	shots_plan(&pair, l, &none, 0);
	shots_plan(&pair, l, &none, 1);
	rounds = (pair.nr + lab_machines(l) - 1) / lab_machines(l);
	p.most = o->target_effect > 0 && !l->opts->boots ? MOST_PAIRS : lab_boots(l);
	p.pairs = o->target_effect > 0 ? pairs_for(l, o, noise, &p) : p.most;
	p.boots = p.pairs * (unsigned int)pair.nr;
	p.builds = !cached[0] + !cached[1];
	p.pair_seconds = (double)rounds * boot_seconds(l, noise, &costs);
	p.seconds = p.pairs * p.pair_seconds + p.builds * costs.build;
	*ret = p;
	return 0;
}

int campaign_plan_check(const struct lab *l, const struct campaign_plan *p,
			const struct compare_settings *o, struct err *e)
{
	_cleanup_free_ char *takes = out_duration(p->seconds);
	_cleanup_free_ char *budget = out_duration((double)o->budget);

	if (!lab_quiet(l))
		out_talk("plan  %s%u boots, %u builds, about %s%s",
			 o->target_effect > 0 ? "about " : "", p->boots, p->builds, takes,
			 p->guessed ? "; not calibrated: boots are taken to scatter by "
				      "1 %"
				    : "");
	if (!o->budget || l->c->resume || p->seconds <= (double)o->budget)
		return 0;
	err_set(e, ERR_BUDGET,
		"the plan of %u boots and %u builds takes about %s, the budget is %s",
		p->boots, p->builds, takes, budget);
	return err_hint(e, "allow more with --budget, look for a larger change with "
			   "--target-effect, or take fewer cells");
}
