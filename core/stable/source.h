// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * C as a reader of patches sees it: lines, words, functions. No preprocessor, no types: a
 * guess that is right for code laid out as the kernel's is.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/strv.h"

/* A word of a line, and how it stands there. Borrowed. */
struct source_word {
	const char *p;
	size_t len;
	bool call;     /* "word(" */
	bool member;   /* "->word", ".word" */
	bool declared; /* the line declares or defines it */
};

/* Whether the path is C or assembler. */
bool source_is_c(const char *path);

/*
 * The next word of the line that is an identifier outside of comments and strings; *at is
 * moved behind it. false at the end.
 */
bool source_next_word(const char **at, const char *line, const char *end,
		      struct source_word *ret);

/*
 * The text of a function or macro: from the line with its name to its last line. false
 * when the file defines none of that name.
 */
bool source_function(const struct buf *file, const char *name, size_t len,
		     struct buf *ret);

/* Append the paths a file includes that a kernel tree would have, as far as names tell
 * (include/..., the file's own folder, arch/ARCH/include/...). At most 64. */
void source_includes(const char *path, const struct buf *file, struct strv *ret);

/* Whether the bytes have the word, not as part of another. */
bool source_has_word(const struct buf *text, const char *word, size_t len);
