// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-base.h"

#include <jansson.h>

#include "cli/json.h"
#include "core/git/base.h"

static json_t *prereqs(const struct prereqs *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->nr; i++) {
		const struct prereq *one = &p->v[i];
		json_t *commit = oid_is_none(&one->upstream)
					 ? json_null()
					 : json_string(one->upstream.hex);

		json_array_append_new(
			a, json_pack("{s:o, s:o, s:s, s:o, s:o, s:i, s:o, s:o}", "kind",
				     json_text(one->kind), "value", json_text(one->value),
				     "state", prereq_state_name(p, one), "title",
				     json_text(one->title), "named_by",
				     json_text(one->named_by), "patches", (int)one->nr,
				     "commit", commit, "reason", json_text(one->reason)));
	}
	return a;
}

json_t *json_base(const struct base_choice *b)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:b, s:o, s:o}", "method", b->method,
			 "rev", json_text(b->rev), "commit", b->oid.hex, "reason",
			 json_text(b->reason), "applies", (int)b->applies, "notes",
			 json_strv(&b->notes), "prerequisites", prereqs(&b->prereqs));
}
