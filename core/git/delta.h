// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* git's deltas: sizes, then copies from an old text and insertions (gitformat-pack(5)). */
#include <stdbool.h>

#include "core/base/buf.h"

/* Sizes up to this are taken from a delta that came by mail. */
#define DELTA_MAX_SIZE (256UL << 20)

/* Append old with the delta put on it; false when it does not fit old or is broken. */
_must_check_ bool delta_apply(const struct buf *delta, const struct buf *old,
			      struct buf *ret);

/*
 * Append a delta that makes data of old. It finds what edits leave alone: equal ends and,
 * where both have one size, equal stretches between. Not for texts that were moved.
 */
void delta_make(const struct buf *old, const struct buf *data, struct buf *ret);
