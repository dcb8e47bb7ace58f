// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/err.h"

/*
 * Full path of a file kiln brings along ("embedded.config", "kiln-agent"), owned by the
 * caller: from $KILN_LIBEXEC, beside the running binary (a build tree), or from
 * libexec/kiln of its prefix. NULL when it is in none of them.
 */
_must_check_ char *paths_data(const char *name);

/* The same, ERR_NOT_FOUND with a hint when it is missing. */
_must_check_ int paths_need(const char *name, char **ret, struct err *e);
