// SPDX-License-Identifier: GPL-3.0-or-later
/* What a bisection says about the commit it names, for a reader who did not run it. */
#include "bench/report/text.h"

#include "bench/report/grid.h"

enum { SHORT_OID = 12 };

static void add_interval(double change, double lo, double hi, struct buf *ret)
{
	_cleanup_free_ char *c = text_percent(change);
	_cleanup_free_ char *l = text_percent(lo);
	_cleanup_free_ char *h = text_percent(hi);

	buf_addf(ret, "%s [%s, %s]", c, l, h);
}

static void add_levels(const struct report_bisect *b, struct buf *ret)
{
	const struct bisect_result *res = b->result;
	const struct report_level *old = &b->levels[0], *new = &b->levels[1];

	if (!old->boots || !new->boots) {
		buf_adds(ret, "  step     ");
		add_interval(res->step, res->step_lo, res->step_hi, ret);
		buf_addc(ret, '\n');
		return;
	}
	buf_addf(ret, "\n  %-12s  %5s  %12s  step, 95%% interval\n", "commit", "boots",
		 "mean");
	buf_addf(ret, "  %.12s  %5u  %#12.6g\n", b->commits[old->commit].oid.hex,
		 old->boots, old->mean);
	buf_addf(ret, "  %.12s  %5u  %#12.6g  ", b->commits[new->commit].oid.hex,
		 new->boots, new->mean);
	add_interval(res->step, res->step_lo, res->step_hi, ret);
	buf_adds(ret, "\n\n");
}

static void add_checks(const struct report_bisect *b, struct buf *ret)
{
	const struct bisect_result *res = b->result;
	_cleanup_free_ char *again = text_percent(res->verified_step);

	if (res->verified)
		buf_addf(ret, "  Rebuilt in three other layouts, both commits: %s.\n",
			 again);
	if (b->revert)
		buf_addf(ret, "  Its revert on the bad end: %s.\n", b->revert);
	if (b->implausible) {
		buf_adds(ret, "  Implausible: ");
		text_add_clean(ret, b->implausible);
		buf_addc(ret, '\n');
	}
}

void report_bisect_step(const struct report *r, struct buf *ret)
{
	const struct report_bisect *b = r->bisect;
	const struct report_commit *c = &b->commits[b->result->culprit];

	add_levels(b, ret);
	if (!c->made && (!c->number || !r->series)) {
		buf_addf(ret, "  Fixes: %.*s (\"", SHORT_OID, c->oid.hex);
		text_add_clean(ret, c->subject);
		buf_adds(ret, "\")\n");
	}
	add_checks(b, ret);
}

void report_bisect_method(const struct report *r, struct buf *ret)
{
	const struct report_bisect *b = r->bisect;

	buf_addf(ret,
		 "\n  Method: both ends first, in turns; then whichever of %zu commits\n"
		 "  tells most for its cost, by a posterior over all of them and \"no\n"
		 "  change\". A boot counts once, however many runs are in it.\n",
		 b->nr_commits - 1);
	if (b->proven)
		buf_adds(ret,
			 "  Each kernel proved itself from inside: build-id, and a boot "
			 "id of\n  its own.\n");
}
