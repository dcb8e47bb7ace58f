// SPDX-License-Identifier: GPL-3.0-or-later
/* "GIT binary patch": base85 lines of deflated data, whole or as a delta. */
#include <string.h>
#include <zlib.h>

#include "core/base/alloc.h"
#include "core/git/delta.h"
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
