// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a worktree with a conflict knows of its series. */
#include "core/git/apply.h"
#include "core/git/conflict-tree.h"

struct json_t;

struct resolve_state {
	struct oid onto, head;
	char *ref;
	int next;		/* number of the patch that stopped */
	bool laid;		/* its conflict is in the worktree, whole */
	struct strv paths;	/* the conflicting ones */
	struct json_t *commits; /* array, as of `kiln apply --json` */
};
void resolve_state_release(struct resolve_state *s);
#define _cleanup_resolve_state_ _cleanup_(resolve_state_release)

/* Keep the series, once; keep the state, replacing the old one whole or not at all. */
_must_check_ int resolve_save_series(const struct conflict_tree *t,
				     const struct series *s, struct err *e);
_must_check_ int resolve_save(const struct conflict_tree *t,
			      const struct resolve_state *s, struct err *e);

/* Read both. ERR_NOT_FOUND when kiln keeps nothing there. */
_must_check_ int resolve_load(const struct conflict_tree *t, struct resolve_state *ret,
			      struct series **ret_series, struct err *e);

/* Take over what stopped: head, number, paths. */
void resolve_stopped(struct resolve_state *s, const struct apply_result *a);
