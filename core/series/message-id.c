// SPDX-License-Identifier: GPL-3.0-or-later
/* What the programs that send series put into message-ids. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/series/commit-notes.h"

#define DIGITS "0123456789"
#define HEX DIGITS "abcdef"

/* A run of n characters out of set, n 0 = any number but none; its end, or NULL. */
static const char *run(const char *p, const char *set, size_t n)
{
	size_t have = p ? strspn(p, set) : 0;

	return have && (!n || have == n) ? p + have : NULL;
}

static const char *lit(const char *p, char c)
{
	return p && *p == c ? p + 1 : NULL;
}

static char *without(const char *id, const char *from, const char *to)
{
	return xasprintf("%.*s%s", (int)(from - id), id, to);
}

/* git format-patch: 20240131120000.12345-3-you@example.org */
static char *format_patch(const char *id)
{
	const char *nr = lit(run(lit(run(id, DIGITS, 14), '.'), DIGITS, 0), '-');
	const char *end = run(nr, DIGITS, 0);

	return end && *end == '-' ? without(id, nr, end) : NULL;
}

/* b4: 20240131-topic-of-it-v2-3-0123456789ab@example.org */
static char *b4(const char *id)
{
	const char *at = strchr(id, '@'), *nr, *end;

	if (!run(id, DIGITS, 8) || !at || at - id < 22 || at[-13] != '-' ||
	    run(at - 12, HEX, 12) != at)
		return NULL;
	end = at - 13;
	for (nr = end; nr > id && strspn(nr - 1, DIGITS); nr--)
		;
	return nr < end && nr > id && nr[-1] == '-' ? without(id, nr, end) : NULL;
}

/* git format-patch --cover-letter with its ids: SHA.1700000000.git.you@example.org, of
 * which the cover has "cover" for SHA. */
static char *cover(const char *id)
{
	const char *p = run(id, HEX, 40), *end;

	if (!p && !strncmp(id, "cover.", 6))
		p = id + 5;
	end = run(lit(p, '.'), DIGITS, 0);
	return end && !strncmp(end, ".git.", 5) ? xstrdup(p) : NULL;
}

char *message_id_series(const char *message_id)
{
	char *s = format_patch(message_id);

	s = s ? s : b4(message_id);
	return s ? s : cover(message_id);
}
