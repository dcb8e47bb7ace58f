// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files that look things up in the upstream index share. */
#include "core/stable/lookup.h"
#include "core/store/line.h"

/* The row as a hit, which takes its strings. */
struct stable_hit *hits_add(struct stable_hits *h, struct line_row *row);
bool hits_have(const struct stable_hits *h, const struct oid *oid);

/* Fill in reverted_by. */
_must_check_ int hits_note_reverts(struct stable_index *ix, struct stable_hits *h,
				   struct err *e);

/* Digits of an id in lower case; false when hex is NULL, empty, no hex or too long. */
bool hex_normal(const char *hex, struct oid *ret);
