// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files of core/git share about libgit2: the handle, ids, errors. */
#include "core/git/repo.h"

struct git_oid;
struct git_repository;
struct objects;

struct repo {
	struct git_repository *git;
	char *common_dir;
	struct objects *objects;
	int abbrev; /* digits of a short id, 0 = not asked for yet */
};

/*
 * Set e from libgit2's last error behind the formatted text. ERR_DISK_FULL when the
 * filesystem has no room, else code.
 */
int git_fail(struct err *e, enum err_code code, const char *fmt, ...) _printf_(3, 4);

/* Our id from libgit2's, and back; false when the text is not 40 hex digits. */
struct oid oid_from_git(const struct git_oid *id);
_must_check_ bool oid_to_git(const struct oid *o, struct git_oid *ret);
