// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The one place where text becomes numbers. Whole string or failure; no sign, no blanks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base.h"

/* Decimal; false on anything else or on overflow, *ret untouched. */
_must_check_ bool parse_u64(const char *s, uint64_t *ret);

/* Decimal between min and max. */
_must_check_ bool parse_int(const char *s, int min, int max, int *ret);

/* A finite number as strtod() in the C locale reads it ("18531.5", "1e3", "-0.2"). */
_must_check_ bool parse_double(const char *s, double *ret);

/* "90", "90s", "15m", "2h", "1d" to seconds. */
_must_check_ bool parse_duration(const char *s, uint64_t *ret_seconds);

/* Whether the first n bytes of s are lower- or upper-case hex digits. */
bool parse_is_hex(const char *s, size_t n);
