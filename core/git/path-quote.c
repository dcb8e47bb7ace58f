// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/path-quote.h"

#include <stdbool.h>

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void path_quote(const char *path, struct buf *ret)
{
	static const char codes[] = "abtnvfr"; /* from 7 on */
	const char *p = path;

	while (*p && is_plain((unsigned char)*p))
		p++;
	if (!*p) {
		buf_adds(ret, path);
		return;
	}
	buf_addc(ret, '"');
	for (p = path; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (is_plain(c))
			buf_addc(ret, *p);
		else if (c == '"' || c == '\\')
			buf_addf(ret, "\\%c", c);
		else if (c >= 7 && c <= 13)
			buf_addf(ret, "\\%c", codes[c - 7]);
		else
			buf_addf(ret, "\\%03o", c);
	}
	buf_addc(ret, '"');
}
