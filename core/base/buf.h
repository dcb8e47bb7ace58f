// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A growing byte string, caller-owned: `_cleanup_buf_ struct buf b = BUF_INIT;`. Always
 * NUL-terminated behind len; may hold NUL bytes inside.
 */
#include <stdarg.h>
#include <stddef.h>

#include "core/base/base.h"

struct buf {
	char *data;
	size_t len, cap;
};

#define BUF_INIT  \
	{         \
		0 \
	}

/* Append bytes, a C string, one byte, or formatted text. */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) _printf_(2, 3);

/* Room for n more bytes; returns where they go. buf_grew() tells how many were written.
 */
char *buf_room(struct buf *b, size_t n);
void buf_grew(struct buf *b, size_t n);

/* The bytes as C string, owned by the buffer; never NULL. */
const char *buf_str(const struct buf *b);

/* Hand over the C string; the buffer is empty afterwards. */
_must_check_ char *buf_take(struct buf *b);

/* Drop the contents but keep the memory, or release all. */
void buf_clear(struct buf *b);
void buf_release(struct buf *b);

#define _cleanup_buf_ _cleanup_(buf_release)
