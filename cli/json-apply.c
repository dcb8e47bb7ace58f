// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-apply.h"

#include <jansson.h>

#include "cli/json-base.h"
#include "cli/json.h"
#include "core/git/apply.h"

static json_t *id(const struct oid *o)
{
	return oid_is_none(o) ? json_null() : json_string(o->hex);
}

static json_t *conflicts(const struct conflicts *c)
{
	json_t *v = json_array();

	for (size_t i = 0; i < c->nr; i++)
		json_array_append_new(v, json_pack("{s:o, s:s}", "path",
						   json_text(c->v[i].path), "kind",
						   c->v[i].kind));
	return v;
}

static json_t *failure(const struct apply_failure *f)
{
	json_t *hunk;

	if (!f)
		return json_null();
	hunk = f->hunk ? json_integer(f->hunk) : json_null();
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "number",
			 f->number, "message_id", json_text(f->message_id), "subject",
			 json_text(f->subject), "path", json_text(f->path), "hunk", hunk,
			 "reason", json_text(f->reason), "hint", json_text(f->hint),
			 "code", err_word(f->code), "conflicts",
			 conflicts(&f->conflicts));
}

static json_t *skipped(const struct apply_result *a)
{
	json_t *v = json_array();

	for (size_t i = 0; i < a->nr_skipped; i++)
		json_array_append_new(
			v, json_pack("{s:i, s:o, s:o}", "number", a->skipped[i].number,
				     "message_id", json_text(a->skipped[i].message_id),
				     "subject", json_text(a->skipped[i].subject)));
	return v;
}

json_t *json_apply(const struct apply_result *a, const struct base_choice *base)
{
	static const struct oid none;
	json_t *commits = json_array();

	for (size_t i = 0; i < a->nr; i++) {
		const struct applied *c = &a->commits[i];

		json_array_append_new(commits,
				      json_pack("{s:o, s:o, s:o, s:o, s:s}", "oid",
						id(&c->oid), "tree", id(&c->tree),
						"message_id", json_text(c->message_id),
						"subject", json_text(c->subject),
						"method", apply_method_name(c->method)));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "base", id(&a->base),
			 "head", id(a->failed ? &none : &a->head), "ref",
			 json_text(a->ref), "commits", commits, "skipped", skipped(a),
			 "failed", failure(a->failed), "base_choice",
			 base ? json_base(base) : json_null());
}
