// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/compare.h"

#include <math.h>
#include <string.h>

#include "bench/claims/span.h"
#include "core/base/alloc.h"

static const struct comparison *row_for(const struct claim *c,
					const struct claim_lab *lab)
{
	const struct arch *arch = lab->nr_rows ? arch_of_cell(lab->rows[0].cell) : NULL;
	const struct cell *cell = c->cell ? c->cell : cell_at(arch, 0);

	for (size_t i = 0; i < lab->nr_rows; i++)
		if (c->benchmark && !strcmp(lab->rows[i].benchmark, c->benchmark->name) &&
		    lab->rows[i].cell == cell)
			return &lab->rows[i];
	return NULL;
}

/* Whether the claim was made on a machine that is known to be another one. */
static bool other_machine(const struct claim *c, const struct claim_lab *lab)
{
	struct span here = { lab->machine, lab->machine ? strlen(lab->machine) : 0 };

	return c->machine && !span_has(here, c->machine);
}

/* Why the two do not compare, whatever was measured; NULL when they do. */
static const char *incomparable(const struct claim_check *k, const struct claim_lab *lab)
{
	const struct claim *c = k->claim;

	if (c->elsewhere)
		return c->elsewhere;
	if (!c->benchmark)
		return "no benchmark of kiln";
	if (c->impossible_cell)
		return "no such cell";
	if (!k->row || !k->row->base.boots || !k->row->patched.boots)
		return "not measured";
	if (!k->has_claimed)
		return "the claim gives no change, or not its direction";
	if (claim_is_wrong(c) && !c->has_recomputed)
		return "its numbers contradict each other";
	if (lab->virtual_clock && !c->emulated)
		return "claimed as time, measured as path length";
	if (!lab->virtual_clock && c->emulated)
		return "claimed as path length, measured as time";
	if (c->runs == 1)
		return "N=1 says nothing of its own spread";
	return NULL;
}

static bool overlaps(const struct claim_check *k)
{
	return k->claimed + k->claimed_half >= k->row->ci_lo &&
	       k->claimed - k->claimed_half <= k->row->ci_hi;
}

/* For a claim that does compare. */
static void judge(const struct claim_lab *lab, struct claim_check *k)
{
	const struct comparison *row = k->row;
	bool same_way = (row->change > 0) == (k->claimed > 0);

	k->verdict = CLAIM_NOT_CONFIRMED;
	if (row->verdict == VERDICT_UNDECIDED) {
		k->why = overlaps(k) ? "undecided here, and the interval holds the claim"
				     : "undecided here";
	} else if (overlaps(k)) {
		k->verdict = CLAIM_CONFIRMED;
		k->why = row->verdict == VERDICT_SAME ? "it is no change either" : NULL;
	} else if (other_machine(k->claim, lab)) {
		k->verdict = CLAIM_NOT_COMPARABLE;
		k->why = "differs, but was claimed of another machine";
	} else if (row->verdict == VERDICT_SAME) {
		k->why = "no change here";
	} else if (!same_way) {
		k->why = "the other direction here";
	} else {
		k->why = fabs(row->change) < fabs(k->claimed) ? "less here" : "more here";
	}
}

void claim_check(const struct claim *c, const struct claim_lab *lab,
		 struct claim_check *ret)
{
	struct claim_check k = { .claim = c, .row = row_for(c, lab) };

	k.has_claimed = claim_effect(c, &k.claimed, &k.claimed_half);
	k.verdict = CLAIM_NOT_COMPARABLE;
	k.why = incomparable(&k, lab);
	if (!k.why)
		judge(lab, &k);
	*ret = k;
}

/* Cover and patch often carry the same table. */
static bool repeats(const struct claim_check *a, const struct claim_check *b)
{
	return a->claim->benchmark == b->claim->benchmark &&
	       a->claim->elsewhere == b->claim->elsewhere &&
	       a->claim->cell == b->claim->cell && a->has_claimed == b->has_claimed &&
	       a->claimed == b->claimed && a->claim->has_base == b->claim->has_base &&
	       a->claim->base == b->claim->base &&
	       !strcmp(a->claim->metric, b->claim->metric);
}

struct claim_check *claims_check(const struct claims *c, const struct claim_lab *lab,
				 size_t *ret_nr)
{
	enum { MAX_CHECKS = 64 }; /* of a report people read */
	struct claim_check *v = NULL, k;
	size_t nr = 0, i;

	for (size_t n = 0; n < c->nr && nr < MAX_CHECKS; n++) {
		if (!c->v[n].benchmark && !c->v[n].elsewhere)
			continue;
		claim_check(&c->v[n], lab, &k);
		for (i = 0; i < nr && !repeats(&v[i], &k); i++)
			;
		if (i == nr)
			*array_push(v, nr) = k;
	}
	*ret_nr = nr;
	return v;
}

const char *claim_verdict_name(enum claim_verdict v)
{
	static const char *const names[] = { [CLAIM_CONFIRMED] = "confirmed",
					     [CLAIM_NOT_CONFIRMED] = "not confirmed",
					     [CLAIM_NOT_COMPARABLE] = "not comparable" };

	return names[v];
}
