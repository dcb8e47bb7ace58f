// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/buf.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

char *buf_room(struct buf *b, size_t n)
{
	size_t want = b->len + n + 1;

	if (want < n)
		abort();
	if (want > b->cap) {
		size_t cap = b->cap + b->cap / 2;

		b->cap = cap > want ? cap : want + 16;
		b->data = xreallocarray(b->data, b->cap, 1);
	}
	b->data[b->len] = '\0';
	return b->data + b->len;
}

void buf_grew(struct buf *b, size_t n)
{
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	char *to = buf_room(b, n);

	if (n)
		memcpy(to, p, n);
	buf_grew(b, n);
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	buf_adds(b, s);
}

const char *buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *s = b->data ? b->data : xstrdup("");

	*b = (struct buf)BUF_INIT;
	return s;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf)BUF_INIT;
}
