// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A commit as the patch it is. */
#include "core/git/repo.h"

/* git patch-id --stable of a commit against its first parent, owned by the caller; NULL
 * when it changes nothing. */
_must_check_ int repo_patch_id(struct repo *r, const struct oid *commit, char **ret,
			       struct err *e);
