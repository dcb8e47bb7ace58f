// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-series.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "mail/text.h"

/* Paths and ids may hold bytes that are no UTF-8, which JSON cannot. */
static json_t *text(const char *s)
{
	_cleanup_free_ char *clean = s ? text_clean(s, strlen(s)) : NULL;

	return clean ? json_string(clean) : json_null();
}

static const char *trailer_state_word(enum trailer_state state)
{
	static const char *const words[] = {
		[TRAILER_KEPT] = "kept",
		[TRAILER_ADDED] = "added",
		[TRAILER_FLAGGED] = "flagged",
		[TRAILER_IGNORED] = "ignored",
	};

	return words[state];
}

/* The author's date in the author's zone. */
static json_t *date(const struct patch *p)
{
	_cleanup_free_ char *iso = clock_iso(p->date + p->date_tz * 60);
	int tz = p->date_tz < 0 ? -p->date_tz : p->date_tz;
	_cleanup_free_ char *s = xasprintf("%.*s%c%02d:%02d", (int)strcspn(iso, "Z"), iso,
					   p->date_tz < 0 ? '-' : '+', tz / 60, tz % 60);

	return json_string(s);
}

static json_t *strings(const struct strv *v)
{
	json_t *a = json_array();

	for (size_t i = 0; i < v->nr; i++)
		json_array_append_new(a, text(v->v[i]));
	return a;
}

static json_t *numbers(const int *v, size_t nr)
{
	json_t *a = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(a, json_integer(v[i]));
	return a;
}

static json_t *trailers(const struct patch *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->nr_trailers; i++) {
		const struct trailer *t = &p->trailers[i];

		json_array_append_new(a, json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}",
						   "key", text(t->key), "value",
						   text(t->value), "ext", text(t->ext),
						   "source", text(t->source), "state",
						   trailer_state_word(t->state), "reason",
						   text(t->reason)));
	}
	return a;
}

static json_t *upstream(const struct patch *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < p->upstream.nr; i++) {
		const struct upstream_claim *u = &p->upstream.v[i];

		json_array_append_new(a, json_pack("{s:s, s:o, s:o}", "form",
						   upstream_form_word(u->form), "commit",
						   text(u->commit), "reverted",
						   text(u->reverted)));
	}
	return a;
}

/* "Branch: linux-6.6.y" as a member "branch". */
static json_t *tests(const struct strv *v)
{
	json_t *o = json_object();

	for (size_t i = 0; i < v->nr; i++) {
		size_t n = strcspn(v->v[i], ":");
		_cleanup_free_ char *key = xstrndup(v->v[i], n);

		for (char *c = key; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		json_object_set_new(o, key, text(v->v[i][n] ? v->v[i] + n + 2 : ""));
	}
	return o;
}

static json_t *stable(const struct series *s)
{
	const struct stable_note *n = s->stable;

	if (!n)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "state",
			 stable_state_word(n->state), "version", text(n->version),
			 "queue", text(n->queue), "file", text(n->file), "commit",
			 text(n->commit), "release", text(n->release), "deadline",
			 text(n->deadline), "tests", tests(&n->tests));
}

static json_t *patches(const struct series *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];
		json_t *author = json_pack("{s:o, s:o}", "name", text(p->author_name),
					   "email", text(p->author_email));

		json_array_append_new(
			a,
			json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
				  "number", p->number, "message_id", text(p->message_id),
				  "subject", text(p->subject), "author", author, "date",
				  date(p), "patch_id", text(p->patch_id), "files",
				  strings(&p->files), "damage", text(p->damage),
				  "trailers", trailers(p), "upstream", upstream(p)));
	}
	return a;
}

static json_t *notes(const struct series *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->nr_notes; i++)
		json_array_append_new(
			a,
			json_pack("{s:s, s:o, s:o}", "level",
				  s->notes[i].level == NOTE_WARNING ? "warning" : "info",
				  "text", text(s->notes[i].text), "message_id",
				  text(s->notes[i].message_id)));
	return a;
}

static json_t *prerequisites(const struct series *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->nr_prerequisites; i++)
		json_array_append_new(
			a, json_pack("{s:o, s:o}", "kind", text(s->prerequisites[i].kind),
				     "value", text(s->prerequisites[i].value)));
	return a;
}

static json_t *base_hints(const struct series *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->nr_base_hints; i++) {
		const struct base_hint *h = &s->base_hints[i];

		json_array_append_new(a, json_pack("{s:o, s:o, s:o}", "kind",
						   text(h->kind), "text", text(h->text),
						   "message_id", text(h->message_id)));
	}
	return a;
}

static json_t *cover(const struct series *s)
{
	if (!s->cover)
		return json_null();
	return json_pack("{s:o, s:o}", "message_id", text(s->cover->message_id),
			 "subject", text(s->cover->subject));
}

json_t *json_series(const struct series *s)
{
	json_t *j = json_object();

	json_object_set_new(j, "title", text(s->title));
	json_object_set_new(j, "revision", json_integer(s->revision));
	json_object_set_new(j, "revisions", numbers(s->revisions, s->nr_revisions));
	json_object_set_new(j, "message_id", text(s->message_id));
	json_object_set_new(j, "rfc", json_boolean(s->rfc));
	json_object_set_new(j, "resend", json_boolean(s->resend));
	json_object_set_new(j, "subrevision", json_integer(s->subrevision));
	json_object_set_new(j, "partial", json_boolean(s->partial));
	json_object_set_new(j, "picked", json_boolean(s->picked));
	json_object_set_new(j, "tree_hints", strings(&s->tree_hints));
	json_object_set_new(j, "obsoleted_by", text(s->obsoleted_by));
	json_object_set_new(j, "total", json_integer(s->total));
	json_object_set_new(j, "complete", json_boolean(series_is_complete(s)));
	json_object_set_new(j, "missing", numbers(s->missing, s->nr_missing));
	json_object_set_new(j, "base_commit", text(s->base_commit));
	json_object_set_new(j, "change_id", text(s->change_id));
	json_object_set_new(j, "prerequisites", prerequisites(s));
	json_object_set_new(j, "base_hints", base_hints(s));
	json_object_set_new(j, "cover", cover(s));
	json_object_set_new(j, "stable", stable(s));
	json_object_set_new(j, "notes", notes(s));
	json_object_set_new(j, "patches", patches(s));
	return j;
}
