// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The branches and tags among which a base is looked for. */
#include "core/git/repo.h"

enum base_ref_kind { BASE_REF_HEAD, BASE_REF_REMOTE, BASE_REF_TAG, BASE_REF_LOCAL };

struct base_ref {
	char *name;   /* "HEAD", "main", "origin/main", "v6.1" */
	char *remote; /* of a remote branch, NULL else; "origin" */
	enum base_ref_kind kind;
	struct oid tip;
	int64_t time; /* of the commit */
};

struct base_refs {
	struct base_ref *v;
	size_t nr;
	size_t left_out; /* older ones, beyond the limits */
};

/* The newest this many of each are looked at, unless a pattern picks others. */
#define BASE_MAX_BRANCHES 64
#define BASE_MAX_TAGS 32

/*
 * HEAD, all branches and the newest tags; or what one of the patterns (shell globs,
 * separated by commas) matches, by short or full name. refs/kiln/ is never among them.
 * HEAD comes first, then the newest.
 */
_must_check_ int base_refs_list(struct repo *r, const char *patterns,
				struct base_refs *ret, struct err *e);
void base_refs_release(struct base_refs *v);

/* Whether a ref outside refs/kiln/ leads to the commit. */
_must_check_ int base_is_reachable(struct repo *r, const struct oid *commit, bool *ret,
				   struct err *e);

/* The URL of a remote, owned by the caller; NULL when there is none. */
_must_check_ char *base_remote_url(struct repo *r, const char *remote);
