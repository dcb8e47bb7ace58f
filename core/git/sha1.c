// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/sha1.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

struct sha1 {
	EVP_MD *md;
	EVP_MD_CTX *ctx;
};

/* Nothing here fails but for want of memory, or of SHA-1 itself in a crippled library. */
static void must(bool done)
{
	assert(done);
	if (!done)
		__builtin_trap();
}

struct sha1 *sha1_new(void)
{
	struct sha1 *s = xzalloc(sizeof(*s));

	s->md = EVP_MD_fetch(NULL, "SHA1", NULL);
	s->ctx = EVP_MD_CTX_new();
	must(s->md && s->ctx && EVP_DigestInit_ex2(s->ctx, s->md, NULL));
	return s;
}

void sha1_add(struct sha1 *s, const void *data, size_t n)
{
	must(EVP_DigestUpdate(s->ctx, data, n));
}

void sha1_end(struct sha1 *s, unsigned char ret[20])
{
	must(EVP_DigestFinal_ex(s->ctx, ret, NULL));
	must(EVP_DigestInit_ex2(s->ctx, NULL, NULL));
}

char *sha1_end_hex(struct sha1 *s)
{
	_cleanup_buf_ struct buf hex = BUF_INIT;
	unsigned char digest[20];

	sha1_end(s, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		buf_addf(&hex, "%02x", digest[i]);
	return buf_take(&hex);
}

void sha1_free(struct sha1 *s)
{
	if (!s)
		return;
	EVP_MD_CTX_free(s->ctx);
	EVP_MD_free(s->md);
	free(s);
}
