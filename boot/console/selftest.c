// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/selftest.h"

#include <stddef.h>
#include <string.h>

#include "core/base/base.h"

/*
 * First and last lines: lib/locking-selftest.c, kernel/backtracetest.c, and KUnit's
 * suites of the sanitizers, whose lines are indented by their depth.
 */
static const struct range {
	const char *first, *last;
	const char *other_last; /* when something went wrong; may be NULL */
} ranges[] = {
	{ "| Locking API testsuite:", "Good, all ", "BUG: " },
	{ "====[ backtrace testing ]", "====[ end of backtrace testing ]", NULL },
	{ "# Subtest: kasan", "ok ", "not ok " },
	{ "# Subtest: kfence", "ok ", "not ok " },
	{ "# Subtest: kcsan", "ok ", "not ok " },
	{ "# Subtest: kmsan", "ok ", "not ok " },
};

static bool is_prefix(const char *s, const char *prefix)
{
	return prefix && !strncmp(s, prefix, strlen(prefix));
}

/* "ok 3 - kasan": the line of a suite names the suite, those of its cases do not. */
static bool names_suite(const struct range *r, const char *text)
{
	const char *suite = strrchr(r->first, ' ') + 1, *last = strrchr(text, ' ');

	return last && !strcmp(last + 1, suite);
}

static bool is_last(const struct range *r, const char *text)
{
	if (!is_prefix(text, r->last) && !is_prefix(text, r->other_last))
		return false;
	if (*r->first == '#')
		return names_suite(r, text);
	/* "BUG: 3 unexpected failures (out of 350) - debugging disabled! |" */
	return !r->other_last || is_prefix(text, r->last) ||
	       strstr(text, "unexpected failures");
}

bool selftest_line(struct selftest *s, const char *text)
{
	const struct range *r = s->range;

	text += strspn(text, " ");
	if (!r) {
		for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
			if (is_prefix(text, ranges[i].first))
				s->range = &ranges[i];
		s->lines = 0;
		return s->range != NULL;
	}
	if (is_last(r, text) || ++s->lines > SELFTEST_LINES_MAX ||
	    is_prefix(text, "Linux version ") || is_prefix(text, "Kernel panic"))
		s->range = NULL;
	return !is_prefix(text, "Linux version ") && !is_prefix(text, "Kernel panic");
}
