// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/alloc.h"
#include "core/git/delta.h"
#include "core/git/pack-internal.h"

/* git makes chains of 50; a longer one costs more to read than it saves. */
#define MAX_DEPTH 40

#define OFS_DELTA 6

/* Signature, version and a count that pack_write() fills in. */
static const char header[12] = "PACK\0\0\0\2";

struct pack *pack_new(void)
{
	struct pack *p = xzalloc(sizeof(*p));
	int rc;

	p->deflate = xzalloc(sizeof(*p->deflate));
	rc = deflateInit(p->deflate, Z_BEST_SPEED);
	assert(rc == Z_OK);
	(void)rc;
	buf_add(&p->bytes, header, sizeof(header));
	return p;
}

void pack_free(struct pack *p)
{
	if (!p)
		return;
	deflateEnd(p->deflate);
	free(p->deflate);
	buf_release(&p->bytes);
	free(p->v);
	free(p);
}

static void deflate_all(struct pack *p, const struct buf *data)
{
	z_stream *z = p->deflate;
	size_t room;

	deflateReset(z);
	room = deflateBound(z, data->len);
	z->next_in = (Bytef *)buf_str(data);
	z->avail_in = (uInt)data->len;
	z->next_out = (Bytef *)buf_room(&p->bytes, room);
	z->avail_out = (uInt)room;
	deflate(z, Z_FINISH);
	buf_grew(&p->bytes, room - z->avail_out);
}

/* Type and size: four bits of it, then seven a byte, low ones first. */
static void add_head(struct buf *b, int type, size_t size)
{
	unsigned char c = (unsigned char)(type << 4 | (size & 15));

	for (size >>= 4; size; size >>= 7) {
		buf_addc(b, (char)(c | 0x80));
		c = size & 0x7f;
	}
	buf_addc(b, (char)c);
}

/* How far back the base is: seven bits a byte, high ones first, each level less one. */
static void add_distance(struct buf *b, size_t n)
{
	char digits[10];
	size_t i = sizeof(digits) - 1;

	digits[i] = (char)(n & 0x7f);
	while (n >>= 7)
		digits[--i] = (char)(0x80 | (--n & 0x7f));
	buf_add(b, digits + i, sizeof(digits) - i);
}

size_t pack_add(struct pack *p, enum object_type type, const unsigned char id[20],
		const struct buf *data, size_t base, const struct buf *base_data)
{
	_cleanup_buf_ struct buf delta = BUF_INIT;
	struct packed o = { .type = type,
			    .size = data->len,
			    .offset = p->bytes.len,
			    .base = PACK_NO_BASE };

	memcpy(o.id, id, sizeof(o.id));
	if (base != PACK_NO_BASE && p->v[base].depth < MAX_DEPTH) {
		delta_make(base_data, data, &delta);
		if (delta.len < data->len / 2)
			o.base = base;
	}
	if (o.base != PACK_NO_BASE) {
		o.depth = p->v[base].depth + 1;
		add_head(&p->bytes, OFS_DELTA, delta.len);
		add_distance(&p->bytes, o.offset - p->v[base].offset);
	} else {
		add_head(&p->bytes, type, data->len);
	}
	o.data = p->bytes.len;
	deflate_all(p, o.base != PACK_NO_BASE ? &delta : data);
	o.crc = (uint32_t)crc32(0, (Bytef *)p->bytes.data + o.offset,
				(uInt)(p->bytes.len - o.offset));
	*array_push(p->v, p->nr) = o;
	return p->nr - 1;
}

size_t pack_count(const struct pack *p)
{
	return p->nr;
}

size_t pack_bytes(const struct pack *p)
{
	return p->bytes.len;
}

const unsigned char *pack_id(const struct pack *p, size_t nr)
{
	return p->v[nr].id;
}

enum object_type pack_type(const struct pack *p, size_t nr)
{
	return p->v[nr].type;
}

size_t pack_size(const struct pack *p, size_t nr)
{
	return p->v[nr].size;
}

/* What was deflated a while ago; it cannot be broken. */
static void inflate_own(const struct pack *p, const struct packed *o, struct buf *ret)
{
	z_stream z = { .next_in = (Bytef *)p->bytes.data + o->data,
		       .avail_in = (uInt)(p->bytes.len - o->data) };
	int r = inflateInit(&z);

	while (r == Z_OK) {
		size_t room = o->size + 64;

		z.next_out = (Bytef *)buf_room(ret, room);
		z.avail_out = (uInt)room;
		r = inflate(&z, Z_NO_FLUSH);
		buf_grew(ret, room - z.avail_out);
	}
	assert(r == Z_STREAM_END);
	inflateEnd(&z);
}

void pack_read(const struct pack *p, size_t nr, struct buf *ret)
{
	_cleanup_buf_ struct buf base = BUF_INIT, delta = BUF_INIT;
	const struct packed *o = &p->v[nr];
	bool done;

	if (o->base == PACK_NO_BASE) {
		inflate_own(p, o, ret);
		return;
	}
	pack_read(p, o->base, &base);
	inflate_own(p, o, &delta);
	done = delta_apply(&delta, &base, ret);
	assert(done);
	(void)done;
}
