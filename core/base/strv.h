// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A vector of owned strings, NULL-terminated for execve(). Caller-owned:
 * `_cleanup_strv_ struct strv v = STRV_INIT;`.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"

struct strv {
	char **v; /* NULL only while nr is 0 */
	size_t nr;
};

#define STRV_INIT \
	{         \
		0 \
	}

/* Append a copy, a formatted string, or each of a NULL-terminated list of copies. */
void strv_add(struct strv *s, const char *str);
void strv_addf(struct strv *s, const char *fmt, ...) _printf_(2, 3);
void strv_addl(struct strv *s, ...) __attribute__((sentinel));

/* Append str, which the vector then owns. */
void strv_take(struct strv *s, char *str);

/* Whether a string equal to str is there. */
bool strv_has(const struct strv *s, const char *str);

/* Elements joined by sep, owned by the caller. */
_must_check_ char *strv_join(const struct strv *s, const char *sep);

void strv_release(struct strv *s);

#define _cleanup_strv_ _cleanup_(strv_release)
