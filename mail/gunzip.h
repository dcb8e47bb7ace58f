// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* gzip data to bytes, bounded: a small file may claim to hold everything. */
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* Whether the bytes begin as gzip does. */
bool gunzip_is_gzip(const struct buf *in);

/*
 * Append the contents of one or more gzip members to ret. ERR_TRUNCATED when the data
 * ends early, ERR_CORRUPT when it fails its checksum or is no gzip data,
 * ERR_DECOMPRESSION_BOMB above max bytes.
 */
_must_check_ int gunzip(const struct buf *in, size_t max, struct buf *ret, struct err *e);
