// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How a patch is read and how closely it has to fit: git apply's options. */
#include <limits.h>
#include <stdbool.h>

#include "core/base/strv.h"

/*
 * What becomes of white space errors in added lines (blanks at the end, blanks before a
 * tab, blank lines at the end of a file): let through, refused, or repaired.
 */
enum apply_whitespace { WHITESPACE_KEEP, WHITESPACE_REFUSE, WHITESPACE_FIX };

struct apply_rules {
	int strip; /* -p N: leading folders to take off names; -1 = 1, or 0 where a plain
		      diff names a file without any folder */
	const char *directory; /* put before every name, may be NULL */
	/* Patterns of paths, may be NULL; what one of exclude matches is left out, and
	 * with include all that none of it matches. */
	const struct strv *include, *exclude;
	unsigned int context; /* -C N: lines around a change that must fit at least */
	bool ignore_space_change;
	enum apply_whitespace whitespace;
};

/* What git apply does without options. */
#define APPLY_RULES_INIT                         \
	{                                        \
		.strip = -1, .context = UINT_MAX \
	}
