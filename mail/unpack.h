// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A file or pipe, maybe packed with gzip, bzip2, xz or zstd, as its unpacked bytes. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct spool;

/* Bytes that tell any packing from another. */
#define UNPACK_MAGIC 6

/* Whether the n bytes begin as packed data does. */
bool unpack_is_packed(const void *p, size_t n);

/*
 * Append what fd gives, unpacked where it is packed, to ret; members that follow one
 * another are one text. Only blocks are held in memory. name is for errors: ERR_TRUNCATED
 * when packed data ends early, ERR_CORRUPT when it is damaged, ERR_DECOMPRESSION_BOMB
 * when it unpacks to more than max bytes, ERR_TOO_BIG when it has more without packing.
 */
_must_check_ int unpack_fd(int fd, const char *name, size_t max, struct spool *ret,
			   struct err *e);
