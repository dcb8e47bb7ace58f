// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/mbox-line.h"
#include "mail/mbox.h"
#include "mail/spool.h"

/* Lines longer than this are seen as their beginning only. */
#define BLOCK ((size_t)256 << 10)

/* The lines of a spool, a block at a time. */
struct lines {
	const struct spool *in;
	char *block;
	size_t pos, len;
	uint64_t at; /* of block[0] */
	bool inside; /* the block's next byte continues a line */
};

struct at_line {
	struct line l;
	uint64_t at, behind;
	bool inside; /* not the beginning of its line */
};

/* What the mail being read has shown so far. */
struct seen {
	struct mbox_place place;
	uint64_t last_blank; /* offset of the last line when it is empty, else 0 */
	uint64_t until;	     /* end by Content-Length, 0 = not known */
	uint64_t claimed;    /* value of Content-Length + 1, 0 = none */
	bool known_writer, in_header, bare_from, internal;
};

struct scan {
	struct lines r;
	struct mbox_places found;
	bool *counted; /* beside found.v: the mail had a good Content-Length */
	struct seen m;
	bool open, bare, cl2;
};

static int refill(struct lines *r, struct err *e)
{
	uint64_t behind;
	size_t n;

	memmove(r->block, r->block + r->pos, r->len - r->pos);
	r->at += r->pos;
	r->len -= r->pos;
	r->pos = 0;
	behind = r->at + r->len;
	n = BLOCK - r->len;
	if (n > r->in->len - behind)
		n = (size_t)(r->in->len - behind);
	if (n && spool_read(r->in, behind, r->block + r->len, n, e) < 0)
		return -(int)e->code;
	r->len += n;
	return 0;
}

/* 1 and a line, 0 at the end, negative on error. */
static int next(struct lines *r, struct at_line *ret, struct err *e)
{
	char *nl = memchr(r->block + r->pos, '\n', r->len - r->pos);

	if (!nl && r->at + r->len < r->in->len && !(r->pos == 0 && r->len == BLOCK)) {
		if (refill(r, e) < 0)
			return -(int)e->code;
		nl = memchr(r->block, '\n', r->len);
	}
	if (r->pos == r->len)
		return 0;
	ret->inside = r->inside;
	ret->at = r->at + r->pos;
	ret->l.p = r->block + r->pos;
	ret->l.ended = nl != NULL;
	ret->l.len = (size_t)((nl ? nl : r->block + r->len) - ret->l.p);
	r->pos += ret->l.len + ret->l.ended;
	r->inside = !nl;
	ret->behind = r->at + r->pos;
	return 1;
}

static bool is_empty(const struct line *l)
{
	return !l->len || (l->len == 1 && l->p[0] == '\r');
}

/*
 * Whether a mail can end at that offset: at the end of the file or before a separator,
 * one or two line ends in front.
 */
static int ends_well(const struct spool *in, uint64_t at, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const size_t most = 1024;
	const char *p, *end;
	struct line l;
	size_t n;

	if (at > in->len || at == 0)
		return 0;
	n = in->len - at < most ? (size_t)(in->len - at) : most;
	if (spool_read(in, at - 1, buf_room(&b, n + 1), n + 1, e) < 0)
		return -(int)e->code;
	buf_grew(&b, n + 1);
	p = b.data + 1;
	end = p + n;
	if (p < end && b.data[0] != '\n' && *p != '\n' && *p != '\r')
		return 0;
	for (int i = 0; line_next(&p, end, &l); i++) {
		if (mbox_is_separator(&l))
			return 1;
		if (i > 1 || !is_empty(&l))
			return 0;
	}
	return 1;
}

static int begin(struct scan *s, const struct at_line *separator, struct err *e)
{
	if (s->found.nr >= MBOX_MAX_MAILS) {
		err_set(e, ERR_TOO_BIG, "mailbox has more than %d mails", MBOX_MAX_MAILS);
		return err_hint(e, "cut out the thread, or name one message-id of it");
	}
	s->m = (struct seen){ .in_header = true };
	if (separator) {
		s->m.place.at = separator->behind;
		s->m.place.quoting = mbox_writer(&separator->l, &s->m.known_writer);
	}
	s->open = true;
	return 0;
}

/* The mail ends before offset at; the writer ended it with one line end of its own. */
static void end(struct scan *s, uint64_t at)
{
	size_t nr = s->found.nr;
	struct seen *m = &s->m;

	if (!s->open)
		return;
	s->open = false;
	if (m->until)
		at = m->until;
	else if (!s->bare && m->last_blank > m->place.at)
		at = m->last_blank;
	m->place.len = at - m->place.at;
	if (m->until && !m->known_writer)
		m->place.quoting = MBOX_O;
	if (m->until)
		s->cl2 |= m->bare_from;
	else if (m->bare_from && !m->known_writer)
		m->place.quoting = MBOX_SEPARATOR;
	if (m->internal && !nr)
		return;
	*array_push(s->found.v, s->found.nr) = m->place;
	*array_push(s->counted, nr) = m->until != 0;
}

static void header_line(struct scan *s, const struct line *l)
{
	static const char name[] = "Content-Length:";
	_cleanup_free_ char *value = NULL;
	uint64_t n;

	if (!s->found.nr && line_starts_nocase(l, "From:") &&
	    text_find_nocase(l->p, l->len < 200 ? l->len : 200,
			     "Mail System Internal Data"))
		s->m.internal = true;
	if (!line_starts_nocase(l, name) || l->len > 64)
		return;
	value = text_trim(xstrndup(l->p + strlen(name), l->len - strlen(name)));
	if (parse_u64(value, &n) && n < UINT64_MAX / 2)
		s->m.claimed = n + 1;
}

/* A line that is no separator. */
static int look(struct scan *s, const struct at_line *a, struct err *e)
{
	struct seen *m = &s->m;
	bool empty = is_empty(&a->l);
	int good;

	m->last_blank = empty && a->l.ended ? a->at : 0;
	if (!m->in_header) {
		if (a->l.len && a->l.p[0] == 'F')
			m->bare_from |= line_starts(&a->l, "From ");
		return 0;
	}
	if (!empty) {
		header_line(s, &a->l);
		return 0;
	}
	m->in_header = false;
	if (!m->claimed || s->bare)
		return 0;
	good = ends_well(s->r.in, a->behind + m->claimed - 1, e);
	if (good > 0)
		m->until = a->behind + m->claimed - 1;
	return good < 0 ? good : 0;
}

static int take(struct scan *s, const struct at_line *a, struct err *e)
{
	bool counting = s->open && s->m.until && a->at < s->m.until;

	if (a->inside)
		return 0;
	if (!s->open && line_is_blank(&a->l))
		return 0;
	if (!s->bare && !counting && mbox_is_separator(&a->l)) {
		end(s, a->at);
		return begin(s, a, e);
	}
	if (!s->open) {
		s->bare = true;
		if (begin(s, NULL, e) < 0)
			return -(int)e->code;
		s->m.place.at = a->at;
	}
	return look(s, a, e);
}

static int scan_all(struct scan *s, struct err *e)
{
	struct at_line a;
	int r;

	if (refill(&s->r, e) < 0)
		return -(int)e->code;
	if (s->r.len >= 3 && !memcmp(s->r.block, "\xef\xbb\xbf", 3))
		s->r.pos = 3;
	while ((r = next(&s->r, &a, e)) > 0)
		if (take(s, &a, e) < 0)
			return -(int)e->code;
	end(s, s->r.in->len);
	for (size_t i = 0; s->cl2 && i < s->found.nr; i++)
		if (s->counted[i])
			s->found.v[i].quoting = MBOX_PLAIN;
	return r;
}

int mbox_scan(const struct spool *in, struct mbox_places *ret, struct err *e)
{
	_cleanup_free_ char *block = xcalloc(1, BLOCK);
	struct scan s = { .r = { .in = in, .block = block } };
	int r = scan_all(&s, e);

	free(s.counted);
	if (r < 0)
		free(s.found.v);
	else
		*ret = s.found;
	return r;
}
