// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reading what people write in commit messages, word by word. */
#include <stdbool.h>

#include "core/base/base.h"

/* Digits of a commit id that messages name. */
#define WORDS_MIN_HEX 7
#define WORDS_MAX_HEX 64

/* White space, as isspace() has it. */
bool words_blank(char c);

/* Move *p over a word with blanks around it, in letters of either case. */
bool words_skip(const char **p, const char *word);

/* Move *p over a commit id and blanks; NULL when there is none. Owned, lower case. */
_must_check_ char *words_hash(const char **p);

/* The sentence that begins at p, over line ends up to a blank line; at most 500 bytes.
 * Owned by the caller. */
_must_check_ char *words_sentence(const char *p);
