// SPDX-License-Identifier: GPL-3.0-or-later
/* Deflating costs as much as all else together, so a second processor does it. */
#include <signal.h>
#include <zlib.h>

#include "core/git/pack-internal.h"

#define OFS_DELTA 6

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

static void deflate_all(struct z_stream_s *z, const struct buf *data, struct buf *ret)
{
	size_t room;

	deflateReset(z);
	room = deflateBound(z, data->len);
	z->next_in = (Bytef *)buf_str(data);
	z->avail_in = (uInt)data->len;
	z->next_out = (Bytef *)buf_room(ret, room);
	z->avail_out = (uInt)room;
	deflate(z, Z_FINISH);
	buf_grew(ret, room - z->avail_out);
}

void pack_deflate_next(struct pack *p)
{
	size_t i = p->nr_done;
	struct buf payload = p->v[i].payload, packed = BUF_INIT;
	struct packed *o;

	/* v may move while the lock is open, but who reads objects finds the payload. */
	pthread_mutex_unlock(&p->lock);
	deflate_all(p->deflate, &payload, &packed);
	pthread_mutex_lock(&p->lock);
	o = &p->v[i];
	o->offset = p->bytes.len;
	if (o->base != PACK_NO_BASE) {
		add_head(&p->bytes, OFS_DELTA, payload.len);
		add_distance(&p->bytes, o->offset - p->v[o->base].offset);
	} else {
		add_head(&p->bytes, o->type, payload.len);
	}
	o->data = p->bytes.len;
	buf_add(&p->bytes, packed.data, packed.len);
	o->crc = (uint32_t)crc32(0, (Bytef *)p->bytes.data + o->offset,
				 (uInt)(p->bytes.len - o->offset));
	o->payload = (struct buf)BUF_INIT;
	p->nr_done++;
	p->waiting -= payload.len;
	pthread_cond_broadcast(&p->changed);
	buf_release(&payload);
	buf_release(&packed);
}

static void *work(void *arg)
{
	struct pack *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (p->nr_done < p->nr)
			pack_deflate_next(p);
		else
			pthread_cond_wait(&p->changed, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Signals are for the thread that started kiln. */
void pack_start(struct pack *p)
{
	sigset_t all, before;

	if (p->has_thread)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->has_thread = pthread_create(&p->thread, NULL, work, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pack_drain(struct pack *p, size_t waiting)
{
	/* An empty object waits, too. */
	while (p->nr_done < p->nr && (!waiting || p->waiting > waiting)) {
		if (p->has_thread)
			pthread_cond_wait(&p->changed, &p->lock);
		else
			pack_deflate_next(p);
	}
}

void pack_stop(struct pack *p)
{
	if (!p->has_thread)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	p->has_thread = false;
}
