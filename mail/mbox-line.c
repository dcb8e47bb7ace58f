// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mbox-line.h"

#include <ctype.h>
#include <string.h>

#include "core/base/base.h"
#include "core/base/parse.h"

static bool digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)p[i]))
			return false;
	return true;
}

/* Whether "MM:SS" is at p and a year above 90 behind it. */
static bool ends_as_date(const char *p, const char *end)
{
	unsigned int year = 0;
	const char *y = p + 6;

	if (p[3] != ':' || !digits(p + 1, 2) || !digits(p + 4, 2))
		return false;
	while (y < end && *y == ' ')
		y++;
	while (y < end && isdigit((unsigned char)*y) && year < 100000)
		year = year * 10 + (unsigned int)(*y++ - '0');
	return year > 90;
}

bool mbox_is_separator(const struct line *l)
{
	const char *end = l->p + l->len;

	if (l->len < 20 || !line_starts(l, "From "))
		return false;
	for (const char *p = l->p + 7; p + 6 <= end; p++)
		if (p[0] == ':' && digits(p - 2, 2) && ends_as_date(p, end))
			return true;
	return false;
}

bool mbox_is_quoted(const struct line *l)
{
	size_t i = 0;

	while (i < l->len && l->p[i] == '>')
		i++;
	return i && l->len - i >= 5 && !memcmp(l->p + i, "From ", 5);
}

/* public-inbox writes "From mboxrd@z " in archives, "From WORDS@mboxo " in lei's files. */
enum mbox_quoting mbox_writer(const struct line *separator, bool *ret_known)
{
	static const struct {
		const char *word;
		enum mbox_quoting quoting;
	} writers[] = {
		{ "mboxrd@z ", MBOX_RD },    { "@mboxrd ", MBOX_RD },
		{ "@mboxo ", MBOX_O },	     { "@mboxcl ", MBOX_O },
		{ "@mboxcl2 ", MBOX_PLAIN },
	};
	struct line l = { .p = separator->p + 5, .len = separator->len - 5 };
	const char *blank = memchr(l.p, ' ', l.len);

	*ret_known = true;
	if (l.len > 41 && l.p[40] == ' ' && parse_is_hex(l.p, 40))
		return MBOX_PLAIN; /* git format-patch */
	for (size_t i = 0; blank && i < ARRAY_SIZE(writers); i++) {
		size_t n = strlen(writers[i].word), have = (size_t)(blank + 1 - l.p);

		if (have >= n && !memcmp(blank + 1 - n, writers[i].word, n))
			return writers[i].quoting;
	}
	*ret_known = false;
	return MBOX_RD;
}
