// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-claims.h"

#include <jansson.h>
#include <math.h>

#include "cli/json.h"

static json_t *number(bool has, double v)
{
	return has && isfinite(v) ? json_real(v) : json_null();
}

static const char *message_id_of(const struct series *s, int nr)
{
	if (!nr)
		return s->cover ? s->cover->message_id : NULL;
	for (size_t i = 0; i < s->nr_patches; i++)
		if (s->patches[i].number == nr)
			return s->patches[i].message_id;
	return NULL;
}

static const char *shape_name(enum claim_shape s)
{
	static const char *const names[] = { [CLAIM_TABLE] = "table",
					     [CLAIM_COLUMNS] = "columns",
					     [CLAIM_PAIR] = "pair",
					     [CLAIM_PROSE] = "prose" };

	return names[s];
}

static const char *arithmetic_name(enum claim_arithmetic a)
{
	static const char *const names[] = {
		[CLAIM_UNCHECKED] = NULL,	   [CLAIM_RIGHT] = "right",
		[CLAIM_AS_GAIN] = "sign-is-gain",  [CLAIM_AS_POINTS] = "points",
		[CLAIM_OF_PATCHED] = "of-patched", [CLAIM_SPEED] = "speed",
		[CLAIM_WRONG_SIGN] = "wrong-sign", [CLAIM_WRONG] = "wrong",
	};

	return names[a];
}

static json_t *better(enum claim_better b)
{
	if (b == CLAIM_UNSAID)
		return json_null();
	return json_text(b == CLAIM_HIGHER ? "higher" : "lower");
}

static json_t *cell(const struct cell *c)
{
	if (!c)
		return json_null();
	return json_pack("{s:s, s:s}", "l0", c->l0, "l1", c->l1);
}

static void add_meaning(json_t *o, const struct claim *c)
{
	static const char *const senses[] = { "worse", NULL, "better" };
	_cleanup_strv_ struct strv remarks = STRV_INIT;

	claim_remarks(c, &remarks);
	json_object_set_new(o, "arithmetic", json_text(arithmetic_name(c->arithmetic)));
	json_object_set_new(o, "runs", c->runs ? json_integer(c->runs) : json_null());
	json_object_set_new(o, "better", better(c->better));
	json_object_set_new(o, "sense", json_text(senses[claim_sense(c) + 1]));
	json_object_set_new(o, "cell", cell(c->cell));
	json_object_set_new(o, "benchmark",
			    json_text(c->benchmark ? c->benchmark->name : NULL));
	json_object_set_new(o, "emulated", json_boolean(c->emulated));
	json_object_set_new(o, "machine", json_text(c->machine));
	json_object_set_new(o, "notes", json_strv(&remarks));
}

static json_t *claim(const struct claim *c, const struct series *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "patch",
			    c->number ? json_integer(c->number) : json_null());
	json_object_set_new(o, "message_id", json_text(message_id_of(s, c->number)));
	json_object_set_new(o, "line", json_integer(c->line));
	json_object_set_new(o, "shape", json_text(shape_name(c->shape)));
	json_object_set_new(o, "metric", json_text(c->metric));
	json_object_set_new(o, "label", json_text(c->label));
	json_object_set_new(o, "unit", json_text(*c->unit ? c->unit : NULL));
	json_object_set_new(o, "base", number(c->has_base, c->base));
	json_object_set_new(o, "patched", number(c->has_patched, c->patched));
	json_object_set_new(o, "change", number(c->has_change, c->change));
	json_object_set_new(o, "recomputed", number(c->has_recomputed, c->recomputed));
	add_meaning(o, c);
	return o;
}

json_t *json_claims(const struct claims *c, const struct series *s)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->nr; i++)
		json_array_append_new(array, claim(&c->v[i], s));
	return array;
}

json_t *json_claim_checks(const struct claim_check *v, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++) {
		const struct claim *c = v[i].claim;
		bool measured = v[i].row && v[i].row->base.boots &&
				v[i].row->patched.boots;

		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "metric",
				  json_text(c->metric), "benchmark",
				  json_text(c->benchmark ? c->benchmark->name : NULL),
				  "cell", cell(c->cell), "claimed",
				  number(v[i].has_claimed, v[i].claimed), "measured",
				  number(measured, measured ? v[i].row->change : 0),
				  "verdict", claim_verdict_name(v[i].verdict), "reason",
				  json_text(v[i].why)));
	}
	return array;
}
