// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Commits kiln makes from others, to build them: objects on disk that no ref names. Author,
 * committer and dates are fixed, so the same question has the same commit id whenever it
 * is asked.
 */
#include "core/git/repo.h"

/*
 * The commit `from` with the file at path replaced by data, `from` being its parent.
 * ERR_NO_FILE when it has no such file.
 */
_must_check_ int derive_file(struct repo *r, const struct oid *from, const char *path,
			     const struct buf *data, struct oid *ret, struct err *e);

/*
 * The commit `from` with what `culprit` did (to its first parent) taken back, `from`
 * being its parent, merged as `git revert` merges. ERR_HUNK when that conflicts, or
 * leaves nothing to take back.
 */
_must_check_ int derive_revert(struct repo *r, const struct oid *from,
			       const struct oid *culprit, struct oid *ret, struct err *e);
