// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The form of trailers: "Key: value", wrapped lines, and the "[note]" line behind. */
#include <stdbool.h>
#include <stddef.h>

#include "mail/text.h"

struct trailer_text {
	char *key, *value; /* owned by who took it */
	char *ext;	   /* the line "[...]" that follows, NULL when none does */
};

/* Bytes of the key when the line is "Key: value" or "Key:", 0 when it is something else.
 */
size_t trailer_key_len(const struct line *l);

/* Whether the line is "[...]" and nothing else, at any indentation. */
bool trailer_is_ext(const struct line *l);

/*
 * Take the trailer that begins with line l (key is trailer_key_len() of it); *at, behind
 * l, moves over lines that continue it.
 */
void trailer_take(const char **at, const char *end, const struct line *l, size_t key,
		  struct trailer_text *ret);

/* The next trailer of a block; false at the end. */
bool trailer_next(const char **at, const char *end, struct trailer_text *ret);

/* "...-by": names a person. Reviewed-, Acked-, Tested- and Nacked-by: what a reviewer
 * gives. Link, BugLink and Closes: an address. */
bool trailer_is_person(const char *key);
bool trailer_is_review(const char *key);
bool trailer_is_link(const char *key);

void trailer_text_release(struct trailer_text *t);
