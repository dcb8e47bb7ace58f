// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The kernel cache kept at its size, without what a kiln that runs has built. */
#include "boot/build/cache-trim.h"

struct store;

/*
 * Trim to so many MiB. Kernels of the store's runs that a process works on stay; so do, for
 * an hour, those of kilns with another store and the same cache.
 */
_must_check_ int cache_room(struct store *s, uint64_t mib, struct cache_trimmed *ret,
			    struct err *e);
