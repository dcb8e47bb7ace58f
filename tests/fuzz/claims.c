// SPDX-License-Identifier: GPL-3.0-or-later
/* Commit messages to claims: every number is finite, every line is of the text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims/compare.h"
#include "bench/report/report.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(const struct claim *c, unsigned int lines)
{
	_cleanup_strv_ struct strv remarks = STRV_INIT;
	_cleanup_free_ char *change = claim_change_text(c);
	double effect = 0, half = 0;

	claim_remarks(c, &remarks);
	claim_effect(c, &effect, &half);
	if (!c->metric || !c->label || !c->unit || !c->line || c->line > lines ||
	    (c->has_change && !isfinite(c->change)) ||
	    (c->has_recomputed && !isfinite(c->recomputed)) || !isfinite(effect) ||
	    (c->arithmetic != CLAIM_UNCHECKED && !(c->has_change && c->has_recomputed)))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const struct claim_lab lab = { .nr_rows = 0 };
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_free_ struct claim_check *v = NULL;
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	_cleanup_buf_ struct buf report = BUF_INIT;
	unsigned int lines = 1;
	size_t nr;

	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	claims_parse(text, &c);
	for (size_t i = 0; i < c.nr; i++)
		check(&c.v[i], lines);
	v = claims_check(&c, &lab, &nr);
	report_claims(v, nr, &report);
	return 0;
}
