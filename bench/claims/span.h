// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A piece of a text that somebody else owns; not NUL-terminated. */
#include <stdbool.h>
#include <stddef.h>

struct span {
	const char *p;
	size_t n;
};

#define SPAN_NONE       \
	(struct span)   \
	{               \
		NULL, 0 \
	}

/* Without blanks at both ends; from the n-th byte on. */
struct span span_trim(struct span s);
struct span span_skip(struct span s, size_t n);

/* Whether s is, starts with, or contains word; ASCII case is ignored. */
bool span_is(struct span s, const char *word);
bool span_starts(struct span s, const char *word);
bool span_has(struct span s, const char *word);

/* Whether s is one of a NULL-terminated list. */
bool span_in(struct span s, const char *const *words);

/* Take the next word off *s: letters, digits, '_', and '%' as a word of its own. "w/o"
 * and "w/" are words. False at the end. */
bool span_word(struct span *s, struct span *ret);

/* Whether one of the words of s is in a NULL-terminated list. */
bool span_any(struct span s, const char *const *words);

/* A copy with runs of blanks made one blank, at most max bytes; owned by the caller. */
char *span_dup(struct span s, size_t max);
