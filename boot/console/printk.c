// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/printk.h"

#include <string.h>

static const char *digits(const char *s)
{
	while (*s >= '0' && *s <= '9')
		s++;
	return s;
}

/* Behind "[   12.345678]", NULL when s does not begin with one. */
static const char *stamp(const char *s)
{
	const char *whole, *part;

	if (*s++ != '[')
		return NULL;
	s += strspn(s, " ");
	whole = digits(s);
	if (whole == s || *whole != '.')
		return NULL;
	part = digits(whole + 1);
	return part > whole + 1 && *part == ']' ? part + 1 : NULL;
}

/* Behind "[  T123]" or "[  C0]"; NULL when s does not begin with one. */
static const char *caller(const char *s, long *ret)
{
	const char *start, *end;
	long nr = 0;

	if (*s++ != '[')
		return NULL;
	start = s += strspn(s, " ");
	if (*s != 'T' && *s != 'C')
		return NULL;
	end = digits(s + 1);
	if (end == s + 1 || *end != ']' || end - s > 10)
		return NULL;
	for (s++; s < end; s++)
		nr = nr * 10 + (*s - '0');
	*ret = 2 * nr + (*start == 'C');
	return end + 1;
}

static const char *level(const char *s)
{
	const char *end = *s == '<' ? digits(s + 1) : s;

	return end > s + 1 && *end == '>' ? end + 1 : s;
}

void printk_split(const char *line, struct printk *ret)
{
	const char *s = level(line), *behind = stamp(s);

	*ret = (struct printk){ .text = s, .caller = -1 };
	for (const char *p = s; !behind && (p = strchr(p, '[')); p++)
		behind = stamp(p);
	if (behind) {
		ret->stamped = true;
		ret->text = behind;
	}
	behind = caller(ret->text + strspn(ret->text, " "), &ret->caller);
	if (behind)
		ret->text = behind;
	ret->text += strspn(ret->text, " ");
}
