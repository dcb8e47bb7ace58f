// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The source tree kiln owns for a repository, with the output folder of its builds. A git
 * directory of kiln's own borrows the repository's objects, so neither the user's index,
 * HEAD and hooks nor the user's filters and line-ending settings play a part, and file
 * contents are exactly the blobs.
 */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/oid.h"

struct worktree {
	char *root, *git, *src, *out;
	char *log;	/* of the build under way, or of the last one */
	char *modules;	/* of the build under way, copied out of reach of its programs */
	char *warnings; /* of the objects in out (warnings.h) */
	char *linked;	/* exists while out holds the objects of a kernel that was linked,
			   or of later trees with the same Makefiles */
	char *state;	/* what the configuration in out was made from */
	char *dirty;	/* exists while make may be writing into out */
	int lock;
};

/*
 * Open or create the one under <cache>/worktrees/ for a repository, named by its common
 * directory, and lock it; waits up to timeout_ms for another kiln. An output folder left
 * by a build that was killed is emptied: it may hold half-written objects that make takes
 * for finished. Each variant (NULL = the usual one) has an output folder of its own.
 */
_must_check_ int worktree_open(const char *common_dir, const char *variant,
			       int timeout_ms, struct worktree **ret, struct err *e);

/* Bring src to a tree, touching only files that differ. */
_must_check_ int worktree_checkout(struct worktree *w, const struct oid *tree,
				   struct err *e);

/* Paths that differ between two trees, each ended by a NUL byte. */
_must_check_ int worktree_changed(struct worktree *w, const struct oid *a,
				  const struct oid *b, struct buf *ret, struct err *e);

/* Whether some Kconfig file of the tree defines a symbol ("CONFIG_X"). */
_must_check_ int worktree_has_symbol(struct worktree *w, const struct oid *tree,
				     const char *symbol, bool *ret, struct err *e);

/* Empty the output folder. */
_must_check_ int worktree_reset_out(struct worktree *w, struct err *e);

/* Whether a file, by its name without folders, says which objects are made. */
bool worktree_is_makefile(const char *name);

/*
 * Around make: what happens between these two must not be trusted if kiln dies there.
 * Nothing is linked until worktree_linked() says so.
 */
_must_check_ int worktree_make_begins(struct worktree *w, struct err *e);
_must_check_ int worktree_linked(struct worktree *w, struct err *e);
void worktree_make_ended(struct worktree *w);

/*
 * Open a regular file below out for reading; its path may hold no symbolic links, as the
 * folder was written by untrusted programs. ERR_NO_FILE when absent.
 */
_must_check_ int worktree_open_out(struct worktree *w, const char *path, int *ret_fd,
				   struct err *e);

void worktree_free(struct worktree *w);
DEFINE_FREEP(worktree_free, struct worktree *)
#define _cleanup_worktree_ _cleanup_(worktree_freep)
