// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * SHA-1 in pieces, which libgit2 does not offer, by libcrypto, which uses the processor's
 * instructions for it. It does not look for collisions as git does: for patch ids,
 * checksums and objects whose bytes no mail can choose.
 */
#include <stddef.h>

#include "core/base/base.h"

struct sha1;

struct sha1 *sha1_new(void);
void sha1_add(struct sha1 *s, const void *data, size_t n);

/* The digest of what was added; s is as new afterwards. */
void sha1_end(struct sha1 *s, unsigned char ret[20]);

/* The same as 40 hex digits, owned by the caller. */
_must_check_ char *sha1_end_hex(struct sha1 *s);

void sha1_free(struct sha1 *s);
DEFINE_FREEP(sha1_free, struct sha1 *)
#define _cleanup_sha1_ _cleanup_(sha1_freep)
