// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The patch-ids of a repository's commits, kept because each costs a diff. A fact about an
 * id is never wrong, so branches share them. */
#include "core/base/err.h"
#include "core/base/oid.h"

struct patch_ids;

/* Open or create; a damaged file is made anew. */
_must_check_ int patch_ids_open(const char *path, struct patch_ids **ret, struct err *e);
void patch_ids_free(struct patch_ids *p);
DEFINE_FREEP(patch_ids_free, struct patch_ids *)
#define _cleanup_patch_ids_ _cleanup_(patch_ids_freep)

/* 1 and the patch-id, owned by the caller, NULL for a commit without; 0 when not known. */
_must_check_ int patch_ids_get(struct patch_ids *p, const struct oid *commit, char **ret,
			       struct err *e);

/* Keep one; patch_id may be NULL. What is kept already stays. */
_must_check_ int patch_ids_add(struct patch_ids *p, const struct oid *commit,
			       const char *patch_id, struct err *e);

/* Around many of patch_ids_add(), which makes them fast. */
_must_check_ int patch_ids_begin(struct patch_ids *p, struct err *e);
_must_check_ int patch_ids_end(struct patch_ids *p, struct err *e);
void patch_ids_rollback(struct patch_ids *p);
