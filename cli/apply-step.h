// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Applying as apply and triage do it: which base, who commits, which ref. */
#include "core/base/err.h"

struct apply_result;
struct ctx;
struct oid;
struct series;

/*
 * The commit a series goes on. onto wins; base "auto" is the series' base-commit when the
 * repository has it, else HEAD, and says which on standard error; another base is taken
 * as onto. All NULL: HEAD. ERR_UNKNOWN_REV; ERR_USAGE when both are given.
 */
_must_check_ int cli_base(struct ctx *c, const struct series *s, const char *onto,
			  const char *base, struct oid *ret, struct err *e);

/*
 * The ref of a series on a commit: refs/kiln/SLUG/vREVISION/BASE, BASE being twelve digits
 * of the commit's id. One ref for all patches, so that it is there or not; one for each
 * base, so that a series may be put on many at the same time and none takes another's
 * place. Owned by the caller.
 */
_must_check_ char *cli_ref(const struct series *s, const struct oid *onto);

/*
 * Apply to a commit; the ref is that of cli_ref(). The committer is
 * GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL, else user.name and user.email, else kiln;
 * its date is the author's, so that a series has the same ids whenever it is applied.
 * Returns and *ret as apply_series().
 */
_must_check_ int cli_apply_to(struct ctx *c, const struct series *s,
			      const struct oid *onto, struct apply_result **ret,
			      struct err *e);

/* The same commits without a ref: they are gone with c->repo unless it is flushed. */
_must_check_ int cli_commits(struct ctx *c, const struct series *s,
			     const struct oid *onto, struct apply_result **ret,
			     struct err *e);

/* The same, resolved being what was made of the first patch by hand, or NULL. */
_must_check_ int cli_commits_from(struct ctx *c, const struct series *s,
				  const struct oid *onto, const struct oid *resolved,
				  struct apply_result **ret, struct err *e);

/* Both in one, for a revision or NULL. */
_must_check_ int cli_apply(struct ctx *c, const struct series *s, const char *onto,
			   struct apply_result **ret, struct err *e);
