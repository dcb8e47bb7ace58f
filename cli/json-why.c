// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>

#include "cli/json-base.h"
#include "cli/json.h"
#include "cli/why-step.h"

static json_t *commit(const struct why_commit *c)
{
	if (oid_is_none(&c->oid))
		return json_null();
	return json_pack("{s:s, s:o}", "oid", c->oid.hex, "subject",
			 json_text(c->subject));
}

static json_t *lines(const struct why_hunk *h)
{
	json_t *a = json_array();

	for (size_t i = 0; i < h->nr_differs; i++)
		json_array_append_new(a,
				      json_pack("{s:I, s:o, s:o}", "line",
						(json_int_t)h->differs[i].line, "have",
						json_text(h->differs[i].have), "expected",
						json_text(h->differs[i].want)));
	return a;
}

static json_t *nearest(const struct why_hunk *h)
{
	if (!h->nearest)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:o}", "line", (json_int_t)h->nearest,
			 "distance", (json_int_t)h->nearest - (json_int_t)h->line, "same",
			 (json_int_t)h->same, "lines", (json_int_t)h->lines, "differs",
			 lines(h));
}

static json_t *hunk(const struct why_hunk *h)
{
	json_t *own = h->own_patch ? json_integer(h->own_patch) : json_null();

	return json_pack("{s:o, s:i, s:I, s:I, s:s, s:o, s:o, s:b, s:o}", "path",
			 json_text(h->path), "hunk", h->hunk, "line", (json_int_t)h->line,
			 "diff_line", (json_int_t)h->patch_line, "cause",
			 why_kind_name(h->kind), "nearest", nearest(h), "commit",
			 commit(&h->commit), "fits_before", (int)h->certain, "own_patch",
			 own);
}

static json_t *file(const struct why_file *f)
{
	return json_pack("{s:o, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:b}", "path",
			 json_text(f->path), "state",
			 f->missing  ? f->moved_to ? "renamed" : "missing"
			 : f->exists ? "exists"
				     : "changed",
			 "blob", json_text(f->id[0] ? f->id : NULL), "blob_state",
			 why_blob_name(f->blob), "blob_commit", commit(&f->blob_commit),
			 "blob_refs", json_strv(&f->blob_refs), "commit",
			 commit(&f->commit), "moved_to", json_text(f->moved_to),
			 "fits_there", (int)f->fits_there);
}

static json_t *states(const struct series *s, const struct apply_result *a)
{
	int failed = a->failed ? a->failed->number : 0;
	json_t *v = json_array();

	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];

		json_array_append_new(
			v, json_pack("{s:i, s:o, s:s}", "number", p->number, "message_id",
				     json_text(p->message_id), "state",
				     !failed || p->number < failed ? "applied"
				     : p->number == failed	   ? "failed"
								   : "not-tried"));
	}
	return v;
}

static void add_failure(const struct cli_why *w, json_t *failed)
{
	json_t *hunks = json_array(), *files = json_array();

	for (size_t i = 0; i < w->why.nr_hunks; i++)
		json_array_append_new(hunks, hunk(&w->why.hunks[i]));
	for (size_t i = 0; i < w->why.nr_files; i++)
		json_array_append_new(files, file(&w->why.files[i]));
	json_object_set_new(failed, "hunks", hunks);
	json_object_set_new(failed, "files", files);
	json_object_set_new(failed, "damage", json_text(w->why.damage));
	json_object_set_new(failed, "applied_as", commit(&w->why.applied));
	json_object_set_new(failed, "nearest_base",
			    w->nearest.method ? json_base(&w->nearest) : json_null());
}

void cli_why_json(const struct cli_why *w, const struct series *s,
		  const struct apply_result *a, json_t *doc)
{
	json_t *failed = json_object_get(doc, "failed");

	json_object_set_new(doc, "patches", states(s, a));
	if (json_is_object(failed))
		add_failure(w, failed);
}
