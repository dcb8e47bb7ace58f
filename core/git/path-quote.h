// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Path names as git prints them. */
#include "core/base/buf.h"

/* Append path, in double quotes with C escapes when it has bytes below 32, above 126, a
 * quote or a backslash: core.quotePath of git-config(1). */
void path_quote(const char *path, struct buf *ret);
