// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files behind range-diff.h share. */
#include "core/git/range-diff.h"

/*
 * Lines of the diff from old to new plus its hunks: what a pair costs. Both are C
 * strings. ASSIGN_COST_MAX when there is no telling.
 */
int range_cost(const char *old, const char *new);

/* The line's bytes up to the first that is no UTF-8, as git shortens hunk headings. */
size_t range_utf8_prefix(const char *s, size_t n);

/* A line of a commit message as git log indents it: tabs become blanks up to a multiple
 * of eight columns, blanks at the end go. */
void range_message_line(const char *s, size_t n, struct buf *ret);

/* Author and message; message may have any blank lines around it. */
void range_head(const char *name, const char *email, const char *message,
		struct buf *ret);

/* The first paragraph on one line; owned by the caller. */
_must_check_ char *range_subject(const char *message);

/* " ## FILE ##" and its line feeds, and the heading of a hunk. A NULL name is absent. */
struct range_file {
	const char *old_name, *new_name;
	unsigned int old_mode, new_mode;
	bool is_new, is_delete, is_rename;
};
void range_file(const struct range_file *f, struct buf *ret);
void range_hunk(const struct range_file *f, const char *heading, size_t n,
		struct buf *ret);

/* A line of a hunk: marker and bytes without line feed. */
void range_line(char marker, const char *s, size_t n, struct buf *ret);

/* Put text into a patch of the range: what is behind diff_at are the files. */
struct range_patch *range_add(struct range *r, struct buf *text, size_t diff_at);
