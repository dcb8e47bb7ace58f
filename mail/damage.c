// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/damage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "core/base/alloc.h"
#include "mail/text.h"

/* A count behind a sign, "12,5" or "12" (one line); false when there is none. */
static bool range(const char **p, const char *end, char sign, unsigned long *ret)
{
	unsigned long n = 0;

	while (*p < end && **p == ' ')
		++*p;
	if (*p >= end || **p != sign || ++*p >= end || !isdigit((unsigned char)**p))
		return false;
	while (*p < end && isdigit((unsigned char)**p))
		++*p;
	*ret = 1;
	if (*p >= end || **p != ',')
		return true;
	for (++*p; *p < end && isdigit((unsigned char)**p) && n < 100000000; ++*p)
		n = n * 10 + (unsigned long)(**p - '0');
	*ret = n;
	return true;
}

static bool hunk_header(const struct line *l, unsigned long *old, unsigned long *new)
{
	const char *p = l->p + 3, *end = l->p + l->len;

	return line_starts(l, "@@ ") && range(&p, end, '-', old) &&
	       range(&p, end, '+', new);
}

/* Take one line off the counts; false when it is no line of a hunk. */
static bool count(const struct line *l, unsigned long *old, unsigned long *new)
{
	char c = l->len ? l->p[0] : ' ';

	if (c == '\\')
		return true;
	if (c != ' ' && c != '+' && c != '-')
		return false;
	if ((c != '+' && !*old) || (c != '-' && !*new))
		return false;
	*old -= c != '+';
	*new -= c != '-';
	return true;
}

char *damage_find(const struct buf *diff)
{
	const char *at = buf_str(diff), *end = at + diff->len;
	unsigned long old = 0, new = 0;
	size_t nr = 0;
	struct line l;

	while (line_next(&at, end, &l)) {
		nr++;
		if (!old && !new)
			(void)hunk_header(&l, &old, &new);
		else if (!count(&l, &old, &new))
			return xasprintf(
				"line %zu of the diff is wrapped or lost its first "
				"character",
				nr);
	}
	if (old || new)
		return xasprintf("the diff ends in the middle of a hunk");
	return NULL;
}

/* Hebrew, Arabic and what lies between: text in which direction marks have a meaning. */
static bool is_right_to_left(gunichar c)
{
	return (c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfefc);
}

char *damage_title(const char *title)
{
	gunichar hidden = 0;

	for (const char *p = title; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char_validated(p, -1);

		if (c == (gunichar)-1 || c == (gunichar)-2 || is_right_to_left(c))
			return NULL;
		if (!hidden && g_unichar_type(c) == G_UNICODE_FORMAT)
			hidden = c;
	}
	return hidden ? xasprintf("the title hides the character U+%04X", hidden) : NULL;
}
