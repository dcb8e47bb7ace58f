// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* SHA-1 in pieces, which libgit2 does not offer. For patch ids, never for trust. */
#include <stddef.h>
#include <stdint.h>

struct sha1 {
	uint32_t state[5];
	uint64_t len;
	uint8_t block[64];
};

void sha1_init(struct sha1 *s);
void sha1_add(struct sha1 *s, const void *data, size_t n);
void sha1_end(struct sha1 *s, unsigned char ret[20]);
