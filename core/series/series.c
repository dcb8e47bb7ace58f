// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/series.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define SLUG_MAX 100
#define MAX_HINTS 1000

struct series *series_new(void)
{
	struct series *s = xzalloc(sizeof(*s));

	s->revision = 1;
	return s;
}

struct patch *series_add_patch(struct series *s)
{
	struct patch *p = array_push(s->patches, s->nr_patches);

	*p = (struct patch){ 0 };
	return p;
}

struct trailer *patch_add_trailer(struct patch *p)
{
	struct trailer *t = array_push(p->trailers, p->nr_trailers);

	*t = (struct trailer){ 0 };
	return t;
}

void series_add_prerequisite(struct series *s, const char *kind, const char *value)
{
	struct prerequisite *p;

	for (size_t i = 0; i < s->nr_prerequisites; i++)
		if (!strcmp(s->prerequisites[i].kind, kind) &&
		    !strcmp(s->prerequisites[i].value, value))
			return;
	if (s->nr_prerequisites >= MAX_HINTS)
		return;
	p = array_push(s->prerequisites, s->nr_prerequisites);
	*p = (struct prerequisite){ xstrdup(kind), xstrdup(value) };
}

/* How certain a kind of hint is, 0 first. */
static size_t hint_rank(const char *kind)
{
	static const char *const kinds[] = { "base-commit", "prerequisite-base-commit",
					     "commit", "name", "subject" };
	size_t i = 0;

	while (i < ARRAY_SIZE(kinds) && strcmp(kinds[i], kind))
		i++;
	return i;
}

void series_add_base_hint(struct series *s, const char *kind, const char *text,
			  const char *message_id)
{
	size_t at = s->nr_base_hints;

	for (size_t i = 0; i < s->nr_base_hints; i++)
		if (!strcmp(s->base_hints[i].text, text))
			return;
	if (s->nr_base_hints >= MAX_HINTS)
		return;
	(void)array_push(s->base_hints, s->nr_base_hints);
	for (; at && hint_rank(s->base_hints[at - 1].kind) > hint_rank(kind); at--)
		s->base_hints[at] = s->base_hints[at - 1];
	s->base_hints[at] =
		(struct base_hint){ xstrdup(kind), xstrdup(text), xstrdup(message_id) };
}

void series_note(struct series *s, enum note_level level, const char *message_id,
		 const char *fmt, ...)
{
	struct note *n = array_push(s->notes, s->nr_notes);
	va_list ap;

	va_start(ap, fmt);
	*n = (struct note){ .level = level, .text = xvasprintf(fmt, ap) };
	va_end(ap);
	n->message_id = xstrdup(message_id);
}

bool series_is_complete(const struct series *s)
{
	return s->nr_patches && !s->nr_missing;
}

char *series_slug(const struct series *s)
{
	const char *from = s->change_id	   ? s->change_id
			   : s->message_id ? s->message_id
					   : "series";
	char *slug = xstrndup(from, SLUG_MAX);
	size_t n = 0;

	/* git-check-ref-format(1): no "..", no leading dot, no trailing dot or ".lock".
	 */
	for (const char *p = slug; *p; p++) {
		bool ok = isalnum((unsigned char)*p) || *p == '_' || *p == '-' ||
			  (*p == '.' && n && slug[n - 1] != '.');

		slug[n++] = ok ? *p : '-';
	}
	while (n && slug[n - 1] == '.')
		n--;
	slug[n] = '\0';
	if (n >= 5 && !strcmp(slug + n - 5, ".lock"))
		slug[n - 5] = '-';
	return slug;
}

void trailer_release(struct trailer *t)
{
	free(t->key);
	free(t->value);
	free(t->ext);
	free(t->source);
	free(t->reason);
}

static void patch_release(struct patch *p)
{
	free(p->message_id);
	free(p->subject);
	free(p->author_name);
	free(p->author_email);
	free(p->message);
	buf_release(&p->diff);
	free(p->patch_id);
	free(p->damage);
	strv_release(&p->files);
	for (size_t i = 0; i < p->nr_trailers; i++)
		trailer_release(&p->trailers[i]);
	free(p->trailers);
	upstream_claims_release(&p->upstream);
}

static void cover_free(struct cover *c)
{
	if (!c)
		return;
	free(c->message_id);
	free(c->subject);
	free(c->author_name);
	free(c->author_email);
	free(c->body);
	free(c);
}

void series_free(struct series *s)
{
	if (!s)
		return;
	free(s->title);
	free(s->revisions);
	free(s->message_id);
	free(s->missing);
	free(s->base_commit);
	free(s->change_id);
	for (size_t i = 0; i < s->nr_prerequisites; i++) {
		free(s->prerequisites[i].kind);
		free(s->prerequisites[i].value);
	}
	free(s->prerequisites);
	for (size_t i = 0; i < s->nr_base_hints; i++) {
		free(s->base_hints[i].kind);
		free(s->base_hints[i].text);
		free(s->base_hints[i].message_id);
	}
	free(s->base_hints);
	strv_release(&s->tree_hints);
	free(s->obsoleted_by);
	cover_free(s->cover);
	stable_note_free(s->stable);
	for (size_t i = 0; i < s->nr_notes; i++) {
		free(s->notes[i].text);
		free(s->notes[i].message_id);
	}
	free(s->notes);
	for (size_t i = 0; i < s->nr_patches; i++)
		patch_release(&s->patches[i]);
	free(s->patches);
	free(s);
}
