// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A series that stopped, continued by hand in a worktree: kiln apply --resolve, --continue,
 * --abort. What has to be known lies with the worktree, so a kill at any point leaves a
 * state that --continue goes on from.
 */
#include "cli/cmd.h"

struct apply_result;
struct oid;
struct series;

/*
 * Make a worktree at dir of what stopped the series: a->failed on a->head. The commits so
 * far and the series are kept there, ref being what the whole series is to get.
 */
_must_check_ int resolve_start(struct ctx *c, const struct series *s,
			       const struct apply_result *a, const char *dir,
			       struct err *e);

/*
 * Make the patch's commit of what the user made of it and go on with the rest. Prints what
 * `kiln apply` prints; 1 when the next patch stops in the same worktree. The rules and
 * 3-way merging are those of c.
 */
int resolve_continue(struct ctx *c, const char *dir, struct err *e);

/* Remove the worktree and what it kept. */
_must_check_ int resolve_abort(struct ctx *c, const char *dir, struct err *e);
