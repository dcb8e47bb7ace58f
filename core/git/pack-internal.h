// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What building a pack, deflating and writing it share. */
#include <pthread.h>
#include <stdbool.h>

#include "core/git/pack.h"

struct z_stream_s;

struct packed {
	unsigned char id[20];
	enum object_type type;
	uint32_t crc;
	size_t size;   /* of the object */
	size_t offset; /* in the pack */
	size_t data;   /* offset of the deflated bytes */
	size_t base;   /* number of what it is a delta on, or PACK_NO_BASE */
	unsigned int depth;
	struct buf payload; /* object or delta until it is in the pack */
};

/*
 * Objects are appended to v by their maker and to bytes, deflated and in the same order,
 * by a thread of the pack's own; lock guards all that both use.
 */
struct pack {
	struct buf bytes;
	struct packed *v;
	size_t nr;
	size_t nr_done; /* so many are in bytes */
	size_t waiting; /* bytes of payload of the others */
	struct z_stream_s *deflate;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, stop;
};

/* Deflate the next object here and now; the lock is held, and let go meanwhile. */
void pack_deflate_next(struct pack *p);

/* Start the thread, unless there is one; without it pack_drain() does the work. */
void pack_start(struct pack *p);

/* Wait until at most so many bytes wait to be deflated; the lock is held. */
void pack_drain(struct pack *p, size_t waiting);

void pack_stop(struct pack *p);
