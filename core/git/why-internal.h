// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files that explain a failure share. */
#include "core/git/diff-internal.h"
#include "core/git/path-log.h"
#include "core/git/why.h"

/* More is not read on one screen. */
#define WHY_MAX_HUNKS 20
#define WHY_MAX_FILES 20
#define WHY_MAX_LINES 12

/* What all walks of one explanation may cost. */
#define WHY_COMMITS 20000
#define WHY_MS 5000

struct why_ctx {
	struct repo *r;
	const struct why_query *q;
	const struct patch *p;
	struct diff *d;
	struct oid onto; /* commit whose history tells */
	struct oid tree; /* what the patch was to go on */
	uint64_t deadline_ms;
	struct why *ret;
};

/* Whether the hunk would go on the text, wherever; reverse asks for its result. */
bool why_fits(const struct hunk *h, const struct buf *text, bool reverse);

/* Compare a hunk that does not fit with the text. */
void why_compare(const struct file_diff *f, size_t nr, const struct buf *text,
		 struct why_hunk *ret);

/* Whether a line, without its newline, is in the text. */
bool why_has_line(const struct buf *text, const char *line);

/* The file's bytes in a tree: 1, 0 when there is none, negative on error. */
int why_read(struct repo *r, const struct oid *tree, const char *path, struct buf *ret,
	     struct oid *ret_blob, struct err *e);

/* Find since when: commits of the hunks from first on, all of f. */
_must_check_ int why_since(struct why_ctx *c, const struct file_diff *f, size_t first,
			   struct err *e);

/* What became of a missing file; who made one that is in the way. */
_must_check_ int why_file_history(struct why_ctx *c, const struct file_diff *f,
				  struct why_file *ret, struct err *e);

/* Where the blob of the index line is. */
_must_check_ int why_blob(struct why_ctx *c, const struct file_diff *f,
			  const struct oid *have, struct why_file *ret, struct err *e);

void why_name_commit(struct why_ctx *c, const struct oid *oid, struct why_commit *ret);
