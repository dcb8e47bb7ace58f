// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which paths a patch may name. */
#include <stdbool.h>

#include "core/base/base.h"

/*
 * Whether path is relative, stays inside the tree and has no component that git or a
 * filesystem takes for .git: ".git" in any case, the short and stream names of NTFS
 * ("GIT~1", ".git .", ".git::$INDEX_ALLOCATION"), HFS+ with its ignored characters. A
 * symbolic link must not be .gitmodules either.
 */
_must_check_ bool path_is_safe(const char *path, bool is_link);
