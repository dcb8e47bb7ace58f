// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A linked worktree in which somebody resolves conflicts: a real one, so that git status,
 * git add and git mergetool work there. Made and read by git's plumbing, with hooks, line
 * end conversion and what else a user's settings may do to a checkout turned off.
 */
#include "core/git/merge.h"
#include "core/git/repo.h"

struct conflict_tree {
	char *dir;     /* absolute */
	char *git_dir; /* its own, in the repository's worktrees/ */
};
void conflict_tree_release(struct conflict_tree *t);
#define _cleanup_conflict_tree_ _cleanup_(conflict_tree_release)

/* A new one without files, its HEAD detached at head, whose objects are on disk.
 * ERR_EXISTS when there is something at dir. */
_must_check_ int conflict_tree_add(struct repo *r, const char *dir,
				   const struct oid *head, struct conflict_tree *ret,
				   struct err *e);

/* The one at dir. ERR_NOT_FOUND when it is no linked worktree of the repository. */
_must_check_ int conflict_tree_open(struct repo *r, const char *dir,
				    struct conflict_tree *ret, struct err *e);

/*
 * Put head, the files of tree and the conflicts, as stages of the index, there; what was
 * there before goes, and so it may be done again after a kill.
 */
_must_check_ int conflict_tree_lay(const struct conflict_tree *t, const struct oid *head,
				   const struct oid *tree, const struct conflicts *c,
				   struct err *e);

/*
 * The tree of the index, the named paths taken from the files byte by byte. ERR_CONFLICT
 * names paths that are not resolved yet; ERR_USAGE when HEAD is not head any more.
 */
_must_check_ int conflict_tree_result(const struct conflict_tree *t,
				      const struct oid *head, const struct strv *paths,
				      struct oid *ret, struct err *e);

/* Remove the worktree and all git knows of it. */
_must_check_ int conflict_tree_remove(struct repo *r, const struct conflict_tree *t,
				      struct err *e);
