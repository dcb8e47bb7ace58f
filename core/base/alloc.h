// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Allocation that aborts when memory is gone. GLib below us does the same, and no caller
 * could do anything better. Everything returned is released with free().
 */
#include <stdarg.h>
#include <stddef.h>

#include "core/base/base.h"

/* Zeroed memory for one object of n bytes. */
_must_check_ void *xzalloc(size_t n);

/* Zeroed memory for nr objects of size bytes; aborts on overflow too. */
_must_check_ void *xcalloc(size_t nr, size_t size);

/* realloc() of nr objects of size bytes. */
_must_check_ void *xreallocarray(void *p, size_t nr, size_t size);

/* Copies; xstrdup(NULL) is NULL. xmemdup adds a NUL byte behind the n bytes. */
_must_check_ char *xstrdup(const char *s);
_must_check_ char *xstrndup(const char *s, size_t n);
_must_check_ void *xmemdup(const void *p, size_t n);

/* tsearch(): put key into the tree *root unless an equal one is there. */
void xtsearch(void *key, void **root, int (*compare)(const void *, const void *));

/* Formatted string, owned by the caller. */
_must_check_ char *xasprintf(const char *fmt, ...) _printf_(1, 2);
_must_check_ char *xvasprintf(const char *fmt, va_list ap) _printf_(1, 0);

/* Make room for one more element in array p of *nr used elements, growing by doubling. */
#define array_push(p, nr)                                                          \
	({                                                                         \
		if (((nr) & ((nr)-1)) == 0)                                        \
			(p) = xreallocarray((p), (nr) ? (nr)*2 : 1, sizeof(*(p))); \
		&(p)[(nr)++];                                                      \
	})
