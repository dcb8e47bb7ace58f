// SPDX-License-Identifier: GPL-3.0-or-later
/* "GIT binary patch": base85 lines of deflated data, whole or as a delta. */
#include <string.h>
#include <zlib.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"

static bool starts(const char *p, const char *end, const char *word)
{
	size_t k = strlen(word);

	return (size_t)(end - p) >= k && !memcmp(p, word, k);
}

static int corrupt(struct diff_parser *d)
{
	return err_set(d->e, ERR_BAD_PATCH,
		       "corrupt binary patch at line %lu of the diff", d->line);
}

/* How many bytes a line carries, by its first letter; 0 when it is none. */
static size_t line_bytes(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (size_t)(c - 'A') + 1;
	return c >= 'a' && c <= 'z' ? (size_t)(c - 'a') + 27 : 0;
}

/* The size behind "literal " or "delta ". */
static bool parse_size(const char *p, const char *end, size_t *ret)
{
	unsigned long n;

	if (!diff_number(&p, end, &n) || p == end || (*p != '\n' && *p != '\r'))
		return false;
	*ret = n;
	return n <= DIFF_MAX_BINARY;
}

/* One half: its heading, data lines and the empty line behind. 0 when there is none. */
static int parse_half(struct diff_parser *d, struct binary *b)
{
	bool literal = starts(d->p, d->end, "literal ");
	size_t len = diff_line_len(d->p, d->end);

	if (!literal && !starts(d->p, d->end, "delta "))
		return 0;
	b->kind = literal ? BINARY_LITERAL : BINARY_DELTA;
	if (!parse_size(d->p + (literal ? 8 : 6), d->p + len, &b->size))
		return corrupt(d);
	diff_skip(d, len, 1);
	b->lines = d->p;
	for (;;) {
		size_t bytes;

		len = diff_line_len(d->p, d->end);
		if (!len || d->p[len - 1] != '\n')
			return corrupt(d);
		bytes = line_bytes(d->p[0]);
		if (len == 1)
			break;
		if (!bytes || len != 2 + (bytes + 3) / 4 * 5)
			return corrupt(d);
		diff_skip(d, len, 1);
	}
	b->len = (size_t)(d->p - b->lines);
	diff_skip(d, len, 1);
	return 1;
}

int diff_binary(struct diff_parser *d, struct file_diff *f)
{
	struct binary backward = { 0 };
	size_t len = diff_line_len(d->p, d->end);
	int r;

	if (starts(d->p, d->end, "GIT binary patch\n")) {
		f->is_binary = true;
		diff_skip(d, len, 1);
		r = parse_half(d, &f->forward);
		if (r == 0)
			return corrupt(d);
		return r < 0 ? r : parse_half(d, &backward);
	}
	if (len > 8 && !memcmp(d->p + len - 8, " differ\n", 8) &&
	    (starts(d->p, d->end, "Binary files ") || starts(d->p, d->end, "Files "))) {
		f->is_binary = true;
		diff_skip(d, len, 1);
		return 1;
	}
	return 0;
}

static int digit85(char c)
{
	static const char digits[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
		"uvwxyz!#$%&()*+-;<=>?@^_`{|}~";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The data of all lines; false when a digit is none. */
static bool decode85(const struct binary *b, struct buf *ret)
{
	const char *p = b->lines, *end = b->lines + b->len;

	while (p < end) {
		size_t left = line_bytes(*p++);

		while (left) {
			size_t k = left < 4 ? left : 4;
			uint64_t v = 0;

			for (int i = 0; i < 5; i++) {
				int digit = digit85(*p++);

				if (digit < 0)
					return false;
				v = v * 85 + (uint64_t)digit;
			}
			if (v > UINT32_MAX)
				return false;
			for (size_t i = 0; i < k; i++)
				buf_addc(ret, (char)(v >> (24 - 8 * i)));
			left -= k;
		}
		p++; /* newline; the parser has checked the length */
	}
	return true;
}

/* Inflate to exactly the declared size. The room grows with the data, not with the claim.
 */
static bool inflate_all(const struct buf *in, size_t size, struct buf *ret)
{
	z_stream z = { .next_in = (Bytef *)in->data, .avail_in = (uInt)in->len };
	int r = Z_OK;

	if (inflateInit(&z) != Z_OK)
		return false;
	while (r == Z_OK && ret->len <= size) {
		size_t room = 64 << 10;

		z.next_out = (Bytef *)buf_room(ret, room);
		z.avail_out = (uInt)room;
		r = inflate(&z, Z_NO_FLUSH);
		buf_grew(ret, room - z.avail_out);
	}
	inflateEnd(&z);
	return r == Z_STREAM_END && ret->len == size;
}

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

static bool delta_apply(const struct buf *delta, const struct buf *old, struct buf *ret)
{
	const unsigned char *p = (const unsigned char *)delta->data,
			    *end = p + delta->len;
	size_t old_size, new_size;

	if (!delta_number(&p, end, &old_size) || !delta_number(&p, end, &new_size) ||
	    old_size != old->len || new_size > DIFF_MAX_BINARY)
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

int binary_data(const struct binary *b, const struct buf *old, struct buf *ret,
		struct err *e)
{
	_cleanup_buf_ struct buf packed = BUF_INIT, data = BUF_INIT;

	if (!decode85(b, &packed))
		return err_set(e, ERR_BAD_PATCH, "the binary patch has an unknown digit");
	if (!inflate_all(&packed, b->size, &data))
		return err_set(e, ERR_BAD_PATCH, "the binary patch does not inflate");
	if (b->kind == BINARY_LITERAL)
		buf_add(ret, data.data, data.len);
	else if (!delta_apply(&data, old, ret))
		return err_set(e, ERR_BAD_PATCH, "the binary delta does not apply");
	return 0;
}
