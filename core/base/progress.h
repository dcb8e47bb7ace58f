// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How long work below cli tells how far it is. cli draws a line on a terminal; a NULL
 * progress is silence. Calls come from the thread that does the work.
 */
#include <stdint.h>

struct progress {
	/* what: short phrase, borrowed; total 0 = unknown. */
	void (*update)(void *ctx, const char *what, uint64_t done, uint64_t total);
	void *ctx;
};

/* Report, or nothing when p is NULL. */
static inline void progress_update(const struct progress *p, const char *what,
				   uint64_t done, uint64_t total)
{
	if (p && p->update)
		p->update(p->ctx, what, done, total);
}
