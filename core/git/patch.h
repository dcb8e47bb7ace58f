// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The diff of one mail, parsed by git-apply's rules. All pointers into text are borrowed
 * from the bytes given to diff_parse().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/strv.h"

struct diff;

/*
 * Parse the file diffs in text; bytes before, between and behind them (mail text, a
 * signature) are skipped as git does. ERR_BAD_PATCH names the line; ERR_UNSAFE_PATH the
 * path (outside the tree, .git, absolute).
 */
_must_check_ int diff_parse(const char *text, size_t len, struct diff **ret,
			    struct err *e);

/* The same with git apply's options; rules NULL is diff_parse(). */
struct apply_rules;
_must_check_ int diff_parse_rules(const char *text, size_t len,
				  const struct apply_rules *rules, struct diff **ret,
				  struct err *e);

/* The paths the diff touches, in order, each once (both sides of a rename). */
void diff_paths(const struct diff *d, struct strv *ret);

/* git patch-id --stable as 40 hex digits, owned by the caller; NULL when there is no
 * hunk. */
_must_check_ char *diff_patch_id(const struct diff *d);

void diff_free(struct diff *d);
DEFINE_FREEP(diff_free, struct diff *)
#define _cleanup_diff_ _cleanup_(diff_freep)
