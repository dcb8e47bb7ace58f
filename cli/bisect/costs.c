// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/store/run.h"

#define NEWEST 20
/* A benchmark makes its runs whether the engine wants them or not: one more costs
 * little, but not nothing. */
#define RUN_SHARE 0.01
#define LEAST 1e-3

void tally_add(struct tally *t, const struct log_entry *en)
{
	bool build = en->kind == LOG_BUILT ||
		     (en->kind == LOG_SKIP && en->stage == BISECT_AT_BUILD);

	if (en->hand || en->cached || en->seconds <= 0)
		return;
	if (build) {
		t->build += en->seconds;
		t->builds++;
	} else if (en->kind != LOG_SKIP) {
		/* A boot that came to nothing ended early, or late. */
		t->boot += en->seconds;
		t->boots++;
	}
}

void tally_costs(const struct tally *t, struct bisect_costs *costs)
{
	if (t->builds)
		costs->build = fmax(t->build / t->builds, LEAST);
	if (t->boots)
		costs->boot = fmax(t->boot / t->boots, LEAST);
	if (t->boots)
		costs->run = fmax(RUN_SHARE * costs->boot, LEAST);
}

static int tally_run(struct store *s, const char *run, struct tally *t, struct err *e)
{
	struct build_record *builds = NULL;
	struct boot_record *boots = NULL;
	size_t nr = 0;

	if (store_builds(s, run, &builds, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		if (!builds[i].cached && builds[i].seconds > 0) {
			t->build += builds[i].seconds;
			t->builds++;
		}
		build_record_release(&builds[i]);
	}
	free(builds);
	nr = 0;
	if (store_boots(s, run, &boots, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(boots[i].status, "ok") && boots[i].seconds > 0) {
			t->boot += boots[i].seconds;
			t->boots++;
		}
		boot_record_release(&boots[i]);
	}
	free(boots);
	return 0;
}

int costs_of_store(struct store *s, struct bisect_costs *costs, struct err *e)
{
	struct run_info *v = NULL;
	struct tally t = { 0 };
	size_t nr = 0;
	int r = 0;

	if (run_list(s, &v, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		if (i < NEWEST && r == 0)
			r = tally_run(s, v[i].id, &t, e);
		run_info_release(&v[i]);
	}
	free(v);
	if (r < 0)
		return r;
	tally_costs(&t, costs);
	return 0;
}
