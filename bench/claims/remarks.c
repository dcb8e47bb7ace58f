// SPDX-License-Identifier: GPL-3.0-or-later
/* A claim in words. */
#include "bench/claims/claims.h"

#include <math.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

char *claim_change_text(const struct claim *c)
{
	const char *about = c->change_approx ? "~" : "";
	bool sign = c->shape != CLAIM_PROSE || c->change_signed || c->way == CLAIM_UP ||
		    c->way == CLAIM_DOWN;
	double unit = 2 * c->change_half * (c->change_ratio ? 1 : 100);
	int digits = unit > 0 ? (int)lround(-log10(unit)) : 2;

	digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
	if (!c->has_change)
		return xstrdup("");
	if (c->change_ratio && c->change > 0)
		return xasprintf("%s%.*fx", about, digits, 1 + c->change);
	return xasprintf(sign ? "%s%+.*f%%" : "%s%.*f%%", about, digits, 100 * c->change);
}

static void add_arithmetic(const struct claim *c, struct strv *ret)
{
	static const char *const phrase[] = {
		[CLAIM_AS_GAIN] = "the sign counts what is better",
		[CLAIM_AS_POINTS] = "difference in percentage points",
		[CLAIM_OF_PATCHED] = "wrong: computed over the patched value",
		[CLAIM_SPEED] = "base over patched: a change of speed",
		[CLAIM_WRONG_SIGN] = "wrong sign",
		[CLAIM_WRONG] = "wrong",
	};

	if (phrase[c->arithmetic])
		strv_add(ret, phrase[c->arithmetic]);
	if (c->units_differ)
		strv_add(ret, "units do not compare");
	if (c->has_base && c->has_patched && !c->has_recomputed && !c->units_differ)
		strv_add(ret, "no ratio of these values");
}

void claim_remarks(const struct claim *c, struct strv *ret)
{
	add_arithmetic(c, ret);
	if (c->runs)
		strv_addf(ret, "N=%u", c->runs);
	if (c->impossible_cell)
		strv_add(ret, "no such cell: nested paging needs it below");
	if (c->elsewhere)
		strv_add(ret, c->elsewhere);
	if (c->stand_in)
		strv_addf(ret, "%s stands for it", c->benchmark->name);
	if (c->emulated)
		strv_add(ret, "emulated");
	if (claim_sense(c) < 0)
		strv_add(ret, "worse");
	else if (c->shape == CLAIM_PROSE && c->way == CLAIM_GOOD)
		strv_add(ret, "better"); /* a sentence has no sign to see it by */
}
