// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/whitespace.h"

#include <ctype.h>
#include <string.h>

#define TAB_WIDTH 8

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

bool ws_is_blank(const char *s, size_t n)
{
	while (n && is_space(s[n - 1]))
		n--;
	return !n;
}

/* Where the indentation ends that has blanks before a tab; 0 when it has none. */
static size_t mixed_indent(const char *s, size_t n)
{
	size_t end = 0;
	bool blank = false, mixed = false;

	for (size_t i = 0; i < n && (s[i] == ' ' || s[i] == '\t'); i++) {
		if (s[i] == ' ') {
			blank = true;
			continue;
		}
		mixed |= blank;
		end = i + 1;
	}
	return mixed ? end : 0;
}

bool ws_has_error(const char *s, size_t n)
{
	if (n && s[n - 1] == '\n')
		n--;
	return (n && is_space(s[n - 1])) || mixed_indent(s, n);
}

/* Blanks become tabs where there are enough of them. */
static void fix_indent(const char *s, size_t n, struct buf *ret)
{
	unsigned int blanks = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] != ' ') {
			blanks = 0;
			buf_addc(ret, s[i]);
		} else if (++blanks == TAB_WIDTH) {
			buf_addc(ret, '\t');
			blanks = 0;
		}
	}
	while (blanks--)
		buf_addc(ret, ' ');
}

void ws_fix(const char *s, size_t n, struct buf *ret)
{
	bool newline = n && s[n - 1] == '\n';
	size_t indent;

	while (n && is_space(s[n - 1]))
		n--;
	indent = mixed_indent(s, n);
	fix_indent(s, indent, ret);
	buf_add(ret, s + indent, n - indent);
	if (newline)
		buf_addc(ret, '\n');
}

static size_t without_end(const char *s, size_t n)
{
	while (n && (s[n - 1] == '\r' || s[n - 1] == '\n'))
		n--;
	return n;
}

bool ws_alike(const char *a, size_t n, const char *b, size_t m)
{
	size_t i = 0, k = 0;

	n = without_end(a, n);
	m = without_end(b, m);
	while (i < n && k < m) {
		if (!is_space(a[i])) {
			if (a[i++] != b[k++])
				return false;
			continue;
		}
		if (!is_space(b[k]))
			return false;
		while (i < n && is_space(a[i]))
			i++;
		while (k < m && is_space(b[k]))
			k++;
	}
	return i == n && k == m;
}

bool ws_alike_fixed(const char *a, size_t n, const char *b, size_t m)
{
	_cleanup_buf_ struct buf x = BUF_INIT, y = BUF_INIT;

	ws_fix(a, n, &x);
	ws_fix(b, m, &y);
	return x.len == y.len && !memcmp(buf_str(&x), buf_str(&y), x.len);
}
