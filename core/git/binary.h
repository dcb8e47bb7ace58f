// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* git takes a file for binary when its beginning has a NUL byte. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool is_binary(const char *p, size_t len)
{
	return memchr(p, '\0', len < 8000 ? len : 8000) != NULL;
}
