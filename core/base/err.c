// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/safe.h"

static const struct {
	const char *word;
	int exit_code;
} codes[] = { [ERR_NONE] = { "none", 0 },
#define X(symbol, word, exit) [symbol] = { word, exit },
	      ERR_CODES(X)
#undef X
};

static void frame_add(struct err *e, char *text)
{
	if (e->nr == ARRAY_SIZE(e->frame))
		free(e->frame[--e->nr]);
	e->frame[e->nr++] = safe_text(text, false);
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	err_release(e);
	e->code = code;
	frame_add(e, text);
	return -(int)code;
}

int err_sys(struct err *e, int sys, const char *fmt, ...)
{
	enum err_code code = sys == ENOSPC || sys == EDQUOT ? ERR_DISK_FULL : ERR_IO;
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	err_set(e, code, "%s: %s", text, strerror(sys));
	e->sys = sys;
	return -(int)code;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	frame_add(e, text);
	return -(int)e->code;
}

int err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e->hint) {
		va_start(ap, fmt);
		e->hint = safe_text(xvasprintf(fmt, ap), false);
		va_end(ap);
	}
	return -(int)e->code;
}

void err_release(struct err *e)
{
	while (e->nr)
		free(e->frame[--e->nr]);
	free(e->hint);
	*e = (struct err){ 0 };
}

const char *err_word(enum err_code code)
{
	return codes[code].word;
}

int err_exit_code(enum err_code code)
{
	return codes[code].exit_code;
}

enum err_code err_from_word(const char *word)
{
	for (size_t i = 1; i < ARRAY_SIZE(codes); i++)
		if (!strcmp(word, codes[i].word))
			return (enum err_code)i;
	return ERR_NONE;
}
