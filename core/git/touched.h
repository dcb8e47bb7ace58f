// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which paths a commit touches. */
#include "core/git/repo.h"

/*
 * Append the paths that differ between the commit and its first parent (all its paths
 * when it has none), sorted, renames as two paths, at most max of them. Only trees are
 * read.
 */
_must_check_ int repo_touched(struct repo *r, const struct oid *commit, size_t max,
			      struct strv *ret, struct err *e);
