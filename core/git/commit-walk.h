// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Going through commits with their messages. */
#include <stdbool.h>
#include <stdint.h>

#include "core/git/repo.h"

/* A commit read once. Strings owned by the struct; bytes are as in the repository. */
struct commit_text {
	struct oid oid;
	struct oid *parents;
	size_t nr_parents;
	char *subject; /* first paragraph as one line, "" when there is none */
	char *author;  /* "Name <address>" */
	char *message;
	int64_t authored, date; /* author's and committer's time */
};
void commit_text_release(struct commit_text *c);
#define _cleanup_commit_text_ _cleanup_(commit_text_release)

/* 1 and the commit, 0 when the repository lacks it. */
_must_check_ int commit_text_read(struct repo *r, const struct oid *oid,
				  struct commit_text *ret, struct err *e);

/*
 * The first parents of tip, newest first and tip included, down to one that stop() says 1
 * of (negative is an error), which is *ret_end and not part of it; *ret_end is none where
 * history ends. Array owned by the caller.
 */
struct commit_stop {
	int (*stop)(void *ctx, const struct oid *oid, struct err *e);
	void *ctx;
};
_must_check_ int commit_line(struct repo *r, const struct oid *tip,
			     const struct commit_stop *stop, struct oid **ret,
			     size_t *ret_nr, struct oid *ret_end, struct err *e);

/*
 * Call found() for tip and what is reachable from it, each once, but for commits stop()
 * says 1 of and what only they lead to. stop() must know what was found before.
 * missing() is called for parents that the repository lacks. The tip is found last.
 */
struct commit_walk {
	struct commit_stop stop;
	int (*found)(void *ctx, const struct commit_text *c, struct err *e);
	void (*missing)(void *ctx, const struct oid *oid);
};
_must_check_ int commit_walk(struct repo *r, const struct oid *tip,
			     const struct commit_walk *w, struct err *e);

/* 1 when a is b or an ancestor of it, 0 when not or when one is not there. */
_must_check_ int commit_is_ancestor(struct repo *r, const struct oid *a,
				    const struct oid *b, struct err *e);

/* Digest of where the history of the repository was cut off; none for a whole clone. */
void commit_shallow_digest(struct repo *r, struct oid *ret);
