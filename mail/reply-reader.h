// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The trailers in the text of a reply, each with what surrounds it. */
#include <stdbool.h>

#include "mail/mime.h"
#include "mail/trailer-line.h"

/* Where in the text a trailer stands. */
enum found_place {
	FOUND_BLOCK,	 /* in a paragraph of trailers only */
	FOUND_LINE,	 /* a line of its own among other text */
	FOUND_SENTENCE,	 /* inside a line */
	FOUND_QUOTE,	 /* in quoted text */
	FOUND_SIGNATURE, /* behind the signature mark */
};

struct found_trailer {
	struct trailer_text text; /* owned by who took it */
	enum found_place place;
	char *condition; /* own words that make it depend on something, or NULL. Owned. */
	char *scope;	 /* own words that limit it to some patches, or NULL. Owned. */
	bool advice;	 /* the words above ask the author to add it */
};

struct reply_reader {
	const char *at, *end;
	const char *paragraph; /* end of the paragraph that was looked at */
	bool block;	       /* and whether it holds trailers only */
	bool signature;
	struct buf above; /* own words in front, the last of them */
};

/* Start at the mail's text, which is borrowed. */
void reply_reader_init(struct reply_reader *r, const struct mail *reply);

/* The next trailer that names a person, a commit that is fixed or an address, up to the
 * first diff; false at the end. */
bool reply_reader_next(struct reply_reader *r, struct found_trailer *ret);

void found_trailer_release(struct found_trailer *f);
void reply_reader_release(struct reply_reader *r);
