// SPDX-License-Identifier: GPL-3.0-or-later
/* RFC 2047: words of a header value in another character set. */
#include <ctype.h>
#include <string.h>

#include <gmime/gmime.h>

#include "core/base/alloc.h"
#include "mail/mailinfo.h"
#include "mail/text.h"

/* "=?charset?Q?text?=" taken apart. */
struct word {
	const char *charset, *text;
	size_t charset_len, text_len;
	bool base64;
	const char *end; /* behind it */
};

/* Bytes of words of one character set that follow each other: a letter may be split. */
struct pending {
	struct buf bytes;
	char *charset;
};

static void flush(struct pending *p, struct buf *ret)
{
	if (p->bytes.len)
		text_to_utf8(p->bytes.data, p->bytes.len, p->charset, ret);
	buf_clear(&p->bytes);
}

static bool word_at(const char *s, struct word *ret)
{
	const char *q = strchr(s + 2, '?'), *end;

	if (!q || !q[1] || q[2] != '?' || !strchr("bBqQ", q[1]))
		return false;
	end = strstr(q + 3, "?=");
	if (!end)
		return false;
	*ret = (struct word){ .charset = s + 2,
			      .charset_len = (size_t)(q - s - 2),
			      .text = q + 3,
			      .text_len = (size_t)(end - q - 3),
			      .base64 = tolower((unsigned char)q[1]) == 'b',
			      .end = end + 2 };
	return true;
}

static void add_q(const char *p, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '=' && i + 2 < len && isxdigit((unsigned char)p[i + 1]) &&
		    isxdigit((unsigned char)p[i + 2])) {
			buf_addc(ret, (char)(g_ascii_xdigit_value(p[i + 1]) * 16 +
					     g_ascii_xdigit_value(p[i + 2])));
			i += 2;
		} else {
			buf_addc(ret, p[i] == '_' ? ' ' : p[i]);
		}
	}
}

static void add_word(struct pending *p, const struct word *w, struct buf *ret)
{
	_cleanup_free_ char *charset = xstrndup(w->charset, w->charset_len);

	charset[strcspn(charset, "*")] = '\0'; /* RFC 2231 allows a language */
	if (!p->charset || strcasecmp(p->charset, charset)) {
		flush(p, ret);
		free(p->charset);
		p->charset = take_ptr(charset);
	}
	if (w->base64) {
		_cleanup_free_ char *text = xstrndup(w->text, w->text_len);
		g_autofree guchar *bytes = NULL;
		gsize n = 0;

		bytes = g_base64_decode(text, &n);
		buf_add(&p->bytes, bytes, n);
	} else {
		add_q(w->text, w->text_len, &p->bytes);
	}
}

static bool is_blank(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p == end;
}

/*
 * Like git mailinfo: a word may stand anywhere, also inside another one. What only looks
 * like one is left as it is, where git would give the mail up.
 */
static void decode_words(const char *s, struct buf *ret)
{
	struct pending p = { .bytes = BUF_INIT };
	const char *text = s, *at = s;
	bool after = false;
	struct word w;

	while ((at = strstr(at, "=?"))) {
		if (!word_at(at, &w)) {
			at += 2;
			continue;
		}
		if (!after || !is_blank(text, at)) {
			flush(&p, ret);
			text_to_utf8(text, (size_t)(at - text), NULL, ret);
		}
		add_word(&p, &w, ret);
		after = true;
		text = at = w.end;
	}
	flush(&p, ret);
	text_to_utf8(text, strlen(text), NULL, ret);
	buf_release(&p.bytes);
	free(p.charset);
}

char *mail_header_decode(const char *raw)
{
	g_autofree char *unfolded = g_mime_utils_header_unfold(raw);
	_cleanup_buf_ struct buf utf8 = BUF_INIT;

	decode_words(unfolded, &utf8);
	return text_clean(buf_str(&utf8), utf8.len);
}
