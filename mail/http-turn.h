// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Turns with a server: one request at a time from this user, with a gap between two. */
#include <stdint.h>

#include "core/base/err.h"

/*
 * Wait for the turn with the server of url, at most until deadline_ms: ERR_TIMEOUT naming
 * the lock, ERR_INTERRUPTED. *ret_fd holds the turn; -1 where the cache folder cannot be
 * written, which is no failure. gap_ms is the least time since the last turn ended.
 */
_must_check_ int http_turn_take(const char *url, int gap_ms, uint64_t deadline_ms,
				int *ret_fd, struct err *e);

/* End the turn; a negative fd is none. */
void http_turn_end(int fd);

/* Sleep until then, in slices short enough that a signal is noticed at once. */
_must_check_ int http_wait(uint64_t until_ms, struct err *e);
