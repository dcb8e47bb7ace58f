// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/reply-reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/reply-words.h"

/* Words further up do not speak of the trailer; robots write long notes, though. */
#define MAX_ABOVE 800

void reply_reader_init(struct reply_reader *r, const struct mail *reply)
{
	*r = (struct reply_reader){ 0 };
	r->at = r->paragraph = buf_str(&reply->text);
	r->end = r->at + reply->text.len;
}

static struct line unindented(const struct line *l)
{
	struct line r = *l;

	while (r.len && isblank((unsigned char)*r.p)) {
		r.p++;
		r.len--;
	}
	return r;
}

static bool is_quote(const struct line *l)
{
	struct line r = unindented(l);

	return r.len && (*r.p == '>' || *r.p == '|');
}

/* A diff, or the mail answered copied below without quoting. */
static bool is_end(const struct line *l)
{
	return line_starts(l, "diff --git ") || line_starts(l, "Index: ") ||
	       line_starts_nocase(l, "-----Original Message") ||
	       line_starts_nocase(l, "---------- Forwarded message");
}

static bool is_break(const struct line *l)
{
	return line_is_blank(l) || is_quote(l) || line_is(l, "-- ") || is_end(l);
}

/* Look at the paragraph that begins with l: is it made of trailers? */
static void look_ahead(struct reply_reader *r, const struct line *l)
{
	const char *at = l->p;
	struct line x;
	bool open = false;

	r->block = true;
	r->paragraph = r->at;
	while (line_next(&at, r->end, &x) && !is_break(&x)) {
		struct line bare = unindented(&x);
		size_t key = trailer_key_len(&bare);
		const char *next = at;
		struct trailer_text t = { 0 };

		r->paragraph = at;
		if (!key) {
			r->block &= open &&
				    (trailer_is_ext(&x) || line_starts(&bare, "#"));
			continue;
		}
		trailer_take(&next, r->end, &bare, key, &t);
		trailer_text_release(&t);
		open = true;
		r->paragraph = at = next;
	}
}

/* A blank line is kept as a line feed; of long text the end is kept. */
static void remember(struct reply_reader *r, const struct line *l)
{
	size_t n = l->len < MAX_ABOVE ? l->len : MAX_ABOVE;

	if (line_is_blank(l)) {
		buf_addc(&r->above, '\n');
		return;
	}
	if (r->above.len + n > 2 * MAX_ABOVE) {
		size_t drop = r->above.len - MAX_ABOVE / 2;

		memmove(r->above.data, r->above.data + drop, r->above.len - drop + 1);
		r->above.len -= drop;
	}
	buf_add(&r->above, l->p, n);
	buf_addc(&r->above, ' ');
}

static void judge_words(struct reply_reader *r, struct found_trailer *f)
{
	const char *above = buf_str(&r->above), *at = r->at;
	struct line next;

	f->condition = words_condition(above);
	f->scope = words_scope(above);
	f->advice = words_advice(above);
	if (!f->condition && line_next(&at, r->end, &next) && !is_break(&next) &&
	    words_condition_behind(&next))
		f->condition = text_clean(next.p, next.len < 60 ? next.len : 60);
}

/* A review tag in running text: "with that, Reviewed-by: A <a@x.org>". */
static bool take_from_sentence(const struct line *l, struct trailer_text *ret)
{
	static const char *const keys[] = { "Reviewed-by:", "Acked-by:", "Tested-by:",
					    "Nacked-by:" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *p = text_find_nocase(l->p, l->len, keys[i]);
		size_t n = strlen(keys[i]);

		if (!p || p == l->p || !memchr(p, '@', (size_t)(l->p + l->len - p)))
			continue;
		*ret = (struct trailer_text){ .key = xstrndup(p, n - 1) };
		ret->value = text_clean(p + n, (size_t)(l->p + l->len - p) - n);
		return true;
	}
	return false;
}

/* A person's trailer behind quote marks. */
static bool take_quoted(const struct line *l, struct found_trailer *ret)
{
	struct line bare = *l;
	size_t key;

	while (bare.len && strchr("> |\t", *bare.p)) {
		bare.p++;
		bare.len--;
	}
	key = trailer_key_len(&bare);
	if (!key || !memchr(bare.p, '@', bare.len))
		return false;
	ret->text.key = xstrndup(bare.p, key);
	ret->text.value = text_clean(bare.p + key + 1, bare.len - key - 1);
	ret->place = FOUND_QUOTE;
	if (trailer_is_person(ret->text.key))
		return true;
	found_trailer_release(ret);
	return false;
}

static bool is_wanted(const struct line *l, size_t key)
{
	_cleanup_free_ char *name = xstrndup(l->p, key);

	return trailer_is_person(name) || trailer_is_link(name) ||
	       !strcasecmp(name, "Fixes");
}

static bool take_own(struct reply_reader *r, const struct line *l,
		     struct found_trailer *ret)
{
	struct line bare = unindented(l);
	bool block = r->block && !r->signature;
	size_t key = block ? trailer_key_len(&bare) : trailer_key_len(l);

	if (key && !is_wanted(block ? &bare : l, key))
		return false;
	if (key) {
		trailer_take(&r->at, r->end, block ? &bare : l, key, &ret->text);
		ret->place = block ? FOUND_BLOCK : FOUND_LINE;
	} else if (take_from_sentence(l, &ret->text)) {
		/* The words in front of it on its line are above it, too. */
		ret->place = FOUND_SENTENCE;
		remember(r, l);
	} else {
		return false;
	}
	if (r->signature)
		ret->place = FOUND_SIGNATURE;
	judge_words(r, ret);
	return true;
}

bool reply_reader_next(struct reply_reader *r, struct found_trailer *ret)
{
	struct line l;

	*ret = (struct found_trailer){ 0 };
	while (line_next(&r->at, r->end, &l) && !is_end(&l)) {
		if (line_is(&l, "-- ")) {
			r->signature = true;
			continue;
		}
		if (is_quote(&l)) {
			buf_clear(&r->above);
			if (take_quoted(&l, ret))
				return true;
			continue;
		}
		if (!line_is_blank(&l)) {
			if (l.p >= r->paragraph)
				look_ahead(r, &l);
			if (take_own(r, &l, ret))
				return true;
		}
		remember(r, &l);
	}
	r->at = r->end;
	return false;
}

void found_trailer_release(struct found_trailer *f)
{
	trailer_text_release(&f->text);
	free(f->condition);
	free(f->scope);
	*f = (struct found_trailer){ 0 };
}

void reply_reader_release(struct reply_reader *r)
{
	buf_release(&r->above);
}
