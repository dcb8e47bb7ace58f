// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What stands in the brackets of a subject: "[RFC PATCH net-next v3 2/7] title". */
#include <stdbool.h>

#include "core/base/strv.h"

struct subject {
	bool reply; /* "Re:", "AW:", "Fwd:" and the like */
	bool patch; /* the word PATCH, or a counter, or a revision */
	bool rfc, resend;
	bool pull;	  /* "[GIT PULL]" */
	int revision;	  /* 0 when not given */
	int subrevision;  /* 1 for "v5.1" */
	bool counted;	  /* number/total were given */
	int number;	  /* 0 for a cover letter */
	int total;	  /* 0 when unknown, as in "x/n" */
	struct strv tags; /* all other words: "net-next", "6.6", "tip" */
	char *title;	  /* without leading brackets and "Re:", as git am makes it */
};

/* Parse a decoded, unfolded subject; any text is accepted. */
void subject_parse(const char *text, struct subject *ret);

/* The kernel version among the tags ("6.6", "5.10.y"), NULL when there is none. */
const char *subject_version(const struct subject *s);

/*
 * The title alone, by the rules of git am: "Re:", blanks, colons and leading [brackets]
 * removed, blanks squeezed. Owned by the caller.
 */
_must_check_ char *subject_title(const char *text);

void subject_release(struct subject *s);
#define _cleanup_subject_ _cleanup_(subject_release)
