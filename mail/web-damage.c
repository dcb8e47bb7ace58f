// SPDX-License-Identifier: GPL-3.0-or-later
/* What archives for people to read do to addresses and to white space. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/damage.h"
#include "mail/text.h"
#include "mail/web-page.h"

#define MAX_SHOWN 60

static bool is_local(char c)
{
	return isalnum((unsigned char)c) || strchr("._+-=", c);
}

/* The word around the '@' at p, for the message. */
static char *shown(const char *start, const char *p, const char *end)
{
	const char *from = p, *to = p + 1;

	while (from > start && p - from < MAX_SHOWN && from[-1] && is_local(from[-1]))
		from--;
	while (to < end && to - p < MAX_SHOWN && *to && (is_local(*to) || *to == '@'))
		to++;
	return text_clean(from, (size_t)(to - from));
}

/* "@xxxxxxxxx" (MHonArc's spammode: each character of the domain), "@...main.org". */
static bool is_masked_domain(const char *p, const char *end)
{
	size_t n = 0;

	if (end - p >= 4 && !memcmp(p, "...", 3) &&
	    (isalnum((unsigned char)p[3]) || p[3] == '.'))
		return true;
	while (p + n < end && p[n] == 'x')
		n++;
	return n >= 4 && (p + n == end || !(isalnum((unsigned char)p[n]) || p[n] == '.'));
}

static const char *hidden_words(const char *p, size_t len)
{
	static const char *const words[] = { "[email protected]", "[EMAIL PROTECTED]",
					     "address@hidden", "@DOMAIN.HIDDEN" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (memmem(p, len, words[i], strlen(words[i])))
			return words[i];
	return NULL;
}

/* "name () host ! tld": marc.info. */
static const char *marc_address(const char *p, size_t len)
{
	const char *at = p, *end = p + len;

	while ((at = memmem(at, (size_t)(end - at), " () ", 4))) {
		const char *host = at + 4;
		size_t n = 0;

		while (host + n < end &&
		       (isalnum((unsigned char)host[n]) || host[n] == '-'))
			n++;
		if (at > p && is_local(at[-1]) && n && end - host >= (long)n + 3 &&
		    !memcmp(host + n, " ! ", 3))
			return at;
		at = host;
	}
	return NULL;
}

char *web_damage_address(const char *p, size_t len)
{
	const char *at = p, *end = p + len, *word = hidden_words(p, len);

	if (word)
		return xstrdup(word);
	at = marc_address(p, len);
	if (at) {
		size_t n = 0;

		while (at + n < end && n < MAX_SHOWN && at[n] != '\n' && at[n] != '>')
			n++;
		while (at > p && is_local(at[-1]) && n < 2 * MAX_SHOWN) {
			at--;
			n++;
		}
		return text_clean(at, n);
	}
	for (at = p; (at = memchr(at, '@', (size_t)(end - at))); at++)
		if (at > p && is_local(at[-1]) && is_masked_domain(at + 1, end))
			return shown(p, at, end);
	return NULL;
}

/* What the lines of a diff's hunks look like. */
struct looks {
	size_t line;	     /* of the text, counted from 1 */
	size_t hunks, blank; /* hunks; context lines with their blank */
	size_t bare;	     /* first line of a hunk that lost its blank, 0 = none */
	size_t spaces;	     /* first line indented by a tab's width of blanks */
	bool tabs;	     /* some line is indented by a tab */
	bool in_hunk;
};

static bool begins_other(const struct line *l)
{
	return line_starts(l, "diff --git ") || line_starts(l, "--- ") ||
	       line_starts(l, "+++ ") || line_starts(l, "index ") ||
	       line_starts(l, "-- ") || line_is(l, "--");
}

static void look_at(struct looks *k, const struct line *l)
{
	char c = l->len ? l->p[0] : '\0';

	if (line_starts(l, "@@ -")) {
		k->in_hunk = true;
		k->hunks++;
		return;
	}
	if (begins_other(l))
		k->in_hunk = false;
	if (!k->in_hunk)
		return;
	k->blank += c == ' ';
	if (c && c != ' ' && c != '+' && c != '-' && c != '\\' && !k->bare)
		k->bare = k->line;
	if (l->len > 1 && l->p[1] == '\t')
		k->tabs = true;
	/* Seven: the marker stands in the column the first tab filled. */
	if (l->len > 8 && !memcmp(l->p + 1, "       ", 7) && !k->spaces)
		k->spaces = k->line;
}

/* Files of a kernel whose lines are indented by tabs. */
static bool is_tab_file(const struct line *l)
{
	static const char *const ends[] = { ".c", ".h", ".S", "Makefile", "Kconfig" };

	for (size_t i = 0; line_starts(l, "+++ ") && i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);

		if (l->len > n && !memcmp(l->p + l->len - n, ends[i], n))
			return true;
	}
	return false;
}

static void add(struct buf *b, char *text)
{
	if (b->len && text)
		buf_adds(b, "; ");
	buf_adds(b, text ?: "");
	free(text);
}

char *web_damage_find(const char *p, size_t len)
{
	_cleanup_free_ char *address = web_damage_address(p, len);
	_cleanup_buf_ struct buf b = BUF_INIT, diff = BUF_INIT;
	const char *at = p, *end = p + len;
	struct looks k = { 0 };
	bool tab_file = false;
	struct line l;

	while (line_next(&at, end, &l)) {
		k.line++;
		tab_file |= is_tab_file(&l);
		if (!diff.len && line_starts(&l, "diff --git "))
			buf_add(&diff, l.p, (size_t)(end - l.p));
		look_at(&k, &l);
	}
	if (address)
		add(&b, xasprintf("addresses are masked ('%s')", address));
	if (k.bare && !k.blank)
		add(&b, xasprintf("leading blanks are lost (line %zu)", k.bare));
	else if (k.hunks)
		add(&b, damage_find(&diff));
	if (k.spaces && !k.tabs && tab_file)
		add(&b, xasprintf("tabs became blanks (line %zu)", k.spaces));
	return b.len ? buf_take(&b) : NULL;
}
