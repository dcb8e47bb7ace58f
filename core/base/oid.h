// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A git object id as text. Empty hex means "none". */
#include <stdbool.h>
#include <string.h>

struct oid {
	char hex[41]; /* lower case, NUL-terminated */
};

static inline bool oid_equal(const struct oid *a, const struct oid *b)
{
	return !strcmp(a->hex, b->hex);
}

static inline bool oid_is_none(const struct oid *o)
{
	return !o->hex[0];
}
