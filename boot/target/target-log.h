// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What kiln remembers of a target between runs: that it did not come back. */
#include "boot/target/target.h"
#include "core/base/err.h"

/* Remember it, with the last words of its console (may be NULL). */
_must_check_ int target_log_away(const struct target *t, const char *last, struct err *e);

/* It was seen again. */
void target_log_back(const struct target *t);

/* "since 2026-05-04T12:00:00Z, last console line: '...'", owned; NULL: nothing is wrong.
 */
_must_check_ char *target_log_read(const struct target *t);

/* One user of a target at a time: a lock that lasts as long as the descriptor. ERR_POLICY
 * when another kiln of this user works on it. */
_must_check_ int target_log_lock(const struct target *t, int *ret_fd, struct err *e);
