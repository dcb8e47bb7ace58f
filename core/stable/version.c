// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define DIGITS "0123456789"

static size_t run(const char *s)
{
	return strspn(s, DIGITS);
}

/* Length of "X.Y" or "X.Y.Z" at s, 0 when none begins there. */
static size_t version_len(const char *s)
{
	size_t n = run(s), more;

	if (!n || s[n] != '.' || !run(s + n + 1))
		return 0;
	n += 1 + run(s + n + 1);
	more = s[n] == '.' ? run(s + n + 1) : 0;
	return more ? n + 1 + more : n;
}

bool version_is(const char *text)
{
	size_t n = version_len(text);

	return n && !text[n] && n < 16;
}

/* Numbers of any length, without their leading zeros. */
static int compare_numbers(const char *a, size_t n, const char *b, size_t m)
{
	int c;

	for (; n && *a == '0'; n--)
		a++;
	for (; m && *b == '0'; m--)
		b++;
	c = n == m ? strncmp(a, b, n) : n < m ? -1 : 1;
	return (c > 0) - (c < 0);
}

int version_compare(const char *a, const char *b)
{
	for (;;) {
		size_t n = run(a), m = run(b);
		int c;

		if (!n || !m)
			return (n > 0) - (m > 0);
		c = compare_numbers(a, n, b, m);
		if (c)
			return c;
		a += n + (a[n] == '.');
		b += m + (b[m] == '.');
	}
}

char *version_in(const char *text)
{
	for (const char *p = text; *p; p++) {
		size_t n = version_len(p);

		if (n)
			return n < 16 ? xstrndup(p, n) : NULL;
		if (isdigit((unsigned char)*p))
			p += run(p) - 1;
	}
	return NULL;
}

char *version_branch(const char *version)
{
	size_t n = run(version);

	if (version[n] == '.')
		n += 1 + run(version + n + 1);
	return xstrndup(version, n);
}

char *version_before(const char *version)
{
	_cleanup_free_ char *branch = version_branch(version);
	const char *rest = version + strlen(branch);
	_cleanup_free_ char *digits = NULL;
	int z;

	if (*rest != '.')
		return NULL;
	digits = xstrndup(rest + 1, run(rest + 1));
	if (!parse_int(digits, 1, 1000000, &z))
		return NULL;
	return z == 1 ? take_ptr(branch) : xasprintf("%s.%d", branch, z - 1);
}
