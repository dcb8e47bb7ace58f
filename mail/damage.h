// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Signs that a mail program changed the diff on its way. */
#include "core/base/buf.h"

/*
 * The first line of a hunk that cannot be one, as "line 12 of the diff is wrapped or lost
 * its first blank"; NULL when every hunk has the lines its header promises. Owned by the
 * caller.
 */
_must_check_ char *damage_find(const struct buf *diff);

/*
 * A zero-width or direction-changing character in a title (UTF-8) that has no letters
 * written right to left, named; NULL when there is none. Owned by the caller.
 */
_must_check_ char *damage_title(const char *title);
