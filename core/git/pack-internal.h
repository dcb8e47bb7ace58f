// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What building a pack and writing it share. */
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
};

struct pack {
	struct buf bytes;
	struct packed *v;
	size_t nr;
	struct z_stream_s *deflate;
};
