// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Under which names a repository has mainline and the stable trees. */
#include "core/git/repo.h"

/*
 * The revision of mainline: the one given, or the first of the usual names that is there.
 * ERR_UNKNOWN_REV when it is not, with what to do. Owned by the caller.
 */
_must_check_ int branches_mainline(struct repo *r, const char *given, char **ret,
				   struct err *e);

/*
 * The branch of a version ("6.1"): the one given, or linux-6.1.y, of a remote when there
 * is no own one, but of no tree of release candidates while there is another.
 * ERR_UNKNOWN_REV names the branches there are. Owned by the caller.
 */
_must_check_ int branches_stable(struct repo *r, const char *version, const char *given,
				 char **ret, struct err *e);
