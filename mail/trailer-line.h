// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reading trailers line by line: of a commit message, and of a reply with its
 * surroundings. */
#include <stdbool.h>
#include <stddef.h>

#include "mail/mime.h"
#include "mail/text.h"

struct trailer_text {
	char *key, *value; /* owned by who took it */
	bool in_sentence;  /* of a reply: not at the start of its line */
};

/* Bytes of the key when the line is "Key: value" or "Key:", 0 when it is something else.
 */
size_t trailer_key_len(const struct line *l);

/* The next trailer of a block with its continuation lines joined; false at the end. */
bool trailer_next(const char **at, const char *end, struct trailer_text *ret);

/* "...-by": names a person. Reviewed-, Acked- and Tested-by: what a reviewer gives. */
bool trailer_is_person(const char *key);
bool trailer_is_review(const char *key);

void trailer_text_release(struct trailer_text *t);

/* A reply while its trailers are read. */
struct reply_state {
	const char *at, *end;
	bool has_patch;	  /* the reply carries a patch of its own */
	bool bot;	  /* the sender is a machine */
	bool advice;	  /* the trailer last returned is a suggestion for the author */
	bool condition;	  /* ... is given only if something is changed */
	struct buf above; /* own text directly above */
};

/* Start reading; borrows the mail. */
void reply_start(struct reply_state *r, const struct mail *reply);

/*
 * The next trailer in the sender's own words: quoted text, the signature behind "-- " and
 * a diff are skipped. False at the end, when the state is released.
 */
bool reply_next(struct reply_state *r, struct trailer_text *ret);
