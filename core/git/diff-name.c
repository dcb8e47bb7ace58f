// SPDX-License-Identifier: GPL-3.0-or-later
/* File names in diff headers: prefixes, C quoting, time stamps behind them. */
#include "core/git/diff-internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool all_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* "a//b" to "a/b", in place. */
static char *squash_slashes(char *name)
{
	size_t n = 0;

	for (const char *p = name; name && *p; p++)
		if (*p != '/' || !n || name[n - 1] != '/')
			name[n++] = *p;
	if (name)
		name[n] = '\0';
	return name;
}

static int unescape(char c)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : -1;
}

/*
 * Undo C quoting of the string that begins at s[0] == '"'. The number of bytes it took,
 * 0 when it is malformed.
 */
static size_t unquote(const char *s, size_t n, struct buf *ret)
{
	for (size_t i = 1; i < n; i++) {
		if (s[i] == '"')
			return i + 1;
		if (s[i] != '\\') {
			buf_addc(ret, s[i]);
			continue;
		}
		if (++i == n)
			return 0;
		if (s[i] >= '0' && s[i] <= '3' && i + 2 < n && s[i + 1] >= '0' &&
		    s[i + 1] <= '7' && s[i + 2] >= '0' && s[i + 2] <= '7') {
			buf_addc(ret, (char)(((s[i] - '0') << 6) |
					     ((s[i + 1] - '0') << 3) | (s[i + 2] - '0')));
			i += 2;
		} else if (unescape(s[i]) >= 0) {
			buf_addc(ret, (char)unescape(s[i]));
		} else {
			return 0;
		}
	}
	return 0;
}

/* s without its first strip components; NULL when it has not that many or is absolute. */
static const char *skip_prefix(const char *s, size_t n, int strip)
{
	if (!strip)
		return n && s[0] == '/' ? NULL : s;
	for (size_t i = 0; i < n; i++)
		if (s[i] == '/' && --strip <= 0)
			return i ? s + i + 1 : NULL;
	return NULL;
}

static char *name_quoted(const char *s, size_t n, int strip)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *p;

	if (!unquote(s, n, &b))
		return NULL;
	p = buf_str(&b);
	for (; strip > 0; strip--) {
		p = strchr(p, '/');
		if (!p)
			return NULL;
		p++;
	}
	return squash_slashes(xstrdup(p));
}

/* s[0..n) is the name with its prefix. other, when it is a shorter form, wins. */
static char *name_cut(const char *s, size_t n, const char *other, int strip)
{
	const char *start = strip ? NULL : s, *end = s + n;

	for (const char *p = s; p < end; p++)
		if (*p == '/' && !--strip)
			start = p + 1;
	if (!start || start == end)
		return squash_slashes(xstrdup(other));
	n = (size_t)(end - start);
	/* The longer of two is "file.orig" or "file~". */
	if (other && strlen(other) < n && !strncmp(start, other, strlen(other)))
		return squash_slashes(xstrdup(other));
	return squash_slashes(xstrndup(start, n));
}

/* Blanks belong to a name, other white space ends it; a tab does where one was written.
 */
static size_t name_end(const char *s, size_t n, int ends)
{
	size_t i = 0;

	while (i < n && s[i] != '\r' && s[i] != '\n' &&
	       !(s[i] == '\t' && ends & NAME_TAB))
		i++;
	return i;
}

char *name_find(const char *s, size_t n, int strip, int ends)
{
	char *quoted = n && s[0] == '"' ? name_quoted(s, n, strip) : NULL;

	return quoted ? quoted : name_cut(s, name_end(s, n, ends), NULL, strip);
}

/* Length of the suffix of s[0..n) that is a zone: " -0500", " +05:30". */
static size_t zone_len(const char *s, size_t n)
{
	for (size_t k = 6; k <= 7; k++) {
		const char *z = s + n - k;

		if (n < k || z[0] != ' ' || (z[1] != '+' && z[1] != '-'))
			continue;
		if (all_digits(z + 2, 2) && all_digits(z + k - 2, 2) &&
		    (k == 6 || z[4] == ':'))
			return k;
	}
	return 0;
}

/* The same for a time of day: " 19:41:17", with a fraction or without. */
static size_t time_len(const char *s, size_t n)
{
	size_t end = n;
	const char *t;

	while (end && isdigit((unsigned char)s[end - 1]))
		end--;
	if (!end || s[end - 1] != '.' || end == n)
		end = n;
	else
		end--;
	if (end < 9)
		return 0;
	t = s + end - 9;
	if (t[0] != ' ' || t[3] != ':' || t[6] != ':' || !all_digits(t + 1, 2) ||
	    !all_digits(t + 4, 2) || !all_digits(t + 7, 2))
		return 0;
	return n - end + 9;
}

/* And for a date: "2010-07-05", "10-07-05". */
static size_t date_len(const char *s, size_t n)
{
	const char *d = s + n - 8;

	if (n < 8 || d[2] != '-' || d[5] != '-' || !all_digits(d, 2) ||
	    !all_digits(d + 3, 2) || !all_digits(d + 6, 2))
		return 0;
	return n >= 10 && all_digits(d - 2, 2) ? 10 : 8;
}

/* Length of the time stamp at the end, the white space before it included. */
static size_t stamp_len(const char *s, size_t n)
{
	size_t end = n, len;

	if (!n || !isdigit((unsigned char)s[n - 1]))
		return 0;
	end -= zone_len(s, end);
	end -= time_len(s, end);
	len = date_len(s, end);
	end -= len;
	if (!len || !end || (s[end - 1] != '\t' && s[end - 1] != ' '))
		return 0;
	if (s[end - 1] == '\t')
		return n - end + 1;
	while (end && s[end - 1] == ' ')
		end--;
	return n - end;
}

char *name_plain(const char *s, size_t n, const char *other, int strip)
{
	char *quoted = n && s[0] == '"' ? name_quoted(s, n, strip) : NULL;
	size_t stamp = stamp_len(s, n);

	if (quoted)
		return quoted;
	return name_cut(s, stamp ? n - stamp : name_end(s, n, NAME_TAB), other, strip);
}

bool name_is_dev_null(const char *s, size_t n)
{
	return n >= 9 && !memcmp(s, "/dev/null", 9) && (n == 9 || is_blank(s[9]));
}

static int two(const char *s)
{
	return (s[0] - '0') * 10 + s[1] - '0';
}

/* GNU diff -N marks a file that is not there by the time stamp 0, in any time zone. */
bool name_has_epoch(const char *s, size_t n)
{
	const char *tab = n ? memrchr(s, '\t', n) : NULL;
	size_t zone = zone_len(s, n), hours;
	const char *t, *z = s + n - zone;
	int minutes;

	if (!tab || !zone || z < tab + 1 + 19)
		return false;
	t = tab + 1;
	if (!memcmp(t, "1969-12-31 ", 11))
		hours = 24;
	else if (!memcmp(t, "1970-01-01 ", 11))
		hours = 0;
	else
		return false;
	t += 11;
	if (!all_digits(t, 2) || t[2] != ':' || !all_digits(t + 3, 2) ||
	    memcmp(t + 5, ":00", 3))
		return false;
	for (const char *f = t + 8; f < z; f++)
		if (*f != (f == t + 8 ? '.' : '0'))
			return false;
	minutes = two(z + 2) * 60 + two(z + zone - 2);
	if (z[1] == '-')
		minutes = -minutes;
	return two(t) * 60 + two(t + 3) - minutes == (int)hours * 60;
}

/* The two names of a "diff --git" line when the first is quoted. */
static char *git_line_quoted(const char *s, size_t n, int strip)
{
	_cleanup_buf_ struct buf a = BUF_INIT, b = BUF_INIT;
	size_t used = unquote(s, n, &a);
	const char *first, *second;

	first = used ? skip_prefix(buf_str(&a), a.len, strip) : NULL;
	if (!first)
		return NULL;
	while (used < n && is_blank(s[used]))
		used++;
	if (used == n)
		return NULL;
	if (s[used] == '"') {
		if (!unquote(s + used, n - used, &b))
			return NULL;
	} else {
		buf_add(&b, s + used, n - used);
	}
	second = skip_prefix(buf_str(&b), b.len, strip);
	return second && !strcmp(first, second) ? xstrdup(first) : NULL;
}

/* The same when only the second is. */
static char *git_line_half_quoted(const char *name, const char *quote, const char *end,
				  int strip)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *second;
	size_t len;

	if (!unquote(quote, (size_t)(end - quote), &b))
		return NULL;
	second = skip_prefix(buf_str(&b), b.len, strip);
	if (!second)
		return NULL;
	len = strlen(second);
	if (len < (size_t)(quote - name) && !memcmp(second, name, len) &&
	    is_blank(name[len]))
		return xstrdup(second);
	return NULL;
}

/*
 * The name of "a/NAME b/NAME": only one that shows up twice is taken. Names with blanks
 * make the border ambiguous, so each blank is tried. A rename says its names elsewhere.
 */
char *name_of_git_line(const char *s, size_t n, int strip)
{
	const char *end = s + n, *name, *quote;

	if (n && s[0] == '"')
		return git_line_quoted(s, n, strip);
	name = skip_prefix(s, n, strip);
	if (!name)
		return NULL;
	quote = memchr(name, '"', (size_t)(end - name));
	if (quote)
		return git_line_half_quoted(name, quote, end, strip);
	for (const char *p = name; p < end; p++) {
		size_t len = (size_t)(p - name);
		const char *second;

		if (*p != ' ' && *p != '\t')
			continue;
		second = skip_prefix(p + 1, (size_t)(end - p - 1), strip);
		if (second && (size_t)(end - second) == len && !memcmp(name, second, len))
			return xstrndup(name, len);
	}
	return NULL;
}
