// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stddef.h>
#include <stdint.h>

/* The CRC of Ethernet, gzip and zlib, for programs that have no library: of what crc is of
 * already, 0 at first, and len bytes more. */
uint32_t crc32_add(uint32_t crc, const void *data, size_t len);
