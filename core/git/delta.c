// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/delta.h"

#include <string.h>

/* A number of a delta: seven bits a byte, low ones first. */
static bool delta_number(const unsigned char **p, const unsigned char *end, size_t *ret)
{
	unsigned int shift = 0;
	size_t n = 0;

	do {
		if (*p == end || shift > 56)
			return false;
		n |= (size_t)(**p & 0x7f) << shift;
		shift += 7;
	} while (*(*p)++ & 0x80);
	*ret = n;
	return true;
}

/* Offset and length of a copy: the bits of op tell which bytes are there. */
static bool delta_copy(const unsigned char **p, const unsigned char *end,
		       const struct buf *old, struct buf *ret)
{
	unsigned char op = *(*p)++;
	size_t at = 0, n = 0;

	for (unsigned int i = 0; i < 7; i++) {
		if (!(op & 1 << i))
			continue;
		if (*p == end)
			return false;
		if (i < 4)
			at |= (size_t) * (*p)++ << 8 * i;
		else
			n |= (size_t) * (*p)++ << 8 * (i - 4);
	}
	if (!n)
		n = 0x10000;
	if (at > old->len || n > old->len - at)
		return false;
	buf_add(ret, old->data + at, n);
	return true;
}

bool delta_apply(const struct buf *delta, const struct buf *old, struct buf *ret)
{
	const unsigned char *p = (const unsigned char *)delta->data,
			    *end = p + delta->len;
	size_t old_size, new_size;

	if (!delta_number(&p, end, &old_size) || !delta_number(&p, end, &new_size) ||
	    old_size != old->len || new_size > DELTA_MAX_SIZE)
		return false;
	while (p < end && ret->len <= new_size) {
		if (*p & 0x80) {
			if (!delta_copy(&p, end, old, ret))
				return false;
		} else {
			size_t n = *p++;

			if (!n || n > (size_t)(end - p))
				return false;
			buf_add(ret, p, n);
			p += n;
		}
	}
	return ret->len == new_size;
}

static void add_number(struct buf *b, size_t n)
{
	for (; n > 0x7f; n >>= 7)
		buf_addc(b, (char)(0x80 | (n & 0x7f)));
	buf_addc(b, (char)n);
}

static void add_insert(struct buf *b, const char *p, size_t n)
{
	while (n) {
		size_t k = n < 0x7f ? n : 0x7f;

		buf_addc(b, (char)k);
		buf_add(b, p, k);
		p += k;
		n -= k;
	}
}

/* Bytes of offset and length that are 0 are left out; the op says which are there. */
static void add_copy(struct buf *b, size_t at, size_t n)
{
	while (n) {
		size_t k = n < 0xffff ? n : 0xffff, op = b->len;
		unsigned char bits = 0x80;

		buf_addc(b, 0);
		for (unsigned int i = 0; i < 6; i++) {
			size_t byte = (i < 4 ? at >> 8 * i : k >> 8 * (i - 4)) & 0xff;

			if (!byte)
				continue;
			bits |= (unsigned char)(1 << i);
			buf_addc(b, (char)byte);
		}
		b->data[op] = (char)bits;
		at += k;
		n -= k;
	}
}

/* A copy takes up to seven bytes, so a shorter stretch is inserted. */
#define MIN_COPY 12

static size_t equal_len(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Two stretches of one size, at the same place. */
static void add_runs(struct buf *b, const char *old, const char *data, size_t at,
		     size_t end)
{
	size_t start = at;

	while (at < end) {
		size_t same = equal_len(old + at, data + at, end - at);

		if (same < MIN_COPY && at + same < end) {
			at += same + 1;
			continue;
		}
		add_insert(b, data + start, at - start);
		add_copy(b, at, same);
		start = at += same;
	}
	add_insert(b, data + start, end - start);
}

void delta_make(const struct buf *old, const struct buf *data, struct buf *ret)
{
	const char *a = buf_str(old), *b = buf_str(data);
	size_t least = old->len < data->len ? old->len : data->len;
	size_t head = equal_len(a, b, least), tail = 0;

	while (tail < least - head && a[old->len - 1 - tail] == b[data->len - 1 - tail])
		tail++;
	add_number(ret, old->len);
	add_number(ret, data->len);
	add_copy(ret, 0, head);
	if (old->len == data->len)
		add_runs(ret, a, b, head, data->len - tail);
	else
		add_insert(ret, b + head, data->len - tail - head);
	add_copy(ret, old->len - tail, tail);
}
