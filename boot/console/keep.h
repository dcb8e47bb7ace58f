// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A console on disk: all its bytes in PATH, and when they came in PATH.times, a line
 *
 *	OFFSET MONOTONIC_MS EPOCH_MS [MARK]
 *
 * for what was read at about one time and for each mark. A kernel in a loop of messages
 * must not fill the disk: of more than KEEP_MAX bytes only the last KEEP_TAIL are kept.
 */
#include <stddef.h>

#include "core/base/err.h"

#define KEEP_MAX ((size_t)64 << 20)
#define KEEP_TAIL ((size_t)64 << 10)

struct keep;

/* Replaces both files. */
_must_check_ int keep_open(const char *path, struct keep **ret, struct err *e);

/* Goes on with both files, as a kiln before this one left them. */
_must_check_ int keep_reopen(const char *path, struct keep **ret, struct err *e);

/* ERR_DISK_FULL and its like. */
_must_check_ int keep_write(struct keep *k, const char *data, size_t len, struct err *e);

/* Say in the times what happens here: "attempt TOKEN", "jump". */
_must_check_ int keep_mark(struct keep *k, const char *what, struct err *e);

/* Writes the tail of what was too long. */
void keep_free(struct keep *k);
DEFINE_FREEP(keep_free, struct keep *)
#define _cleanup_keep_ _cleanup_(keep_freep)

/*
 * The last line of a kept console that says something, as plain ASCII; NULL when there
 * is none. Owned.
 */
_must_check_ char *keep_last_line(const char *path);
