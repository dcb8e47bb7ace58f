// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>

#include "cli/bisect/json.h"
#include "cli/json-campaign.h"
#include "cli/json.h"
#include "cli/queue-view.h"

static json_t *id(const struct oid *o)
{
	return oid_is_none(o) ? json_null() : json_string(o->hex);
}

static json_t *finding(const struct finding *f)
{
	return json_pack("{s:s, s:s, s:o, s:o}", "check", f->check->id, "severity",
			 check_severity_word(f->severity), "text", json_text(f->text),
			 "detail", json_text(f->detail));
}

static json_t *patch(const struct queue_view *v, size_t i)
{
	const struct queue_entry *q = &v->q->v[i];
	const struct patch_verdict *p = &v->report->v[i];
	const char *compared = queue_compared_word(p->compared);
	bool applied = !oid_is_none(&p->commit);
	json_t *findings = json_array(), *doc;

	for (size_t k = 0; k < p->nr; k++)
		if (queue_shows(v, i, k))
			json_array_append_new(findings, finding(&p->v[k]));
	doc = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file",
			json_text(q->file), "upstream", id(&p->upstream), "kind",
			queue_kind_word(p->kind), "findings", findings, "subject",
			json_text(q->patch->subject), "message_id",
			json_text(q->patch->message_id), "claim", json_text(p->claim),
			"compared", json_text(compared), "commit", id(&p->commit),
			"method",
			json_text(applied ? apply_method_name(p->method) : NULL));
	if (v->news->asked)
		json_object_set_new(doc, "new", json_boolean(v->news->patches[i]));
	return doc;
}

static json_t *gaps(const struct queue_report *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->nr_gaps; i++)
		json_array_append_new(a, json_pack("{s:s, s:o}", "check",
						   r->gaps[i].check->id, "reason",
						   json_text(r->gaps[i].reason)));
	return a;
}

static json_t *made(const struct queue_report *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->nr_made; i++)
		json_array_append_new(a, json_string(r->made[i]->id));
	return a;
}

static json_t *revision(const char *name, const struct oid *commit)
{
	return name ? json_pack("{s:o, s:o}", "rev", json_text(name), "commit",
				id(commit))
		    : json_null();
}

static json_t *since(const struct queue_news *n)
{
	return n->asked ? json_pack("{s:o, s:i}", "run", json_text(n->run), "gone",
				    (int)n->gone)
			: json_null();
}

json_t *queue_json(const struct queue_view *v)
{
	const struct queue_report *r = v->report;
	json_t *patches = json_array(), *findings = json_array(), *doc;

	for (size_t i = 0; i < r->nr; i++)
		json_array_append_new(patches, patch(v, i));
	for (size_t k = 0; k < r->nr_whole; k++)
		if (queue_shows_whole(v, k))
			json_array_append_new(findings, finding(&r->whole[k]));
	doc = json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			"s:o}",
			"patches", patches, "status", queue_status(v), "queue",
			json_text(v->q->name), "version", json_text(v->q->version),
			"release", json_text(v->q->release), "base",
			revision(v->base->name, &v->base->oid), "mainline",
			revision(v->mainline, &v->mainline_tip), "ref", json_text(v->ref),
			"head", v->ref ? id(&r->head) : json_null(), "findings", findings,
			"unchecked", gaps(r), "checked", made(r), "since",
			since(v->news));
	json_campaign(&v->tried->campaign, doc);
	json_object_set_new(doc, "bisect",
			    v->tried->searched ? json_bisection(&v->tried->bisection)
					       : json_null());
	return doc;
}
