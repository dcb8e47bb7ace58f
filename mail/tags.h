// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lines for programs in covers and patches: base-commit, change-id, prerequisites. */
#include "core/base/buf.h"
#include "core/series/series.h"

/* The value of the first line "key: value" that begins with the key; NULL when none.
 * Owned. */
_must_check_ char *tag_value(const struct buf *text, const char *key);

/*
 * What one mail's text says of the series: change-id where s has none, base-commit (the
 * first one, and all as hints), prerequisites of every spelling, and hints in prose. A
 * value that cannot be what its key says becomes a note.
 */
void tags_collect(const struct buf *text, const char *message_id, struct series *s);
