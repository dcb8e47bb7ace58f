// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A message as lines, each with a first guess of what it is. */
#include "bench/claims/span.h"

enum line_kind {
	LINE_BLANK,
	LINE_RULE, /* "+---+===+", "-----", "|:--|--:|" */
	LINE_ROW,  /* has a pipe */
	LINE_TEXT,
	LINE_SKIP, /* quoted from another mail, a trailer with a title, or longer than a
		      person writes */
};

struct line {
	struct span s;
	enum line_kind kind;
	bool used; /* a table has made claims of it, or it is a list of changes: no prose
		    */
};

struct lines {
	struct line *v;
	size_t nr;
};

/* Lines up to the diff or the signature, borrowed from text; at most some thousands. */
void lines_split(const char *text, struct lines *ret);
void lines_release(struct lines *l);

/* Mark the lists of what changed since an earlier revision as used. */
void lines_mark_changelog(struct lines *l);
