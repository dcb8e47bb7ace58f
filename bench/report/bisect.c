// SPDX-License-Identifier: GPL-3.0-or-later
/* A bisection as text. */
#include "bench/report/text.h"

#include "bench/report/grid.h"

enum { SHORT_OID = 12, MAX_LISTED = 10 };

/* "patch 4/6", or the short commit id when it is of no series. */
static void add_name(const struct report *r, size_t i, struct buf *ret)
{
	const struct report_commit *c = &r->bisect->commits[i];

	if (c->number && r->series)
		buf_addf(ret, "patch %d/%d", c->number, r->series->total);
	else
		buf_addf(ret, "commit %.*s", SHORT_OID, c->oid.hex);
}

static void one_of(const struct report *r, struct buf *ret)
{
	buf_adds(ret, "one of ");
	add_name(r, r->bisect->result->set_first, ret);
	buf_adds(ret, " to ");
	add_name(r, r->bisect->result->set_last, ret);
}

static void add_change(const struct bisect_result *b, struct buf *ret)
{
	_cleanup_free_ char *change = text_percent(b->change);
	_cleanup_free_ char *lo = text_percent(b->ci_lo);
	_cleanup_free_ char *hi = text_percent(b->ci_hi);

	buf_addf(ret, "%s [%s, %s]", change, lo, hi);
}

void report_bisect_outcome(const struct report *r, struct buf *ret)
{
	const struct report_bisect *b = r->bisect;
	const struct bisect_result *res = b->result;

	buf_addf(ret, "%9s", "");
	switch (res->verdict) {
	case BISECT_FOUND:
		add_name(r, res->culprit, ret);
		buf_addf(ret, " changed %s in %s:\n%9s", b->benchmark, b->cell->name, "");
		text_add_clean(ret, b->commits[res->culprit].subject);
		buf_addc(ret, '\n');
		break;
	case BISECT_SET:
		one_of(r, ret);
		buf_addf(ret, " changed\n%9s%s in %s\n", "", b->benchmark, b->cell->name);
		break;
	case BISECT_NO_CHANGE:
		buf_addf(ret, "no change of %s in %s to find\n", b->benchmark,
			 b->cell->name);
		break;
	case BISECT_UNDECIDED:
	case BISECT_RUNNING:
		buf_addf(ret, "bisection of %s in %s not decided\n", b->benchmark,
			 b->cell->name);
		break;
	}
}

static void list(const struct report *r, size_t first, size_t last, struct buf *ret)
{
	const struct report_bisect *b = r->bisect;
	size_t shown = 0;

	for (size_t i = first; i <= last && i < b->nr_commits; i++) {
		if (shown++ == MAX_LISTED) {
			buf_addf(ret, "  and %zu more\n", last - i + 1);
			break;
		}
		buf_addf(ret, "  %.*s ", SHORT_OID, b->commits[i].oid.hex);
		text_add_clean(ret, b->commits[i].subject);
		buf_addc(ret, '\n');
	}
}

static void second(const struct report_bisect *b, struct buf *ret)
{
	_cleanup_free_ char *step = text_percent(b->result->second_step);

	buf_addf(ret, "  One step does not explain the data: a second change of %s\n",
		 step);
	buf_addf(ret, "  lies in %.*s to %.*s.\n", SHORT_OID,
		 b->commits[b->result->second_first].oid.hex, SHORT_OID,
		 b->commits[b->result->second_last].oid.hex);
}

void report_bisect_text(const struct report *r, struct buf *ret)
{
	const struct report_bisect *b = r->bisect;
	const struct bisect_result *res = b->result;

	buf_addf(ret, "\nBisection of %s in %s: %s\n", b->benchmark, b->cell->name,
		 bisect_verdict_name(res->verdict));
	buf_adds(ret, "  ends differ by ");
	add_change(res, ret);
	buf_addf(ret, "\n  %u boots, %u builds, %.2f hours", b->boots, b->builds,
		 b->seconds / 3600);
	if (res->verdict == BISECT_FOUND || res->verdict == BISECT_SET)
		buf_addf(ret, ", confidence %.3f", res->confidence);
	buf_addc(ret, '\n');
	if (res->verdict == BISECT_FOUND)
		report_bisect_step(r, ret);
	else if (res->verdict == BISECT_SET || res->verdict == BISECT_UNDECIDED)
		list(r, res->set_first, res->set_last, ret);
	if (res->second_change)
		second(b, ret);
	if (res->rejected)
		buf_adds(ret,
			 "  The likeliest commit was refused: its step did not come "
			 "again in\n"
			 "  other layouts, or it is the same binary as its parent.\n");
	report_bisect_method(r, ret);
}
