// SPDX-License-Identifier: GPL-3.0-or-later
/* What was claimed against what was measured. */
#include "bench/report/report.h"

#include <ctype.h>
#include <string.h>

#include "bench/report/grid.h"
#include "core/base/alloc.h"

enum { MAX_NAME = 34 };

/* Names of metrics are the author's: only printable ASCII keeps the columns straight. */
static char *printable(const char *s)
{
	char *copy = xstrndup(s, MAX_NAME);

	for (char *p = copy; *p; p++)
		if (!isascii((unsigned char)*p) || !isprint((unsigned char)*p))
			*p = '?';
	return copy;
}

static char *name_of(const struct claim *c)
{
	_cleanup_free_ char *metric = printable(*c->metric ? c->metric : c->label);

	if (c->benchmark && c->cell)
		return xasprintf("%s %s", c->benchmark->name, c->cell->name);
	return xstrdup(c->benchmark ? c->benchmark->name : metric);
}

/* The letter of a reason; new ones are appended. There are fewer than letters. */
static char letter(struct strv *reasons, const char *why)
{
	for (size_t i = 0; i < reasons->nr; i++)
		if (!strcmp(reasons->v[i], why))
			return (char)('a' + i);
	strv_add(reasons, why);
	return (char)('a' + reasons->nr - 1);
}

static void add_row(const struct claim_check *k, struct strv *cells, struct strv *reasons)
{
	strv_take(cells, name_of(k->claim));
	if (k->has_claimed)
		strv_take(cells, text_percent(k->claimed));
	else
		strv_take(cells, claim_change_text(k->claim));
	if (k->row && k->row->base.boots && k->row->patched.boots)
		strv_take(cells, text_percent(k->row->change));
	else
		strv_add(cells, "n/a");
	if (k->why)
		strv_addf(cells, "%s (%c)", claim_verdict_name(k->verdict),
			  letter(reasons, k->why));
	else
		strv_add(cells, claim_verdict_name(k->verdict));
}

void report_claims(const struct claim_check *v, size_t nr, struct buf *ret)
{
	_cleanup_strv_ struct strv cells = STRV_INIT, reasons = STRV_INIT;

	if (!nr)
		return;
	strv_addl(&cells, "claim", "claimed", "measured", "verdict", NULL);
	for (size_t i = 0; i < nr; i++)
		add_row(&v[i], &cells, &reasons);
	grid_bare(&cells, 4, ret);
	for (size_t i = 0; i < reasons.nr; i++)
		buf_addf(ret, "(%c) %s\n", (char)('a' + i), reasons.v[i]);
}
