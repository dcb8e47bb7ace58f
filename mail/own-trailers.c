// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/own-trailers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/archive.h"
#include "mail/identity.h"
#include "mail/text.h"
#include "mail/trailer-line.h"
#include "mail/trailers.h"

int link_format_check(const char *format, struct err *e)
{
	const char *p = strstr(format, "%s");

	if (p && !strstr(p + 2, "%s") && !strpbrk(format, "\n\r"))
		return 0;
	err_set(e, ERR_USAGE, "'%s' is no format of a link", format);
	return err_hint(e, "put one %%s where the message-id goes: %s",
			LINK_FORMAT_DEFAULT);
}

static void add(struct patch *p, const char *key, const char *value, const char *reason)
{
	struct trailer *t = patch_add_trailer(p);

	*t = (struct trailer){ .key = xstrdup(key), .value = xstrdup(value) };
	trailer_judge(t, TRAILER_ADDED, reason);
}

void patch_add_link(struct patch *p, const char *format)
{
	const char *at = strstr(format, "%s");
	_cleanup_free_ char *id = archive_escape(p->message_id);
	_cleanup_free_ char *value = NULL;
	struct trailer link = { .key = (char *)"Link" };

	if (!at)
		return;
	value = xasprintf("%.*s%s%s", (int)(at - format), format, id, at + 2);
	link.value = value;
	for (size_t i = 0; i < p->nr_trailers; i++)
		if (trailer_is_same(&p->trailers[i], &link))
			return;
	add(p, "Link", value, "address of the patch");
}

static bool is_sign_off(const struct trailer *t)
{
	return (t->state == TRAILER_KEPT || t->state == TRAILER_ADDED) &&
	       !strcasecmp(t->key, "Signed-off-by");
}

/* Take the last line that is this trailer, and its "[...]" line, out of the message. */
static void cut_line(struct patch *p, const struct trailer *t)
{
	const char *at = p->message, *end = at + strlen(at);
	const char *from = NULL, *to = NULL;
	struct line l;

	while (line_next(&at, end, &l)) {
		_cleanup_free_ char *line = xstrndup(l.p, l.len);
		const char *value = line + strcspn(line, ":");

		if (!line_starts_nocase(&l, t->key) || *value != ':' ||
		    !identity_is_same_value(value + 1, t->value))
			continue;
		from = l.p;
		to = at;
	}
	if (!from)
		return;
	at = to;
	if (t->ext && line_next(&at, end, &l) && trailer_is_ext(&l))
		to = at;
	memmove(p->message + (from - p->message), to, strlen(to) + 1);
}

void patch_add_sign_off(struct patch *p, const char *who)
{
	struct trailer *last = NULL, moved;
	size_t at, behind = 0;

	for (size_t i = 0; i < p->nr_trailers; i++) {
		enum trailer_state s = p->trailers[i].state;

		if (is_sign_off(&p->trailers[i])) {
			last = &p->trailers[i];
			behind = 0;
		} else {
			behind += s == TRAILER_KEPT || s == TRAILER_ADDED;
		}
	}
	if (!last || !identity_is_same_value(last->value, who)) {
		add(p, "Signed-off-by", who, "own sign-off");
		return;
	}
	if (!behind)
		return;
	if (last->state == TRAILER_KEPT)
		cut_line(p, last);
	at = (size_t)(last - p->trailers);
	moved = *last;
	memmove(last, last + 1, (p->nr_trailers - at - 1) * sizeof(*last));
	trailer_judge(&moved, TRAILER_ADDED, "own sign-off, moved behind the others");
	p->trailers[p->nr_trailers - 1] = moved;
}
