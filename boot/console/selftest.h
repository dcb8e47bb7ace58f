// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Kernels that test themselves print the reports they provoke. What stands between the
 * start and the end of such a test is no trouble; a panic is, wherever it stands.
 */
#include <stdbool.h>

#define SELFTEST_LINES_MAX 100000 /* a test whose end never shows hides no more */

/* Where a console is; caller-owned, starts zeroed. */
struct selftest {
	const void *range; /* inside this one, NULL: in none */
	unsigned long lines;
};

/* Take the next line, without its prefix. Whether it belongs to a self-test. */
bool selftest_line(struct selftest *s, const char *text);
