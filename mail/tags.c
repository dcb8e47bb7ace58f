// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/tags.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/archive.h"
#include "mail/base-hint.h"
#include "mail/text.h"

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

/* What a base-commit line names: hex with words behind it, or one word. Owned or NULL. */
static char *rev_of(const char *value)
{
	size_t n = strcspn(value, " ,(");

	if (n >= 7 && n <= 64 && parse_is_hex(value, n))
		return xstrndup(value, n);
	return is_rev(value) ? xstrdup(value) : NULL;
}

/* The message-id of "<id>", "id" or an archive's address of it, else the text. Owned. */
static char *message_id_of(const char *value)
{
	const char *open = strchr(value, '<'), *close = open ? strchr(open, '>') : NULL;
	size_t n = close ? (size_t)(close - open - 1) : strlen(value);
	char *text = xstrndup(close ? open + 1 : value, n);
	char *base = NULL, *id = NULL;

	if (!strstr(text, "://") || !archive_split(text, &base, &id))
		return text;
	free(base);
	free(text);
	return id;
}

static bool is_patch_id(const char *v)
{
	size_t n = strlen(v);

	return n >= 7 && n <= 64 && parse_is_hex(v, n);
}

static void take_base(const char *kind, const char *value, const char *message_id,
		      struct series *s)
{
	_cleanup_free_ char *rev = rev_of(value);

	if (rev) {
		series_add_base_hint(s, kind, rev, message_id);
		if (!s->base_commit && !strcmp(kind, "base-commit"))
			s->base_commit = take_ptr(rev);
	} else if (!s->base_commit) {
		series_note(s, NOTE_WARNING, message_id, "%s '%s' is no commit", kind,
			    value);
	}
}

/* Lines by key; kind is the series' word for it. */
static const struct tag {
	const char *key, *kind;
	bool base, id;
} known[] = {
	{ "base-commit", "base-commit", true, false },
	{ "prerequisite-base-commit", "prerequisite-base-commit", true, false },
	{ "prerequisite-patch-id", "patch-id", false, false },
	{ "prerequisite-change-id", "change-id", false, false },
	{ "prerequisite-message-id", "message-id", false, true },
	{ "Based-on", "based-on", false, true },
	{ "Depends-on", "depends-on", false, true },
};

static void take_tag(const struct tag *tag, const char *value, const char *message_id,
		     struct series *s)
{
	_cleanup_free_ char *id = tag->id ? message_id_of(value) : NULL;

	if (tag->base)
		take_base(tag->kind, value, message_id, s);
	else if (!strcmp(tag->kind, "patch-id") && !is_patch_id(value))
		series_note(s, NOTE_WARNING, message_id,
			    "prerequisite-patch-id '%s' is no patch-id", value);
	else
		series_add_prerequisite(s, tag->kind, id ? id : value);
}

void tags_collect(const struct buf *text, const char *message_id, struct series *s)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;

	if (!s->change_id)
		s->change_id = tag_value(text, "change-id");
	while (line_next(&at, end, &l)) {
		for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
			_cleanup_free_ char *v = value_of(&l, known[i].key);

			if (v && *v)
				take_tag(&known[i], v, message_id, s);
		}
	}
	base_hints_of_prose(text, message_id, s);
}
