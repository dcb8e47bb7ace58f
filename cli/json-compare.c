// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-compare.h"

#include <jansson.h>
#include <math.h>

#include "cli/json.h"

/* A number, null when it is none: JSON has no infinity. */
static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *side(const struct side *s)
{
	return json_pack("{s:o, s:i, s:i}", "value",
			 s->boots ? number(s->value) : json_null(), "boots",
			 (int)s->boots, "runs", (int)s->runs);
}

static json_t *paging(const char *l0, const char *l1)
{
	return json_pack("{s:o, s:o}", "l0", json_text(l0), "l1", json_text(l1));
}

/* What another method says; null where it cannot bound anything. */
static json_t *beside(const struct comparison *c, const struct estimate *v)
{
	if (c->basis == BASIS_NONE || !isfinite(v->ci_hi) || !isfinite(v->ci_lo))
		return json_null();
	return json_pack("{s:f, s:[ff], s:f}", "change", v->change, "ci", v->ci_lo,
			 v->ci_hi, "p", v->p);
}

static json_t *comparison(const struct comparison *c)
{
	bool bounded = isfinite(c->ci_lo) && isfinite(c->ci_hi);
	bool both = c->base.boots && c->patched.boots;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:[oo], s:o, s:o, s:o, s:o, s:s, s:o,"
		" s:o, s:s, s:o, s:o, s:i}",
		"benchmark", json_text(c->benchmark), "unit", json_text(c->unit), "cell",
		paging(c->cell->l0, c->cell->l1), "base", side(&c->base), "patched",
		side(&c->patched), "change", both ? number(c->change) : json_null(), "ci",
		bounded ? number(c->ci_lo) : json_null(),
		bounded ? number(c->ci_hi) : json_null(), "confidence",
		number(c->confidence), "sd", number(c->sd), "p", number(c->p), "p_adj",
		number(c->p_adj), "verdict", verdict_name(c->verdict), "needs_boots",
		c->needs_boots ? json_integer(c->needs_boots) : json_null(),
		"same_within", number(c->same_within), "basis", basis_name(c->basis),
		"rank", beside(c, &c->rank), "welch", beside(c, &c->welch), "stored",
		(int)c->stored);
}

json_t *json_comparison_rows(const struct comparison *rows, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(array, comparison(&rows[i]));
	return array;
}

json_t *json_samples(const struct samples *s)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->nr; i++)
		json_array_append_new(array, json_sample(&s->v[i]));
	return array;
}
