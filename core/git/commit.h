// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Commit objects byte for byte as git am writes them. */
#include "core/git/repo.h"

struct ident {
	const char *name, *email;
	int64_t date; /* seconds since the epoch */
	int tz;	      /* minutes east of UTC */
};

struct commit_data {
	struct oid tree, parent;
	struct ident author, committer;
	const char *message;
};

/*
 * Write it, parent being the only one. Names lose what git strips from them;
 * ERR_BAD_PATCH when nothing is left of an address.
 */
_must_check_ int commit_write(struct repo *r, const struct commit_data *c,
			      struct oid *ret, struct err *e);
