// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The kernel cache kept within a size: what was not used for longest goes first. */
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/strv.h"

struct cache_trimmed {
	size_t entries, removed; /* entries: that are left */
	uint64_t bytes, freed;	 /* likewise */
};

/*
 * Remove entries until what is left has no more than limit bytes. Those whose key is in
 * keep stay whatever their size, and so do those used within the last hour: a kiln that
 * has just found one may not have said so yet. Entries without a sound meta count as
 * never used. Waits for another one that trims.
 */
_must_check_ int cache_trim(uint64_t limit, const struct strv *keep,
			    struct cache_trimmed *ret, struct err *e);
