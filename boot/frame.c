// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/frame.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/crc32.h"

#define MAGIC "kiln1 "

static void word_escape(const char *word, struct buf *ret)
{
	for (const unsigned char *p = (const unsigned char *)word; *p; p++) {
		if (*p > ' ' && *p < 0x7f && *p != '%')
			buf_addc(ret, (char)*p);
		else
			buf_addf(ret, "%%%02x", *p);
	}
}

static bool token_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
}

void frame_format(const char *token, uint64_t seq, const struct strv *words,
		  struct buf *ret)
{
	_cleanup_buf_ struct buf rest = BUF_INIT;
	uint32_t crc;

	assert(words->nr && *token && strlen(token) <= FRAME_TOKEN_MAX);
	buf_addf(&rest, " %" PRIu64, seq);
	for (size_t i = 0; i < words->nr; i++) {
		buf_addc(&rest, ' ');
		word_escape(words->v[i], &rest);
	}
	crc = crc32_add(crc32_add(0, token, strlen(token)), rest.data, rest.len);
	/* the sum stands between sequence number and words, so that a cut line fails it
	 */
	buf_addf(ret, MAGIC "%s", token);
	buf_add(ret, rest.data, strcspn(rest.data + 1, " ") + 1);
	buf_addf(ret, " %08" PRIx32, crc);
	buf_adds(ret, rest.data + strcspn(rest.data + 1, " ") + 1);
	buf_addc(ret, '\n');
}

void frame_feed(struct frame_parser *p, const void *data, size_t len)
{
	if (p->used) {
		memmove(p->bytes.data, p->bytes.data + p->used, p->bytes.len - p->used);
		p->bytes.len -= p->used;
		p->bytes.data[p->bytes.len] = '\0';
		p->used = 0;
	}
	buf_add(&p->bytes, data, len);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undo word_escape() for n bytes; NULL when they cannot be its output. */
static char *word_unescape(const char *s, size_t n)
{
	_cleanup_free_ char *out = xzalloc(n + 1);
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		int hi, lo;

		if (s[i] <= ' ' || s[i] >= 0x7f)
			return NULL;
		if (s[i] != '%') {
			out[len++] = s[i];
			continue;
		}
		if (n - i < 3 || (hi = hex_digit(s[i + 1])) < 0 ||
		    (lo = hex_digit(s[i + 2])) < 0 || hi + lo == 0)
			return NULL;
		out[len++] = (char)(hi << 4 | lo);
		i += 2;
	}
	return take_ptr(out);
}

static bool words_parse(const char *s, const char *end, struct strv *ret)
{
	for (;;) {
		const char *blank = memchr(s, ' ', (size_t)(end - s));
		const char *stop = blank ?: end;
		char *word = word_unescape(s, (size_t)(stop - s));

		if (!word)
			return false;
		strv_take(ret, word);
		if (!blank)
			return *ret->v[0] != '\0';
		s = blank + 1;
	}
}

/* Decimal digits up to a blank; returns behind the blank, NULL when there are none. */
static const char *seq_parse(const char *s, const char *end, uint64_t *ret)
{
	uint64_t n = 0;
	const char *p = s;

	for (; p < end && *p >= '0' && *p <= '9' && p - s < 19; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p == s || p == end || *p != ' ')
		return NULL;
	*ret = n;
	return p + 1;
}

static const char *crc_parse(const char *s, const char *end, uint32_t *ret)
{
	uint32_t n = 0;

	if (end - s < 9 || s[8] != ' ')
		return NULL;
	for (int i = 0; i < 8; i++) {
		int d = hex_digit(s[i]);

		if (d < 0)
			return NULL;
		n = n << 4 | (uint32_t)d;
	}
	*ret = n;
	return s + 9;
}

/* s is behind the magic. Returns NULL when ret was filled, else what is wrong. */
static const char *line_parse(const char *s, const char *end, struct frame *ret)
{
	_cleanup_frame_ struct frame f = { 0 };
	const char *token = s, *seq, *crc, *words;
	uint32_t want, have;

	while (s < end && token_char(*s))
		s++;
	if (s == token || s - token > FRAME_TOKEN_MAX || s == end || *s != ' ')
		return "its token is malformed";
	f.token = xstrndup(token, (size_t)(s - token));
	seq = s + 1;
	crc = seq_parse(seq, end, &f.seq);
	words = crc ? crc_parse(crc, end, &want) : NULL;
	if (!words)
		return "its number or checksum is malformed";
	have = crc32_add(0, token, (size_t)(crc - 1 - token));
	have = crc32_add(have, words - 1, (size_t)(end - words + 1));
	if (have != want)
		return "its checksum does not match";
	if (!words_parse(words, end, &f.words))
		return "its words are malformed";
	*ret = f;
	f = (struct frame){ 0 };
	return NULL;
}

enum frame_status frame_next(struct frame_parser *p, struct frame *ret,
			     const char **ret_why)
{
	const char *s = buf_str(&p->bytes) + p->used, *nl;
	size_t left = p->bytes.len - p->used;
	bool skipped = p->skipping;

	*ret_why = NULL;
	nl = left ? memchr(s, '\n', left) : NULL;
	if (!nl && left <= FRAME_MAX)
		return FRAME_NONE;
	if (!nl) {
		/* forget it now: a stream without newline must not fill the memory */
		p->used = p->bytes.len;
		p->skipping = true;
		*ret_why = "it is too long";
		return skipped ? FRAME_NONE : FRAME_BROKEN;
	}
	p->used += (size_t)(nl - s) + 1;
	p->skipping = false;
	if (skipped)
		return frame_next(p, ret, ret_why);
	if ((size_t)(nl - s) > FRAME_MAX) {
		*ret_why = "it is too long";
		return FRAME_BROKEN;
	}
	if ((size_t)(nl - s) < strlen(MAGIC) || memcmp(s, MAGIC, strlen(MAGIC)) != 0)
		return FRAME_GARBAGE;
	*ret_why = line_parse(s + strlen(MAGIC), nl, ret);
	return *ret_why ? FRAME_BROKEN : FRAME_OK;
}

const char *frame_word(const struct frame *f, size_t i)
{
	return i < f->words.nr ? f->words.v[i] : "";
}

void frame_release(struct frame *f)
{
	free(f->token);
	strv_release(&f->words);
	*f = (struct frame){ 0 };
}

void frame_parser_release(struct frame_parser *p)
{
	buf_release(&p->bytes);
	*p = (struct frame_parser){ 0 };
}
