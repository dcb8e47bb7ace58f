// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Objects that a partial clone left behind, as git describes it in partial-clone.txt. */
#include <stdbool.h>

#include "core/git/repo.h"

/*
 * Let git fetch an object from where the clone came from, when the repository is a
 * partial clone; one that is whole has nobody to ask. True when git says it is there now.
 */
_must_check_ bool promisor_fetch(struct repo *r, const struct oid *oid);
