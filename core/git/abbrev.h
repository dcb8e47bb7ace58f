// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Object ids as short as git prints them. */
#include "core/git/repo.h"

/*
 * The shortest unique form of an id, not below core.abbrev; its default "auto" grows with
 * the packed objects, as git-config(1) says. Owned by the caller.
 */
_must_check_ char *repo_abbrev(struct repo *r, const struct oid *oid);
