// SPDX-License-Identifier: GPL-3.0-or-later
/* The text two patches are compared by. What it looks like is git's: range-diff(1). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/range-internal.h"

/* The code point at s and its length, 0 when there is none. */
static size_t decode(const char *s, size_t n, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)*s;
	size_t len = c < 0x80	? 1
		     : c < 0xc2 ? 0
		     : c < 0xe0 ? 2
		     : c < 0xf0 ? 3
		     : c < 0xf5 ? 4
				: 0;
	uint32_t u = len == 1 ? c : c & (0xffU >> (len + 1));

	if (!len || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		u = u << 6 | ((unsigned char)s[i] & 0x3f);
	}
	if (u < least[len] || u > 0x10ffff || (u >= 0xd800 && u < 0xe000))
		return 0;
	*ret = u;
	return len;
}

size_t range_utf8_prefix(const char *s, size_t n)
{
	size_t at = 0, len;
	uint32_t u;

	while (at < n && (len = decode(s + at, n - at, &u)))
		at += len;
	return at;
}

/* Columns of a code point on a terminal; -1 for a control. Unicode's East Asian Width
 * and its combining marks, in the ranges that messages hold. */
static int columns(uint32_t u)
{
	static const struct {
		uint32_t from, to;
		int width;
	} ranges[] = {
		{ 0x300, 0x36f, 0 },	 { 0x1100, 0x115f, 2 },	  { 0x200b, 0x200f, 0 },
		{ 0x20d0, 0x20f0, 0 },	 { 0x2e80, 0x303e, 2 },	  { 0x3041, 0xa4cf, 2 },
		{ 0xac00, 0xd7a3, 2 },	 { 0xf900, 0xfaff, 2 },	  { 0xfe00, 0xfe0f, 0 },
		{ 0xfe20, 0xfe2f, 0 },	 { 0xfe30, 0xfe6f, 2 },	  { 0xff01, 0xff60, 2 },
		{ 0xffe0, 0xffe6, 2 },	 { 0x1f300, 0x1f64f, 2 }, { 0x1f900, 0x1f9ff, 2 },
		{ 0x20000, 0x3fffd, 2 },
	};

	if (u < 0x20 || (u >= 0x7f && u < 0xa0))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (u >= ranges[i].from && u <= ranges[i].to)
			return ranges[i].width;
	return 1;
}

/* Columns of the bytes, -1 when they are no plain UTF-8 text. */
static int width(const char *s, size_t n)
{
	int sum = 0;

	for (size_t i = 0; i < n;) {
		uint32_t u;
		size_t len = decode(s + i, n - i, &u);
		int w = len ? columns(u) : -1;

		if (w < 0)
			return -1;
		sum += w;
		i += len;
	}
	return sum;
}

void range_message_line(const char *s, size_t n, struct buf *ret)
{
	static const char blanks[] = "        ";
	const char *tab;
	int w;

	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n)
		buf_adds(ret, "    ");
	while ((tab = memchr(s, '\t', n))) {
		size_t k = (size_t)(tab - s);

		w = width(s, k);
		if (w < 0)
			break;
		buf_add(ret, s, k);
		buf_add(ret, blanks, 8 - (size_t)w % 8);
		s += k + 1;
		n -= k + 1;
	}
	buf_add(ret, s, n);
	buf_addc(ret, '\n');
}

static bool is_blank(const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s)) {
		s++;
		n--;
	}
	return !n;
}

static size_t line_len(const char *s)
{
	return strcspn(s, "\n");
}

static const char *skip_blank(const char *s)
{
	while (*s && is_blank(s, line_len(s))) {
		s += line_len(s);
		s += *s == '\n';
	}
	return s;
}

void range_head(const char *name, const char *email, const char *message, struct buf *ret)
{
	const char *p = skip_blank(message), *end = p + strlen(p);

	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	buf_addf(ret, " ## Metadata ##\nAuthor: %s <%s>\n\n ## Commit message ##\n", name,
		 email);
	while (p < end) {
		size_t n = line_len(p);

		if (p + n > end)
			n = (size_t)(end - p);
		range_message_line(p, n, ret);
		p += n;
		p += *p == '\n';
	}
}

char *range_subject(const char *message)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (const char *p = skip_blank(message); *p && !is_blank(p, line_len(p));) {
		size_t n = line_len(p), k = n;

		while (k && isspace((unsigned char)p[k - 1]))
			k--;
		if (b.len)
			buf_addc(&b, ' ');
		buf_add(&b, p, k);
		p += n;
		p += *p == '\n';
	}
	return buf_take(&b);
}

void range_file(const struct range_file *f, struct buf *ret)
{
	if (f->is_new)
		buf_addf(ret, "\n ## %s (new)", f->new_name);
	else if (f->is_delete)
		buf_addf(ret, "\n ## %s (deleted)", f->old_name);
	else if (f->is_rename)
		buf_addf(ret, "\n ## %s => %s", f->old_name, f->new_name);
	else
		buf_addf(ret, "\n ## %s", f->new_name);
	if (!f->is_new && !f->is_delete && f->old_mode && f->new_mode &&
	    f->old_mode != f->new_mode)
		buf_addf(ret, " (mode change %06o => %06o)", f->old_mode, f->new_mode);
	buf_adds(ret, " ##\n");
}

void range_hunk(const struct range_file *f, const char *heading, size_t n,
		struct buf *ret)
{
	buf_adds(ret, "@@");
	if (n)
		buf_addf(ret, " %s:%.*s", f->is_delete ? f->old_name : f->new_name,
			 (int)range_utf8_prefix(heading, n), heading);
	buf_addc(ret, '\n');
}

void range_line(char marker, const char *s, size_t n, struct buf *ret)
{
	buf_addc(ret, marker);
	buf_add(ret, s, strnlen(s, n)); /* git's lines end at a NUL byte */
	buf_addc(ret, '\n');
}

struct range_patch *range_add(struct range *r, struct buf *text, size_t diff_at)
{
	struct range_patch *p = array_push(r->v, r->nr);
	const char *s;

	*p = (struct range_patch){ .diff_at = diff_at, .match = RANGE_UNPAIRED };
	p->text = buf_take(text);
	/* Without files there is no diff to point to, and git takes the whole text. */
	for (s = p->text + diff_at; diff_at && *s; s += line_len(s) + 1)
		p->diff_lines += *s != '\n';
	return p;
}

void range_release(struct range *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		free(r->v[i].subject);
		free(r->v[i].text);
	}
	free(r->v);
	*r = (struct range){ 0 };
}
