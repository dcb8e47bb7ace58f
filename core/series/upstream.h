// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a commit message in a stable tree says of the mainline commit it came from. Pure
 * text: whether such a commit exists, and is the same, is for the repository to say.
 * Spellings as Documentation/process/stable-kernel-rules.rst gives them and as the stable
 * trees have them, in letters of either case and at any indentation.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"

enum upstream_form {
	UPSTREAM_COMMIT,  /* commit SHA upstream. */
	UPSTREAM_BRACKET, /* [ Upstream commit SHA ] */
	UPSTREAM_PLAIN,	  /* Upstream commit SHA */
	UPSTREAM_PICK,	  /* (cherry picked from commit SHA) */
	UPSTREAM_REVERT,  /* This reverts commit SHA [which is commit SHA upstream]. */
	UPSTREAM_DEP_OF,  /* Stable-dep-of: SHA ("title"): needed by that commit */
	UPSTREAM_NONE,	  /* [no upstream commit], stable-only: there is none */
};

struct upstream_claim {
	enum upstream_form form;
	char *commit;	/* 7 to 64 hex digits, lower case; NULL when none is named */
	char *reverted; /* of a revert: the commit it takes back, as named; else NULL */
};

struct upstream_claims {
	struct upstream_claim *v; /* in the order of the text, each once */
	size_t nr;
};

#define UPSTREAM_CLAIMS_INIT \
	{                    \
		0            \
	}

/* Read a commit message, or the text of a whole mail up to its diff. */
void upstream_claims_read(const char *message, struct upstream_claims *ret);

/*
 * The claim that says which commit this is the backport of: the first that names one and
 * is neither a revert nor a dependency, else a revert with both commits; NULL without
 * any.
 */
const struct upstream_claim *upstream_claims_main(const struct upstream_claims *c);

/* "commit", "bracket", "plain", "cherry-pick", "revert", "dep-of", "none". */
const char *upstream_form_word(enum upstream_form form);

void upstream_claims_release(struct upstream_claims *c);
#define _cleanup_upstream_claims_ _cleanup_(upstream_claims_release)
