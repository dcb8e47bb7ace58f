// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/title.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t word_len(const char *s)
{
	size_t n = 0;

	while (is_word(s[n]))
		n++;
	return n;
}

static size_t hex_len(const char *s)
{
	size_t n = 0;

	while (isxdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* Behind "+0x12/0x34"; s itself when it does not begin with an offset. */
static const char *skip_offset(const char *s)
{
	const char *p = s;

	if (strncmp(p, "+0x", 3) != 0 || !hex_len(p + 3))
		return s;
	p += 3 + hex_len(p + 3);
	if (!strncmp(p, "/0x", 3))
		p += 3 + hex_len(p + 3);
	return p;
}

/* Length of a function's name without what the compiler appended to it. */
static size_t symbol_len(const char *s, size_t n)
{
	static const char *const tails[] = { ".isra.", ".part.", ".constprop.", ".cold",
					     ".llvm." };

	for (size_t at = 1; at < n; at++)
		for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
			if (!strncmp(s + at, tails[i], strlen(tails[i])))
				return at;
	return n;
}

/* The first "name+0x1/0x2" of a line; NULL when there is none. Owned. */
static char *first_symbol(const char *s)
{
	for (size_t n; *s; s += n) {
		n = word_len(s);
		if (!n) {
			n = 1;
			continue;
		}
		if (skip_offset(s + n) != s + n && !isdigit((unsigned char)*s))
			return xstrndup(s, symbol_len(s, n));
	}
	return NULL;
}

/* The file of " at dir/file.c:123", for kernels without symbols; NULL. Owned. */
static char *source_file(const char *s)
{
	const char *at = strstr(s, " at ");
	size_t n = at ? strcspn(at + 4, " :") : 0;

	return n && at[4 + n] == ':' && memchr(at + 4, '/', n) ? xstrndup(at + 4, n)
							       : NULL;
}

/* Whether all of a word is a number, written in digits or in at least 8 hex digits. */
static bool is_number(const char *s, size_t n)
{
	size_t dec = 0, hex = 0;

	while (dec < n && isdigit((unsigned char)s[dec]))
		dec++;
	if (dec == n)
		return true;
	while (hex < n && isxdigit((unsigned char)s[hex]))
		hex++;
	return hex == n && n >= 8;
}

/*
 * One word: numbers become N, symbols lose their offset, files their line. Returns
 * behind it and what belongs to it.
 */
static const char *add_word(const char *s, struct buf *ret)
{
	size_t n = word_len(s);
	const char *end = s + n;

	if (!strncmp(s, "0x", 2) || is_number(s, n)) {
		buf_addc(ret, 'N');
		return end;
	}
	if (skip_offset(end) != end) {
		buf_add(ret, s, symbol_len(s, n));
		return skip_offset(end);
	}
	buf_add(ret, s, n);
	/* file.c:123 */
	if (end[0] == ':' && isdigit((unsigned char)end[1]) && memchr(s, '.', n))
		end += 1 + strspn(end + 1, "0123456789");
	return end;
}

/* Where a title ends: before the details of processor and process. */
static bool is_end(const char *s)
{
	static const char *const ends[] = { " [#",	 " by task ", " on CPU",
					    " CPU: ",	 " PID: ",    ", address: ",
					    " exitcode=" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (!strncmp(s, ends[i], strlen(ends[i])))
			return true;
	return false;
}

static char *normalise(const char *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	while (*s && b.len < TITLE_MAX && !is_end(s)) {
		if (is_word(*s)) {
			s = add_word(s, &b);
			continue;
		}
		if (*s != ' ' || (b.len && b.data[b.len - 1] != ' '))
			buf_addc(&b, *s < ' ' || *s > '~' ? '?' : *s);
		s++;
	}
	if (b.len > TITLE_MAX)
		b.data[b.len = TITLE_MAX] = '\0';
	while (b.len && strchr(" :,!-", b.data[b.len - 1]))
		b.data[--b.len] = '\0';
	return buf_take(&b);
}

char *title_of(const struct splat_class *c, const char *text)
{
	_cleanup_free_ char *place = NULL;

	if (!c->title)
		return normalise(text);
	place = first_symbol(text);
	if (place)
		return xasprintf("%s in %.*s", c->title, TITLE_MAX / 2, place);
	place = source_file(text);
	if (place)
		return xasprintf("%s at %.*s", c->title, TITLE_MAX / 2, place);
	return xstrdup(c->title);
}

char *title_place(const char *text)
{
	static const char *const starts[] = { "RIP: ", "EIP: ", "pc : ", "PC is at ",
					      "NIP [" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(text, starts[i], strlen(starts[i])))
			return first_symbol(text);
	return NULL;
}
