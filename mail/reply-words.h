// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the words around a trailer make of it. English phrases; a phrase that is not known
 * here costs a trailer taken in good faith, one that is known wrongly costs a trailer
 * shown and not taken.
 */
#include <stdbool.h>

#include "core/base/base.h"
#include "mail/mime.h"
#include "mail/text.h"

/*
 * The sentence of the last two above that makes the trailer depend on a change ("with the
 * nit fixed:", "if you drop this"), NULL when there is none. Owned.
 */
_must_check_ char *words_condition(const char *above);

/* The same of words behind the trailer, which count where they begin with a condition. */
bool words_condition_behind(const struct line *next);

/* The sentence of the last above that limits the trailer to some patches ("For patches
 * 1-2:"), NULL when there is none. Owned. */
_must_check_ char *words_scope(const char *above);

/* Whether the words tell the author which trailers to add to a fix. */
bool words_advice(const char *above);

/* Whether the sender is a machine. */
bool words_is_robot(const struct mail *m);
