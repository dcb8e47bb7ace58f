// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Bytes of any length that can be read at any place: a file where it lies, or what came
 * through a pipe. Such bytes stay in memory while they are few and go to an unlinked
 * file in $TMPDIR when they become many, so that a large mailbox never fills memory.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct spool {
	int fd; /* -1 while the bytes are in mem */
	struct buf mem;
	uint64_t len;
	bool seekable; /* only false for a pipe, which spool_read() cannot read */
};

#define SPOOL_INIT                         \
	{                                  \
		.fd = -1, .seekable = true \
	}

/* Use a file in place, at the length it has now; a pipe is opened only. */
_must_check_ int spool_open(const char *path, struct spool *ret, struct err *e);

/* Append; not for a spool of spool_open(). ERR_IO, ERR_DISK_FULL. */
_must_check_ int spool_add(struct spool *s, const void *p, size_t n, struct err *e);

/*
 * Read exactly n bytes at an offset. ERR_IO too when they are not there (any more): the
 * program that owns a file may have cut it.
 */
_must_check_ int spool_read(const struct spool *s, uint64_t at, void *p, size_t n,
			    struct err *e);

void spool_release(struct spool *s);
#define _cleanup_spool_ _cleanup_(spool_release)
