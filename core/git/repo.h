// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A git repository, read and written through its object database and refs/kiln/ only. The
 * user's branches, index and worktree are never touched.
 */
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/oid.h"
#include "core/base/strv.h"

struct repo;

/* Open the repository at or above path; bare ones and worktrees too. ERR_NO_TREE
 * otherwise. */
_must_check_ int repo_open(const char *path, struct repo **ret, struct err *e);

/* Absolute path of the git directory all worktrees share; borrowed. Identity of the
 * repository. */
const char *repo_common_dir(const struct repo *r);

/* Resolve any revision git understands to a commit. ERR_UNKNOWN_REV names rev. */
_must_check_ int repo_resolve(struct repo *r, const char *rev, struct oid *ret,
			      struct err *e);

/* What is known of a commit. Strings owned by the struct. */
struct commit_info {
	struct oid oid, tree;
	struct oid *parents;
	size_t nr_parents;
	char *subject, *author;
	int64_t time; /* committer time */
};
_must_check_ int repo_commit(struct repo *r, const struct oid *oid,
			     struct commit_info *ret, struct err *e);
void commit_info_release(struct commit_info *c);

/*
 * Commits reachable from bad and not from good, oldest first in topological order;
 * first_parent follows only first parents. ERR_USAGE when good is no ancestor of bad.
 * Array owned by the caller (free()).
 */
_must_check_ int repo_range(struct repo *r, const struct oid *good, const struct oid *bad,
			    bool first_parent, struct oid **ret, size_t *ret_nr,
			    struct err *e);

/* Contents of PATH in a commit's tree; ERR_NO_FILE when absent. */
_must_check_ int repo_read_file(struct repo *r, const struct oid *commit,
				const char *path, struct buf *ret, struct err *e);

/*
 * Objects made by apply_series() stay in memory, readable through r alone, until they are
 * flushed into a pack of their own. gc cannot take them away before repo_free(), so a ref
 * may be written at leisure. Nothing to flush is success.
 */
_must_check_ int repo_flush(struct repo *r, struct err *e);

/* Forget what was made and not flushed, as after a series that was only tried. */
void repo_discard(struct repo *r);

/*
 * Point a ref below refs/kiln/ at a commit, with a reflog entry, after repo_flush(). Safe
 * beside git: the ref is locked and must still have the value read before. *ret_old is what it was, may be
 * NULL. ERR_INTERNAL for a ref elsewhere.
 */
_must_check_ int repo_write_ref(struct repo *r, const char *name,
				const struct oid *commit, const char *message,
				struct oid *ret_old, struct err *e);

/* user.name and user.email of the repository's settings, owned by the caller, NULL when
 * unset. */
void repo_identity(struct repo *r, char **ret_name, char **ret_email);

/* SHA-1 of bytes as git hashes a blob: kiln's content digest for cache keys. */
void repo_digest(const void *data, size_t len, struct oid *ret);

void repo_free(struct repo *r);
DEFINE_FREEP(repo_free, struct repo *)
#define _cleanup_repo_ _cleanup_(repo_freep)
