// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The commit a series goes on, looked for as a person would, and the reason for it. */
#include "core/base/progress.h"
#include "core/git/prereq.h"

/* First parents looked at on each branch unless the caller says otherwise. */
#define BASE_DEPTH 20000

struct base_opts {
	const char
		*branches; /* globs, comma-separated; NULL = HEAD, branches, new tags */
	size_t depth;	   /* first parents a branch; 0 = BASE_DEPTH */
	const struct apply_opts *apply; /* how the series will be applied; may be NULL */
	const struct prereq_source *source; /* may be NULL */
	const struct progress *progress;    /* may be NULL */
};

/*
 * The constant for a method's name, NULL for any other text: "given" by the caller,
 * "base-commit", "hint" (a commit in the text), "subject", "maintainers", "blobs",
 * "newest", "none".
 */
const char *base_method_of(const char *name);

struct base_choice {
	const char *method; /* one of base_method_of() */
	char *rev;	    /* what to call it: "v6.1", "origin/next~12" */
	char *reason;	    /* one line */
	struct oid oid;
	bool applies;	   /* all of it, tried */
	struct strv notes; /* what was tried before, what could not be searched; one line
			       each */
	struct prereqs prereqs;
	size_t trials;
};

/*
 * Choose. Every commit named was tried with the whole series on it; when none of those
 * tried takes it, applies is false and the choice is the one with the best claim:
 * the stated base-commit, else HEAD. Errors are those of reading the repository.
 */
_must_check_ int base_choose(struct repo *r, const struct series *s,
			     const struct base_opts *o, struct base_choice *ret,
			     struct err *e);

/*
 * The same without what the mails state and without prerequisites: a commit of the
 * branches and tags that takes the series as it is. Method "none" when none does.
 */
_must_check_ int base_nearest(struct repo *r, const struct series *s,
			      const struct base_opts *o, struct base_choice *ret,
			      struct err *e);
void base_choice_release(struct base_choice *c);
