// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/similar.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/binary.h"

#define HASH_BASE 107927
#define PIECE_MAX 64

static int by_hash(const void *va, const void *vb)
{
	const struct piece *a = va, *b = vb;

	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Equal hashes become one piece. */
static void sum_up(struct pieces *p)
{
	size_t nr = 0;

	if (p->nr)
		qsort(p->v, p->nr, sizeof(*p->v), by_hash);
	for (size_t i = 0; i < p->nr; i++) {
		if (nr && p->v[nr - 1].hash == p->v[i].hash)
			p->v[nr - 1].bytes += p->v[i].bytes;
		else
			p->v[nr++] = p->v[i];
	}
	p->nr = nr;
}

void pieces_init(struct pieces *p, const struct buf *file)
{
	const unsigned char *s = (const unsigned char *)buf_str(file);
	bool text = !is_binary(buf_str(file), file->len);
	uint32_t a = 0, b = 0, n = 0;

	*p = (struct pieces){ .size = file->len };
	for (size_t i = 0; i < file->len; i++) {
		uint32_t old = a;

		if (text && s[i] == '\r' && i + 1 < file->len && s[i + 1] == '\n')
			continue;
		a = (a << 7) ^ (b >> 25);
		b = (b << 7) ^ (old >> 25);
		a += s[i];
		if (++n < PIECE_MAX && s[i] != '\n')
			continue;
		*array_push(p->v, p->nr) =
			(struct piece){ .hash = (a + b * 0x61) % HASH_BASE, .bytes = n };
		n = a = b = 0;
	}
	/* A last line without newline does not count, as in git up to 2.43. */
	sum_up(p);
}

void pieces_release(struct pieces *p)
{
	free(p->v);
	*p = (struct pieces){ 0 };
}

bool similar_sizes(size_t a, size_t b, int score)
{
	size_t most = a > b ? a : b, differ = a > b ? a - b : b - a;

	return most * (size_t)(SIMILAR_MAX - score) >= differ * SIMILAR_MAX;
}

int similar_score(const struct pieces *from, const struct pieces *to)
{
	size_t most = from->size > to->size ? from->size : to->size;
	uint64_t copied = 0;
	size_t k = 0;

	if (!to->size)
		return 0;
	for (size_t i = 0; i < from->nr && k < to->nr; i++) {
		while (k < to->nr && to->v[k].hash < from->v[i].hash)
			k++;
		if (k < to->nr && to->v[k].hash == from->v[i].hash) {
			uint32_t x = from->v[i].bytes, y = to->v[k++].bytes;

			copied += x < y ? x : y;
		}
	}
	return (int)(copied * SIMILAR_MAX / most);
}
