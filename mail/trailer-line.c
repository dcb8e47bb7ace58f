// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/trailer-line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"

#define MAX_KEY 40

size_t trailer_key_len(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && n <= MAX_KEY &&
	       (isalnum((unsigned char)l->p[n]) || l->p[n] == '-'))
		n++;
	if (!n || n > MAX_KEY || n >= l->len || l->p[n] != ':' ||
	    !isalpha((unsigned char)l->p[0]))
		return 0;
	/* "https://..." and "C++: ..." are no trailers. */
	if (n + 1 < l->len && !isblank((unsigned char)l->p[n + 1]))
		return 0;
	return n;
}

/*
 * Whether the next line goes on with this value: indented, the address alone, or the rest
 * of a quoted title that is still open.
 */
static bool continues(const struct buf *value, const struct line *next)
{
	const char *quote;

	if (!next->len || line_is_blank(next))
		return false;
	if (isblank((unsigned char)next->p[0]))
		return true;
	if (next->p[0] == '<' && memchr(next->p, '@', next->len) &&
	    !strchr(buf_str(value), '@'))
		return true;
	quote = strstr(buf_str(value), "(\"");
	return quote && !strstr(quote, "\")") && !trailer_key_len(next);
}

/* "<a@x.org <mailto:a@x.org>>" is what an HTML editor leaves of an address. */
static char *without_mailto(char *s)
{
	char *junk = strstr(s, " <mailto:"), *end = junk ? strstr(junk, ">>") : NULL;

	if (end)
		memmove(junk, end + 1, strlen(end + 1) + 1);
	return s;
}

static void take(const char **at, const char *end, const struct line *l, size_t key,
		 struct trailer_text *ret)
{
	_cleanup_buf_ struct buf value = BUF_INIT;
	const char *next_at = *at;
	struct line next;

	buf_add(&value, l->p + key + 1, l->len - key - 1);
	while (line_next(&next_at, end, &next) && continues(&value, &next)) {
		buf_addc(&value, ' ');
		buf_add(&value, next.p, next.len);
		*at = next_at;
	}
	ret->key = xstrndup(l->p, key);
	ret->value = without_mailto(text_clean(buf_str(&value), value.len));
	ret->in_sentence = false;
}

bool trailer_next(const char **at, const char *end, struct trailer_text *ret)
{
	struct line l;

	while (line_next(at, end, &l)) {
		size_t key = trailer_key_len(&l);

		if (!key)
			continue;
		take(at, end, &l, key, ret);
		return true;
	}
	return false;
}

bool trailer_is_person(const char *key)
{
	size_t n = strlen(key);

	return n > 3 && !strcasecmp(key + n - 3, "-by");
}

bool trailer_is_review(const char *key)
{
	return !strcasecmp(key, "Reviewed-by") || !strcasecmp(key, "Acked-by") ||
	       !strcasecmp(key, "Tested-by") || !strcasecmp(key, "Nacked-by");
}

void trailer_text_release(struct trailer_text *t)
{
	free(t->key);
	free(t->value);
	*t = (struct trailer_text){ 0 };
}

static bool has(const struct buf *b, const char *needle)
{
	return text_find_nocase(buf_str(b), b->len, needle) != NULL;
}

/* Robots tell authors which trailers a fix of their finding should have. */
static bool is_advice(const struct buf *above)
{
	static const char *const phrases[] = {
		"kindly add following tag", "add the following tag", "add following tag",
		"if you fix the issue",	    "please credit",	     "please add the tag",
	};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		if (has(above, phrases[i]))
			return true;
	return false;
}

static bool is_bot(const struct mail *m)
{
	static const char *const names[] = { "kernel test robot", "syzbot",
					     "patchwork-bot",	  "lkp@intel.com",
					     "noreply@",	  "no-reply@" };
	struct buf who = BUF_INIT;
	bool found = false;

	buf_addf(&who, "%s <%s>", m->from_name, m->from_email);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		found |= has(&who, names[i]);
	buf_release(&who);
	return found;
}

/* "With that fixed:", "If you drop the goto, then": a tag for a patch that is not this
 * one. */
static bool is_condition(const struct buf *above)
{
	static const char *const words[] = { "if you ", "if that ",  "if this ",
					     "unless ", "provided ", "assuming ",
					     "once ",	"otherwise" };
	static const char *const changes[] = { "fixed",	  "addressed", "changed",
					       "removed", "corrected", "resolved",
					       "updated", "dropped",   "done",
					       "added",	  "renamed",   "that" };
	const char *with = text_find_nocase(buf_str(above), above->len, "with ");

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (has(above, words[i]))
			return true;
	for (size_t i = 0; with && i < ARRAY_SIZE(changes); i++)
		if (text_find_nocase(with, strlen(with), changes[i]))
			return true;
	return false;
}

static bool is_quote(const struct line *l)
{
	size_t i = 0;

	while (i < l->len && isblank((unsigned char)l->p[i]))
		i++;
	return i < l->len && (l->p[i] == '>' || l->p[i] == '|');
}

void reply_start(struct reply_state *r, const struct mail *reply)
{
	*r = (struct reply_state){ .has_patch = mail_has_patch(reply),
				   .bot = is_bot(reply) };
	r->at = buf_str(&reply->text);
	r->end = r->at + reply->text.len;
}

/* A review tag in running text: "with that, Reviewed-by: A <a@x.org>". */
static bool take_from_sentence(const struct line *l, struct trailer_text *ret)
{
	static const char *const keys[] = { "Reviewed-by:", "Acked-by:", "Tested-by:" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *p = text_find_nocase(l->p, l->len, keys[i]);
		size_t n = strlen(keys[i]);

		if (!p || p == l->p || !memchr(p, '@', (size_t)(l->p + l->len - p)))
			continue;
		ret->key = xstrndup(p, n - 1);
		ret->value = text_clean(p + n, (size_t)(l->p + l->len - p) - n);
		ret->in_sentence = true;
		return true;
	}
	return false;
}

/* Text above counts up to the last quoted line; a blank line after a full stop ends it.
 */
static void remember(struct reply_state *r, const struct line *l)
{
	if (line_is_blank(l)) {
		while (r->above.len &&
		       isspace((unsigned char)r->above.data[r->above.len - 1]))
			r->above.data[--r->above.len] = '\0';
		if (r->above.len && r->above.data[r->above.len - 1] == '.' &&
		    !is_advice(&r->above) && !is_condition(&r->above))
			buf_clear(&r->above);
		return;
	}
	buf_add(&r->above, l->p, l->len);
	buf_addc(&r->above, ' ');
}

static bool is_end(const struct line *l)
{
	return line_is(l, "-- ") || line_starts(l, "diff --git ") ||
	       line_starts(l, "Index: ");
}

bool reply_next(struct reply_state *r, struct trailer_text *ret)
{
	struct line l;

	while (line_next(&r->at, r->end, &l) && !is_end(&l)) {
		size_t key;

		if (is_quote(&l)) {
			buf_clear(&r->above);
			continue;
		}
		key = trailer_key_len(&l);
		r->advice = is_advice(&r->above) ||
			    (r->bot && key && !line_starts_nocase(&l, "Tested-by:"));
		r->condition = is_condition(&r->above);
		if (key) {
			take(&r->at, r->end, &l, key, ret);
			if (trailer_is_person(ret->key) ||
			    !strcasecmp(ret->key, "Fixes") || r->advice)
				return true;
			trailer_text_release(ret);
		} else if (take_from_sentence(&l, ret)) {
			return true;
		}
		remember(r, &l);
	}
	buf_release(&r->above);
	return false;
}
