// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Kernel versions as stable queues and branches name them, compared as numbers. */
#include <stdbool.h>

#include "core/base/base.h"

/* Whether text is "X.Y" or "X.Y.Z", digits alone. */
bool version_is(const char *text);

/* -1, 0 or 1, component by component: 5.4 before 5.10, 6.1 before 6.1.1. What is no digit
 * ends the version. */
int version_compare(const char *a, const char *b);

/* The first "X.Y" or "X.Y.Z" in text that no digit or dot touches ("queue-6.1",
 * "linux-6.1.y", "releases/6.1.7"), owned by the caller; NULL when there is none. */
_must_check_ char *version_in(const char *text);

/* "X.Y" of a longer version, owned by the caller. */
_must_check_ char *version_branch(const char *version);

/* The release before X.Y.Z: X.Y.(Z-1), or X.Y for Z = 1; NULL for a version without Z or
 * with Z = 0. Owned by the caller. */
_must_check_ char *version_before(const char *version);
