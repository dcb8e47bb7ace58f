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

/* More than this does not wait to be deflated. */
#define MAX_WAITING (16UL << 20)

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
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	return p;
}

void pack_free(struct pack *p)
{
	if (!p)
		return;
	pack_stop(p);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	deflateEnd(p->deflate);
	free(p->deflate);
	buf_release(&p->bytes);
	for (size_t i = p->nr_done; i < p->nr; i++)
		buf_release(&p->v[i].payload);
	free(p->v);
	free(p);
}

size_t pack_add(struct pack *p, enum object_type type, const unsigned char id[20],
		const struct buf *data, size_t base, const struct buf *base_data)
{
	struct packed o = { .type = type, .size = data->len, .base = PACK_NO_BASE };
	size_t nr;

	memcpy(o.id, id, sizeof(o.id));
	/* Only this thread makes v longer or changes depths. */
	if (base != PACK_NO_BASE && p->v[base].depth < MAX_DEPTH) {
		delta_make(base_data, data, &o.payload);
		if (o.payload.len < data->len / 2) {
			o.base = base;
			o.depth = p->v[base].depth + 1;
		}
	}
	if (o.base == PACK_NO_BASE) {
		buf_clear(&o.payload);
		buf_add(&o.payload, data->data, data->len);
	}
	pack_start(p);
	pthread_mutex_lock(&p->lock);
	*array_push(p->v, p->nr) = o;
	nr = p->nr;
	p->waiting += o.payload.len;
	pthread_cond_broadcast(&p->changed);
	pack_drain(p, MAX_WAITING);
	pthread_mutex_unlock(&p->lock);
	return nr - 1;
}

size_t pack_count(const struct pack *p)
{
	return p->nr;
}

size_t pack_bytes(struct pack *p)
{
	size_t n;

	pthread_mutex_lock(&p->lock);
	n = p->bytes.len + p->waiting;
	pthread_mutex_unlock(&p->lock);
	return n;
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

static void read_payload(const struct pack *p, size_t nr, struct buf *ret)
{
	if (nr < p->nr_done)
		inflate_own(p, &p->v[nr], ret);
	else
		buf_add(ret, p->v[nr].payload.data, p->v[nr].payload.len);
}

/* The lock is held. */
static void read_object(const struct pack *p, size_t nr, struct buf *ret)
{
	_cleanup_buf_ struct buf base = BUF_INIT, delta = BUF_INIT;
	const struct packed *o = &p->v[nr];
	bool done;

	if (o->base == PACK_NO_BASE) {
		read_payload(p, nr, ret);
		return;
	}
	read_object(p, o->base, &base);
	read_payload(p, nr, &delta);
	done = delta_apply(&delta, &base, ret);
	assert(done);
	(void)done;
}

void pack_read(struct pack *p, size_t nr, struct buf *ret)
{
	pthread_mutex_lock(&p->lock);
	read_object(p, nr, ret);
	pthread_mutex_unlock(&p->lock);
}
