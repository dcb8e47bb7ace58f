// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/packing.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/alloc.h"

/* What a decoder may use for its window; xz -9 wants 65 MiB. */
#define MAX_WINDOW ((uint64_t)160 << 20)

static void *gz_open(void)
{
	z_stream *z = xzalloc(sizeof(*z));

	if (inflateInit2(z, 16 + MAX_WBITS) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum pack_step gz_run(void *state, struct pack_stream *s)
{
	z_stream *z = state;
	int r;

	z->next_in = (Bytef *)s->in;
	z->avail_in = (uInt)s->in_len;
	z->next_out = s->out;
	z->avail_out = (uInt)s->out_len;
	r = inflate(z, Z_NO_FLUSH);
	*s = (struct pack_stream){ z->next_in, z->avail_in, z->next_out, z->avail_out };
	if (r == Z_STREAM_END)
		return PACK_END;
	return r == Z_OK || r == Z_BUF_ERROR ? PACK_MORE : PACK_BAD;
}

static void gz_close(void *state)
{
	inflateEnd(state);
	free(state);
}

static void *bz_open(void)
{
	bz_stream *z = xzalloc(sizeof(*z));

	if (BZ2_bzDecompressInit(z, 0, 0) == BZ_OK)
		return z;
	free(z);
	return NULL;
}

static enum pack_step bz_run(void *state, struct pack_stream *s)
{
	bz_stream *z = state;
	int r;

	z->next_in = (char *)s->in;
	z->avail_in = (unsigned int)s->in_len;
	z->next_out = (char *)s->out;
	z->avail_out = (unsigned int)s->out_len;
	r = BZ2_bzDecompress(z);
	*s = (struct pack_stream){ (unsigned char *)z->next_in, z->avail_in,
				   (unsigned char *)z->next_out, z->avail_out };
	return r == BZ_STREAM_END ? PACK_END : r == BZ_OK ? PACK_MORE : PACK_BAD;
}

static void bz_close(void *state)
{
	BZ2_bzDecompressEnd(state);
	free(state);
}

static void *xz_open(void)
{
	lzma_stream *z = xzalloc(sizeof(*z));

	if (lzma_stream_decoder(z, MAX_WINDOW, 0) == LZMA_OK)
		return z;
	free(z);
	return NULL;
}

static enum pack_step xz_run(void *state, struct pack_stream *s)
{
	lzma_stream *z = state;
	lzma_ret r;

	z->next_in = s->in;
	z->avail_in = s->in_len;
	z->next_out = s->out;
	z->avail_out = s->out_len;
	r = lzma_code(z, LZMA_RUN);
	*s = (struct pack_stream){ z->next_in, z->avail_in, z->next_out, z->avail_out };
	if (r == LZMA_STREAM_END)
		return PACK_END;
	return r == LZMA_OK || r == LZMA_BUF_ERROR ? PACK_MORE : PACK_BAD;
}

static void xz_close(void *state)
{
	lzma_end(state);
	free(state);
}

static void *zstd_open(void)
{
	return ZSTD_createDStream();
}

static enum pack_step zstd_run(void *state, struct pack_stream *s)
{
	ZSTD_inBuffer in = { s->in, s->in_len, 0 };
	ZSTD_outBuffer out = { s->out, s->out_len, 0 };
	size_t r = ZSTD_decompressStream(state, &out, &in);

	s->in += in.pos;
	s->in_len -= in.pos;
	s->out += out.pos;
	s->out_len -= out.pos;
	return ZSTD_isError(r) ? PACK_BAD : r == 0 ? PACK_END : PACK_MORE;
}

static void zstd_close(void *state)
{
	ZSTD_freeDStream(state);
}

const struct packing packings[] = {
	{ "gzip", "\x1f\x8b", 2, gz_open, gz_run, gz_close },
	{ "bzip2", "BZh", 3, bz_open, bz_run, bz_close },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  6, xz_open, xz_run, xz_close },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, zstd_open, zstd_run, zstd_close },
	{ 0 },
};
