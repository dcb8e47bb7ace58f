// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/trailer-line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define MAX_KEY 40
#define MAX_CONTINUED 10 /* lines of one value */

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

bool trailer_is_ext(const struct line *l)
{
	const char *p = l->p, *end = l->p + l->len;

	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	while (p < end && isblank((unsigned char)*p))
		p++;
	return end - p > 2 && *p == '[' && end[-1] == ']' &&
	       !memchr(p, ']', (size_t)(end - p - 1));
}

/* What follows the last '<' that no '>' closes, NULL when all are closed. */
static const char *open_address(const char *value)
{
	const char *open = strrchr(value, '<');

	return open && !strchr(open, '>') ? open : NULL;
}

/* Whether a quoted title, or the bracket behind a hash, is still open. */
static bool is_open_title(const char *value)
{
	const char *quote = strstr(value, "(\""), *bracket;

	value += strspn(value, " \t");
	if (quote)
		return !strstr(quote, "\")");
	bracket = strchr(value, '(');
	return bracket && bracket - value > 6 && parse_is_hex(value, 6) &&
	       !strchr(bracket, ')');
}

static bool is_whole(const char *value)
{
	const char *close = strrchr(value, '>'), *title = strstr(value, "\")");

	return (close && strchr(value, '@')) || title;
}

/*
 * Whether the next line goes on with this value: indented where it is not whole yet, the
 * address alone, or the rest of an address or title that is still open.
 */
static bool continues(const struct buf *value, const struct line *next)
{
	const char *v = buf_str(value);

	if (!next->len || line_is_blank(next) || trailer_is_ext(next))
		return false;
	if (is_open_title(v) || open_address(v))
		return !trailer_key_len(next);
	if (isblank((unsigned char)next->p[0]))
		return !is_whole(v);
	return next->p[0] == '<' && memchr(next->p, '@', next->len) && !strchr(v, '@');
}

/* "<a@x.org <mailto:a@x.org>>" is what an HTML editor leaves of an address. */
static char *without_mailto(char *s)
{
	char *junk = strstr(s, " <mailto:"), *end = junk ? strstr(junk, ">>") : NULL;

	if (end)
		memmove(junk, end + 1, strlen(end + 1) + 1);
	return s;
}

void trailer_take(const char **at, const char *end, const struct line *l, size_t key,
		  struct trailer_text *ret)
{
	_cleanup_buf_ struct buf value = BUF_INIT;
	const char *next_at = *at;
	struct line next;

	buf_add(&value, l->p + key + 1, l->len - key - 1);
	for (int i = 0; i < MAX_CONTINUED && line_next(&next_at, end, &next) &&
			continues(&value, &next);
	     i++) {
		if (!open_address(buf_str(&value)))
			buf_addc(&value, ' ');
		buf_add(&value, next.p, next.len);
		*at = next_at;
	}
	*ret = (struct trailer_text){ .key = xstrndup(l->p, key) };
	ret->value = without_mailto(text_clean(buf_str(&value), value.len));
	next_at = *at;
	if (line_next(&next_at, end, &next) && trailer_is_ext(&next)) {
		ret->ext = text_clean(next.p, next.len);
		*at = next_at;
	}
}

bool trailer_next(const char **at, const char *end, struct trailer_text *ret)
{
	struct line l;

	while (line_next(at, end, &l)) {
		size_t key = trailer_key_len(&l);

		if (!key)
			continue;
		trailer_take(at, end, &l, key, ret);
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

bool trailer_is_link(const char *key)
{
	return !strcasecmp(key, "Link") || !strcasecmp(key, "BugLink") ||
	       !strcasecmp(key, "Closes");
}

void trailer_text_release(struct trailer_text *t)
{
	free(t->key);
	free(t->value);
	free(t->ext);
	*t = (struct trailer_text){ 0 };
}
