// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/strv.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

void strv_take(struct strv *s, char *str)
{
	s->v = xreallocarray(s->v, s->nr + 2, sizeof(*s->v));
	s->v[s->nr++] = str;
	s->v[s->nr] = NULL;
}

void strv_add(struct strv *s, const char *str)
{
	strv_take(s, xstrdup(str));
}

void strv_addf(struct strv *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strv_take(s, xvasprintf(fmt, ap));
	va_end(ap);
}

void strv_addl(struct strv *s, ...)
{
	va_list ap;

	va_start(ap, s);
	for (const char *str; (str = va_arg(ap, const char *));)
		strv_add(s, str);
	va_end(ap);
}

bool strv_has(const struct strv *s, const char *str)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->v[i], str))
			return true;
	return false;
}

char *strv_join(const struct strv *s, const char *sep)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->nr; i++) {
		if (i)
			buf_adds(&b, sep);
		buf_adds(&b, s->v[i]);
	}
	return buf_take(&b);
}

void strv_release(struct strv *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->v[i]);
	free(s->v);
	*s = (struct strv)STRV_INIT;
}
