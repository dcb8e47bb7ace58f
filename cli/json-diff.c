// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-diff.h"

#include <jansson.h>

#include "cli/json.h"
#include "cli/out.h"

static json_t *id(const struct oid *o)
{
	return oid_is_none(o) ? json_null() : json_string(o->hex);
}

static json_t *side(const struct diff_side *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "source", json_text(s->source),
			 "revision", s->s ? json_integer(s->s->revision) : json_null(),
			 "title", json_text(s->s ? s->s->title : NULL), "base",
			 id(&s->base), "mailed", json_text(s->why_mailed), "patches",
			 (int)s->range.nr);
}

static json_t *patch(const struct range_patch *p, int number)
{
	if (!p)
		return json_null();
	return json_pack("{s:i, s:o, s:o}", "number", number, "oid", id(&p->oid),
			 "subject", json_text(p->subject));
}

static int add_pair(json_t *pairs, const struct range_pair *p, struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (p->a && p->b && range_diff_text(p, &text, e) < 0)
		return -(int)e->code;
	json_array_append_new(pairs, json_pack("{s:o, s:o, s:s, s:b, s:b, s:o}", "old",
					       patch(p->a, p->old_number), "new",
					       patch(p->b, p->new_number), "state",
					       pair_state_name(p->state), "message",
					       p->message, "moved", p->moved, "diff",
					       text.len ? json_text(buf_str(&text))
							: json_null()));
	return 0;
}

static json_t *counts(const struct range_pair *v, size_t nr)
{
	static const enum pair_state all[] = {
		PAIR_UNCHANGED, PAIR_MESSAGE, PAIR_CONTEXT,
		PAIR_CHANGED,	PAIR_NEW,     PAIR_DROPPED
	};
	json_t *o = json_object();
	int moved = 0;

	for (size_t s = 0; s < ARRAY_SIZE(all); s++) {
		int n = 0;

		for (size_t i = 0; i < nr; i++)
			n += v[i].state == all[s];
		json_object_set_new(o, pair_state_name(all[s]), json_integer(n));
	}
	for (size_t i = 0; i < nr; i++)
		moved += v[i].moved;
	json_object_set_new(o, "moved", json_integer(moved));
	return o;
}

int json_diff(const struct diff_sides *d, const struct range_pair *v, size_t nr,
	      struct err *e)
{
	json_t *pairs = json_array();

	for (size_t i = 0; i < nr; i++)
		if (add_pair(pairs, &v[i], e) < 0) {
			json_decref(pairs);
			return -(int)e->code;
		}
	out_json(json_pack("{s:o, s:o, s:s, s:o, s:o}", "old", side(&d->old), "new",
			   side(&d->new), "compared",
			   d->old.range.mailed || d->new.range.mailed ? "mails"
								      : "commits",
			   "summary", counts(v, nr), "pairs", pairs));
	return 0;
}
