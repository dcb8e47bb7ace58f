// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/tags.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/text.h"

#define MAX_PREREQUISITES 1000

/* The value when the line is "key: value", else NULL. */
static char *value_of(const struct line *l, const char *key)
{
	size_t n = strlen(key);

	if (!line_starts_nocase(l, key) || l->len <= n || l->p[n] != ':')
		return NULL;
	return text_clean(l->p + n + 1, l->len - n - 1);
}

char *tag_value(const struct buf *text, const char *key)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;

	while (line_next(&at, end, &l)) {
		char *v = value_of(&l, key);

		if (v && *v)
			return v;
		free(v);
	}
	return NULL;
}

/* A commit or a name git could resolve; prose behind "base-commit:" is neither. */
static bool is_rev(const char *s)
{
	return *s && *s != '-' && !strpbrk(s, " \t:?*[\\^~");
}

static void collect_prerequisite(const struct line *l, struct series *s)
{
	static const char *const kinds[] = { "patch-id", "message-id", "change-id",
					     "base-commit" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		_cleanup_free_ char *key = xasprintf("prerequisite-%s", kinds[i]);
		char *v = value_of(l, key);
		struct prerequisite *p;

		if (!v || !*v || s->nr_prerequisites >= MAX_PREREQUISITES) {
			free(v);
			continue;
		}
		p = array_push(s->prerequisites, s->nr_prerequisites);
		p->kind = xstrdup(kinds[i]);
		p->value = v;
	}
}

void tags_collect(const struct buf *text, const char *message_id, struct series *s)
{
	const char *at = buf_str(text), *end = at + text->len;
	_cleanup_free_ char *base = tag_value(text, "base-commit");
	struct line l;

	if (!s->change_id)
		s->change_id = tag_value(text, "change-id");
	if (base && !s->base_commit) {
		if (is_rev(base))
			s->base_commit = take_ptr(base);
		else
			series_note(s, NOTE_WARNING, message_id,
				    "base-commit '%s' is no commit", base);
	}
	if (s->nr_prerequisites)
		return;
	while (line_next(&at, end, &l))
		if (line_starts_nocase(&l, "prerequisite-"))
			collect_prerequisite(&l, s);
}
