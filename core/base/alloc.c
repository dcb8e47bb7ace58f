// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/alloc.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void *xzalloc(size_t n)
{
	return must(calloc(1, n ? n : 1));
}

void *xcalloc(size_t nr, size_t size)
{
	return must(calloc(nr ? nr : 1, size ? size : 1));
}

void *xreallocarray(void *p, size_t nr, size_t size)
{
	return must(reallocarray(p, nr ? nr : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return s ? must(strdup(s)) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
	return must(strndup(s, n));
}

void *xmemdup(const void *p, size_t n)
{
	char *copy = must(malloc(n + 1));

	if (n)
		memcpy(copy, p, n);
	copy[n] = '\0';
	return copy;
}

void xtsearch(void *key, void **root, int (*compare)(const void *, const void *))
{
	(void)must(tsearch(key, root, compare));
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	return s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}
