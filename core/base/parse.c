// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool digits(const char *s, const char **end, uint64_t *ret)
{
	uint64_t v = 0;
	const char *p = s;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	*end = p;
	*ret = v;
	return p != s;
}

bool parse_u64(const char *s, uint64_t *ret)
{
	const char *end;
	uint64_t v;

	if (!digits(s, &end, &v) || *end)
		return false;
	*ret = v;
	return true;
}

bool parse_int(const char *s, int min, int max, int *ret)
{
	uint64_t v;

	if (!parse_u64(s, &v) || v > (uint64_t)max || (int)v < min)
		return false;
	*ret = (int)v;
	return true;
}

bool parse_double(const char *s, double *ret)
{
	char *end;
	double v;

	if (!*s || isspace((unsigned char)*s))
		return false;
	v = strtod(s, &end); /* kiln never calls setlocale() for numbers: "C" holds */
	if (*end || !isfinite(v))
		return false;
	*ret = v;
	return true;
}

bool parse_duration(const char *s, uint64_t *ret_seconds)
{
	static const struct {
		char unit;
		uint64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	uint64_t v, scale = 1;
	const char *end;

	if (!digits(s, &end, &v))
		return false;
	if (*end) {
		scale = 0;
		for (size_t i = 0; i < ARRAY_SIZE(units); i++)
			if (units[i].unit == *end && !end[1])
				scale = units[i].seconds;
	}
	if (!scale || __builtin_mul_overflow(v, scale, &v))
		return false;
	*ret_seconds = v;
	return true;
}

bool parse_is_hex(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)s[i]))
			return false;
	return true;
}
