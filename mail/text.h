// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Text as mails carry it: lines, character sets, and what may be shown of it. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

/* One line without its line feed, borrowed from the text it was taken from. */
struct line {
	const char *p;
	size_t len;
	bool ended; /* a line feed followed */
};

/* Take the line at *at and move *at behind it; false at the end. */
bool line_next(const char **at, const char *end, struct line *ret);

/* Whether the line begins with the words of s, or is s; case counts. */
bool line_starts(const struct line *l, const char *s);
bool line_is(const struct line *l, const char *s);

/* As line_starts(), with ASCII letters of either case. */
bool line_starts_nocase(const struct line *l, const char *s);

/* Whether there is nothing but blanks. */
bool line_is_blank(const struct line *l);

/* Whether the bytes are well-formed UTF-8. */
bool text_is_utf8(const char *p, size_t len);

/*
 * Append len bytes of the named character set (NULL or unknown: UTF-8 if they are that,
 * else ISO-8859-1) as UTF-8. A character set that lies costs the wrong characters, never
 * the text. NUL bytes are dropped.
 */
void text_to_utf8(const char *p, size_t len, const char *charset, struct buf *ret);

/*
 * A copy fit for one line of output: well-formed UTF-8, runs of blanks and line ends one
 * blank, other control characters '?', no blanks at either end. Owned by the caller.
 */
_must_check_ char *text_clean(const char *p, size_t len);

/* Remove blanks at both ends in place; returns s. */
char *text_trim(char *s);

/* Runs of white space to one blank each, in place; returns s. */
char *text_squeeze(char *s);

/* Where needle, in ASCII letters of either case, begins in the bytes; NULL when nowhere.
 */
const char *text_find_nocase(const char *p, size_t len, const char *needle);
