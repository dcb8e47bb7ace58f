// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/json.h"

#include <jansson.h>

#include "cli/json.h"

static json_t *commit_ref(const struct bisection *b, size_t i)
{
	const char *subject = b->space.v[i].subject;

	return json_pack("{s:s, s:o}", "commit", b->space.v[i].commit.hex, "subject",
			 subject ? json_text(subject) : json_null());
}

static json_t *moves(const struct bisection *b)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < b->nr_moves; i++) {
		const struct bisect_step *m = &b->moves[i];
		json_t *step = commit_ref(b, m->commit);

		json_object_set_new(step, "stage", json_string(m->stage));
		json_object_set_new(step, "boots", json_integer(m->boot + 1));
		json_object_set_new(step, "value",
				    m->answered ? json_real(m->value) : json_null());
		json_object_set_new(step, "posterior_max", json_real(m->posterior_max));
		json_object_set_new(step, "seconds", json_real(m->seconds));
		json_object_set_new(step, "reason",
				    m->reason ? json_string(m->reason) : json_null());
		json_array_append_new(steps, step);
	}
	return steps;
}

static json_t *interval(double change, double lo, double hi)
{
	return json_pack("{s:f, s:[f,f]}", "change", change, "ci", lo, hi);
}

/* What was done about it beyond the search; nulls where nothing was. */
static void add_checks(const struct bisection *b, json_t *doc)
{
	const struct bisect_result *r = &b->result;
	bool named = r->verdict == BISECT_FOUND || r->verdict == BISECT_SET;

	json_object_set_new(doc, "step",
			    named ? interval(r->step, r->step_lo, r->step_hi)
				  : json_null());
	json_object_set_new(doc, "second",
			    r->second_change
				    ? json_pack("{s:o, s:o, s:f}", "first",
						commit_ref(b, r->second_first), "last",
						commit_ref(b, r->second_last), "change",
						r->second_step)
				    : json_null());
	json_object_set_new(doc, "verified", json_boolean(r->verified));
	json_object_set_new(doc, "rejected", json_boolean(r->rejected));
	json_object_set_new(doc, "revert",
			    json_pack("{s:s, s:f}", "outcome",
				      bisect_revert_name(b->revert), "change",
				      b->revert_change));
	json_object_set_new(doc, "implausible",
			    b->implausible ? json_text(b->implausible) : json_null());
	json_object_set_new(doc, "same_binaries", json_integer(b->same));
}

json_t *json_bisection(const struct bisection *b)
{
	const struct bisect_result *r = &b->result;
	json_t *set = json_array(), *doc;

	if (r->verdict == BISECT_SET || r->verdict == BISECT_UNDECIDED)
		for (size_t i = 0; i < r->nr_set; i++)
			json_array_append_new(set, commit_ref(b, r->set[i]));
	doc = json_pack(
		"{s:s, s:o, s:f, s:o, s:i, s:i, s:i, s:f, s:f, s:[f,f], s:b, s:o}",
		"verdict", bisect_verdict_name(r->verdict), "culprit",
		r->verdict == BISECT_FOUND ? commit_ref(b, r->culprit) : json_null(),
		"confidence", r->confidence, "set", set, "boots", (int)b->boots, "builds",
		(int)b->builds, "runs", (int)b->runs, "seconds", b->seconds, "change",
		r->change, "ci", r->ci_lo, r->ci_hi, "second_change", r->second_change,
		"steps", moves(b));
	json_object_set_new(doc, "builds_ahead", json_integer(b->built_ahead));
	json_object_set_new(doc, "builds_hidden", json_integer(b->hidden));
	json_object_set_new(doc, "hidden_seconds", json_real(b->hidden_seconds));
	add_checks(b, doc);
	return doc;
}
