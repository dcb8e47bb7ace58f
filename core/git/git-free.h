// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scope cleanup for libgit2's objects. */
#include "core/base/base.h"

#define GIT_FREE(type)                               \
	struct git_##type;                           \
	void git_##type##_free(struct git_##type *); \
	DEFINE_FREEP(git_##type##_free, struct git_##type *)

GIT_FREE(commit)
GIT_FREE(tree)
GIT_FREE(tree_entry)
GIT_FREE(blob)
GIT_FREE(object)
GIT_FREE(reference)
GIT_FREE(diff)
GIT_FREE(odb)

#define _cleanup_commit_ _cleanup_(git_commit_freep)
#define _cleanup_tree_ _cleanup_(git_tree_freep)
#define _cleanup_entry_ _cleanup_(git_tree_entry_freep)
#define _cleanup_blob_ _cleanup_(git_blob_freep)
#define _cleanup_object_ _cleanup_(git_object_freep)
#define _cleanup_reference_ _cleanup_(git_reference_freep)
#define _cleanup_gitdiff_ _cleanup_(git_diff_freep)
#define _cleanup_odb_ _cleanup_(git_odb_freep)
