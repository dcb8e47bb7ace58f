// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/span.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct span span_trim(struct span s)
{
	while (s.n && blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n && blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

struct span span_skip(struct span s, size_t n)
{
	n = n < s.n ? n : s.n;
	return (struct span){ s.p + n, s.n - n };
}

bool span_is(struct span s, const char *word)
{
	return s.n == strlen(word) && !strncasecmp(s.p, word, s.n);
}

bool span_starts(struct span s, const char *word)
{
	size_t n = strlen(word);

	return s.n >= n && !strncasecmp(s.p, word, n);
}

bool span_has(struct span s, const char *word)
{
	for (; s.n >= strlen(word); s = span_skip(s, 1))
		if (span_starts(s, word))
			return true;
	return false;
}

bool span_in(struct span s, const char *const *words)
{
	for (; *words; words++)
		if (span_is(s, *words))
			return true;
	return false;
}

static bool of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool span_word(struct span *s, struct span *ret)
{
	size_t n = 0;

	while (s->n && !of_word(s->p[0]) && s->p[0] != '%')
		*s = span_skip(*s, 1);
	if (!s->n)
		return false;
	if (span_starts(*s, "w/o"))
		n = 3;
	else if (span_starts(*s, "w/"))
		n = 2;
	else if (s->p[0] == '%')
		n = 1;
	else
		while (n < s->n && of_word(s->p[n]))
			n++;
	*ret = (struct span){ s->p, n };
	*s = span_skip(*s, n);
	return true;
}

bool span_any(struct span s, const char *const *words)
{
	struct span w;

	while (span_word(&s, &w))
		if (span_in(w, words))
			return true;
	return false;
}

/* Where to cut at most max bytes without cutting a character of UTF-8. */
static size_t whole(struct span s, size_t max)
{
	size_t n = s.n < max ? s.n : max;

	while (n < s.n && n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

char *span_dup(struct span s, size_t max)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	s = span_trim(s);
	s.n = whole(s, max);
	for (size_t i = 0; i < s.n; i++) {
		if (!blank(s.p[i]))
			buf_addc(&b, s.p[i]);
		else if (i + 1 < s.n && !blank(s.p[i + 1]))
			buf_addc(&b, ' ');
	}
	buf_str(&b); /* an empty text is one too */
	return buf_take(&b);
}
