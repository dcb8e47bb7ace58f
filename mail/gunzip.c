// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/gunzip.h"

#include <zlib.h>

#define STEP (64 * 1024)

bool gunzip_is_gzip(const struct buf *in)
{
	const char *p = buf_str(in);

	return in->len >= 2 && (unsigned char)p[0] == 0x1f && (unsigned char)p[1] == 0x8b;
}

static int inflate_failed(int r, const z_stream *z, struct err *e)
{
	if (r == Z_BUF_ERROR || r == Z_OK)
		return err_set(e, ERR_TRUNCATED, "the gzip data ends too early");
	return err_set(e, ERR_CORRUPT, "the gzip data is damaged: %s",
		       z->msg ? z->msg : "wrong checksum");
}

static int inflate_all(z_stream *z, size_t max, struct buf *out, struct err *e)
{
	for (;;) {
		int r;

		z->next_out = (Bytef *)buf_room(out, STEP);
		z->avail_out = STEP;
		r = inflate(z, Z_NO_FLUSH);
		buf_grew(out, STEP - z->avail_out);
		if (out->len > max)
			return err_set(e, ERR_DECOMPRESSION_BOMB,
				       "the unpacked mail is larger than %zu bytes", max);
		if (r == Z_STREAM_END) {
			/* Another member may follow; other bytes behind are ignored as
			 * gzip does. */
			if (z->avail_in < 2 || z->next_in[0] != 0x1f ||
			    z->next_in[1] != 0x8b)
				return 0;
			if (inflateReset(z) != Z_OK)
				return inflate_failed(Z_DATA_ERROR, z, e);
		} else if (r != Z_OK || (!z->avail_in && z->avail_out)) {
			return inflate_failed(r, z, e);
		}
	}
}

int gunzip(const struct buf *in, size_t max, struct buf *ret, struct err *e)
{
	_cleanup_buf_ struct buf out = BUF_INIT;
	z_stream z = { 0 };
	int r;

	if (in->len > (uInt)-1)
		return err_set(e, ERR_TOO_BIG, "the gzip data is larger than 4 GiB");
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return err_set(e, ERR_INTERNAL, "cannot start zlib");
	z.next_in = (Bytef *)buf_str(in);
	z.avail_in = (uInt)in->len;
	r = inflate_all(&z, max, &out, e);
	inflateEnd(&z);
	if (r < 0)
		return r;
	if (!ret->len) {
		buf_release(ret);
		*ret = out;
		out = (struct buf)BUF_INIT;
	} else {
		buf_add(ret, buf_str(&out), out.len);
	}
	return 0;
}
