// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside unpack.c: the kinds of packing, a row each. */
#include <stddef.h>

struct pack_stream {
	const unsigned char *in;
	size_t in_len;
	unsigned char *out;
	size_t out_len; /* room that is left */
};

enum pack_step { PACK_MORE, PACK_END, PACK_BAD };

struct packing {
	const char *name, *magic;
	size_t magic_len;
	void *(*open)(void); /* NULL when the library refuses */
	/* Move on in and out; PACK_END at the end of a member, its checksum verified. */
	enum pack_step (*run)(void *state, struct pack_stream *s);
	void (*close)(void *state);
};

/* Ended by a row without a name. */
extern const struct packing packings[];
