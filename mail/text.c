// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/text.h"

#include <ctype.h>
#include <glib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"

bool line_next(const char **at, const char *end, struct line *ret)
{
	const char *nl;

	if (*at >= end)
		return false;
	nl = memchr(*at, '\n', (size_t)(end - *at));
	ret->p = *at;
	ret->ended = nl != NULL;
	ret->len = (size_t)((nl ? nl : end) - *at);
	*at = nl ? nl + 1 : end;
	return true;
}

bool line_starts(const struct line *l, const char *s)
{
	size_t n = strlen(s);

	return l->len >= n && !memcmp(l->p, s, n);
}

bool line_starts_nocase(const struct line *l, const char *s)
{
	size_t n = strlen(s);

	return l->len >= n && !strncasecmp(l->p, s, n);
}

bool line_is(const struct line *l, const char *s)
{
	return l->len == strlen(s) && !memcmp(l->p, s, l->len);
}

bool line_is_blank(const struct line *l)
{
	for (size_t i = 0; i < l->len; i++)
		if (!isspace((unsigned char)l->p[i]))
			return false;
	return true;
}

bool text_is_utf8(const char *p, size_t len)
{
	return g_utf8_validate_len(p, len, NULL);
}

/* What every byte string is in some sense: bytes as code points, C1 controls excepted. */
static void add_latin1(const char *p, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c < 0x80) {
			buf_addc(ret, (char)c);
		} else {
			buf_addc(ret, (char)(0xc0 | c >> 6));
			buf_addc(ret, (char)(0x80 | (c & 0x3f)));
		}
	}
}

static void add_without_nul(const char *p, size_t len, struct buf *ret)
{
	while (len) {
		const char *nul = memchr(p, '\0', len);
		size_t n = nul ? (size_t)(nul - p) : len;

		buf_add(ret, p, n);
		p += n;
		len -= n;
		if (nul) {
			p++;
			len--;
		}
	}
}

static bool is_ascii(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)p[i] >= 0x80 || p[i] == 0x1b)
			return false;
	return true;
}

/* UTF-16 and the like cannot stand in a mail line by line; their names are not believed.
 */
static bool worth_converting(const char *charset)
{
	return charset && *charset && strcasecmp(charset, "utf-8") &&
	       strcasecmp(charset, "utf8") && strcasecmp(charset, "us-ascii") &&
	       strncasecmp(charset, "utf-16", 6) && strncasecmp(charset, "utf-32", 6);
}

void text_to_utf8(const char *p, size_t len, const char *charset, struct buf *ret)
{
	if (is_ascii(p, len)) {
		add_without_nul(p, len, ret);
		return;
	}
	if (worth_converting(charset)) {
		gsize n = 0;
		g_autofree char *s =
			g_convert(p, (gssize)len, "UTF-8", charset, NULL, &n, NULL);

		if (s) {
			add_without_nul(s, n, ret);
			return;
		}
	}
	if (g_utf8_validate_len(p, len, NULL) || memchr(p, '\0', len)) {
		g_autofree char *s = g_utf8_make_valid(p, (gssize)len);

		buf_adds(ret, s);
		return;
	}
	add_latin1(p, len, ret);
}

char *text_clean(const char *p, size_t len)
{
	_cleanup_buf_ struct buf b = BUF_INIT, r = BUF_INIT;

	text_to_utf8(p, len, NULL, &b);
	for (size_t i = 0; i < b.len; i++) {
		unsigned char c = (unsigned char)b.data[i];

		if (isspace(c) && c < 0x80) {
			if (r.len && r.data[r.len - 1] != ' ')
				buf_addc(&r, ' ');
		} else if (c < 0x20 || c == 0x7f) {
			buf_addc(&r, '?');
		} else if (c == 0xc2 && (unsigned char)buf_str(&b)[i + 1] < 0xa0 &&
			   i + 1 < b.len) {
			buf_addc(&r, '?'); /* U+0080..U+009F steer terminals too */
			i++;
		} else {
			buf_addc(&r, (char)c);
		}
	}
	while (r.len && r.data[r.len - 1] == ' ')
		r.data[--r.len] = '\0';
	return buf_take(&r);
}

char *text_trim(char *s)
{
	size_t n = strlen(s), lead = 0;

	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	while (lead < n && isspace((unsigned char)s[lead]))
		lead++;
	memmove(s, s + lead, n - lead);
	s[n - lead] = '\0';
	return s;
}

char *text_squeeze(char *s)
{
	size_t n = 0;

	for (const char *p = s; *p; p++) {
		bool space = isspace((unsigned char)*p);

		if (space && n && s[n - 1] == ' ')
			continue;
		s[n++] = space ? ' ' : *p;
	}
	s[n] = '\0';
	return s;
}

const char *text_find_nocase(const char *p, size_t len, const char *needle)
{
	size_t n = strlen(needle);

	for (size_t i = 0; i + n <= len; i++)
		if (tolower((unsigned char)p[i]) == tolower((unsigned char)needle[0]) &&
		    !strncasecmp(p + i, needle, n))
			return p + i;
	return NULL;
}
