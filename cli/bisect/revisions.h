// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* From one revision of a series to another, patch by patch. */
#include "cli/bisect/space.h"
#include "core/series/series.h"

/*
 * A chain from the first revision to the last, all on one base: between two of them the
 * patches are exchanged one at a time, in the order of the later one. A patch's
 * counterpart has the same patch-id, else the same subject. Points where the mixture does
 * not apply, or where nothing changed, are left out, so a step may be several patches;
 * subjects say which. ERR_HUNK and the like when a revision itself does not apply.
 */
_must_check_ int space_revisions(struct repo *r, struct series *const *revisions,
				 size_t nr, const struct oid *base, struct space *ret,
				 struct err *e);
