// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Applying as apply and triage do it: who commits, which ref. */
#include "core/git/apply.h"

struct ctx;

/*
 * The ref of a series on a commit: refs/kiln/SLUG/vREVISION/BASE, BASE being twelve digits
 * of the commit's id. One ref for all patches, so that it is there or not; one for each
 * base, so that a series may be put on many at the same time and none takes another's
 * place. Owned by the caller.
 */
_must_check_ char *cli_ref(const struct series *s, const struct oid *onto);

/* The ref of what the series needs, put on that commit: .../vREVISION-base/BASE. */
_must_check_ char *cli_needed_ref(const struct series *s, const struct oid *onto);

/*
 * How a series is applied: by the rules of the command line. The committer is
 * GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL, else user.name and user.email, else kiln;
 * its date is the author's, so that a series has the same ids whenever it is applied.
 */
struct cli_apply_opts {
	struct apply_opts apply; /* its strings are those below */
	char *name, *email;
};
void cli_apply_opts_fill(struct ctx *c, struct cli_apply_opts *ret);
void cli_apply_release(struct cli_apply_opts *o);

/* Apply to a commit; the ref is that of cli_ref(). Returns and *ret as apply_series(). */
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
