// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/guest/linux/lines.h"

#include <stdbool.h>
#include <string.h>

/* Decimal digits of a number that fits; nothing else. */
static bool read_ticks(const char *s, uint64_t *ret)
{
	uint64_t n = 0;

	if (*s < '1' || *s > '9')
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return false;
	}
	*ret = n;
	return true;
}

static enum l2_said read_line(const struct l2_lines *l, uint64_t *ret_ticks)
{
	static const char ticks[] = "@ticks ";

	if (l->bytes != l->len)
		return L2_TEXT;
	if (!strcmp(l->line, "@up"))
		return L2_UP;
	if (!strcmp(l->line, "@done"))
		return L2_DONE;
	if (!strcmp(l->line, "@end"))
		return L2_END;
	return !strncmp(l->line, ticks, sizeof(ticks) - 1) &&
			       read_ticks(l->line + sizeof(ticks) - 1, ret_ticks)
		       ? L2_TICKS
		       : L2_TEXT;
}

static void keep(struct l2_lines *l)
{
	if (l->len && !strstr(l->note, "panic"))
		memcpy(l->note, l->line, l->len + 1);
}

enum l2_said l2_byte(struct l2_lines *l, unsigned char byte, uint64_t *ret_ticks)
{
	enum l2_said said;

	if (byte == '\r')
		return L2_NOTHING;
	if (byte != '\n') {
		if (l->len < L2_LINE_MAX && byte >= ' ' && byte <= '~')
			l->line[l->len++] = (char)byte;
		if (l->bytes <= L2_LINE_MAX)
			l->bytes++;
		return L2_NOTHING;
	}
	l->line[l->len] = '\0';
	said = read_line(l, ret_ticks);
	if (said == L2_TEXT)
		keep(l);
	l->len = l->bytes = 0;
	return said;
}
