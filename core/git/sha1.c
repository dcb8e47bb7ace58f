// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/sha1.h"

#include <string.h>

static uint32_t rol(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void sha1_block(struct sha1 *s)
{
	uint32_t a = s->state[0], b = s->state[1], c = s->state[2], d = s->state[3],
		 e = s->state[4], w[80];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)s->block[4 * i] << 24 |
		       (uint32_t)s->block[4 * i + 1] << 16 |
		       (uint32_t)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f, k, t;

		if (i < 20) {
			f = (b & c) | (~b & d);
			k = 0x5a827999;
		} else if (i < 40 || i >= 60) {
			f = b ^ c ^ d;
			k = i < 40 ? 0x6ed9eba1 : 0xca62c1d6;
		} else {
			f = (b & c) | (b & d) | (c & d);
			k = 0x8f1bbcdc;
		}
		t = rol(a, 5) + f + e + k + w[i];
		e = d;
		d = c;
		c = rol(b, 30);
		b = a;
		a = t;
	}
	s->state[0] += a;
	s->state[1] += b;
	s->state[2] += c;
	s->state[3] += d;
	s->state[4] += e;
}

void sha1_init(struct sha1 *s)
{
	*s = (struct sha1){ .state = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
				       0xc3d2e1f0 } };
}

void sha1_add(struct sha1 *s, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n) {
		size_t at = s->len % 64, k = 64 - at < n ? 64 - at : n;

		memcpy(s->block + at, p, k);
		s->len += k;
		p += k;
		n -= k;
		if (s->len % 64 == 0)
			sha1_block(s);
	}
}

void sha1_end(struct sha1 *s, unsigned char ret[20])
{
	static const uint8_t pad[64] = { 0x80 };
	uint64_t bits = s->len * 8;
	unsigned char len[8];

	sha1_add(s, pad, 1 + (119 - s->len % 64) % 64);
	for (int i = 0; i < 8; i++)
		len[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha1_add(s, len, sizeof(len));
	for (int i = 0; i < 20; i++)
		ret[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
