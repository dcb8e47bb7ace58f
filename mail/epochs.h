// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Archives on this machine: a folder with public-inbox git repositories in it, and the
 * index kiln keeps of them in its cache.
 */
#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/strv.h"

struct mail_index;

/*
 * Append the repositories of an archive, relative to path ("." for itself), epochs in the
 * order of their numbers. path is one repository, an inbox with its git/ folder, an
 * all.git in one, that git/ folder, or a mirror of several inboxes. Nothing when it is
 * none of these.
 */
void epochs_find(const char *path, struct strv *ret);

/*
 * The index of the archive, brought up to date with its repositories. What was indexed
 * stays when it is interrupted; an epoch whose history was rewritten is indexed anew, a
 * damaged index too. Another kiln doing the same is waited for.
 */
_must_check_ int epochs_index(const char *path, const struct progress *progress,
			      struct mail_index **ret, struct err *e);

/* Where that index is; owned by the caller. */
_must_check_ char *epochs_index_path(const char *path);
