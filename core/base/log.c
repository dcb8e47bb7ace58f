// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/base/alloc.h"
#include "core/base/safe.h"

static int level;

void log_set_level(int l)
{
	level = l;
}

int log_level(void)
{
	return level;
}

void log_debug(const char *fmt, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	if (level < 1)
		return;
	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	fprintf(stderr, "kiln: %s\n", safe_text(s, false));
}
