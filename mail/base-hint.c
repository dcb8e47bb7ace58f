// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/base-hint.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/text.h"

#define MAX_PROSE (64 << 10)
#define MAX_SENTENCE 200
#define MAX_NAME 80

static const char *const phrases[] = {
	"based on ",	 "based upon ", "based off ",	    "rebased to ",
	"rebased onto ", "on top of ",	"applies to ",	    "applies on ",
	"apply to ",	 "apply on ",	"applies against ", "applies cleanly ",
	"against ",
};

/* The sender's words in front of the diff, a blank line kept as end of a sentence. */
static void own_words(const struct buf *text, struct buf *ret)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;

	while (ret->len < MAX_PROSE && line_next(&at, end, &l)) {
		if (line_starts(&l, "diff -") || line_starts(&l, "Index: ") ||
		    line_starts(&l, "--- a/"))
			break;
		if (line_starts(&l, ">"))
			continue;
		if (line_is_blank(&l)) {
			buf_addc(ret, '\n');
			continue;
		}
		buf_add(ret, l.p, l.len);
		buf_addc(ret, ' ');
	}
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* "6.9", "v6.9-rc1", "v6.9.3": the tag the kernel has for it, else NULL. Owned. */
static char *version_tag(const char *w)
{
	const char *p = w + (*w == 'v' || *w == 'V');
	const char *number = p;
	size_t n = digits(p);

	if (!n || n > 2 || p[n] != '.' || !digits(p + n + 1))
		return NULL;
	p += n + 1;
	p += digits(p);
	if (*p == '.' && digits(p + 1))
		p += 1 + digits(p + 1);
	if (!strncmp(p, "-rc", 3) && digits(p + 3))
		p += 3 + digits(p + 3);
	return *p ? NULL : xasprintf("v%s", number);
}

static bool is_hash(const char *w)
{
	size_t n = strlen(w);

	return n >= 12 && n <= 64 && parse_is_hex(w, n) && strpbrk(w, "0123456789");
}

/* "kvm/next", "tip/sched/core"; file names and addresses have dots or more. */
static bool is_branch(const char *w)
{
	const char *slash = strchr(w, '/');

	if (!slash || slash == w || !slash[1] || strstr(w, "//") || strchr(w, '.'))
		return false;
	for (const char *p = w; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("/-_", *p))
			return false;
	return isalpha((unsigned char)*w);
}

static bool is_tree(const char *w)
{
	size_t n = strlen(w);

	if (!strcasecmp(w, "mainline") || !strcasecmp(w, "linux-next"))
		return true;
	if (!strncmp(w, "next-", 5))
		return digits(w + 5) == 8 && !w[13];
	for (const char *p = w; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-')
			return false;
	return n > 5 && !strcmp(w + n - 5, "-next");
}

static void take_word(const char *w, const char *message_id, struct series *s)
{
	_cleanup_free_ char *tag = version_tag(w);

	if (is_hash(w))
		series_add_base_hint(s, "commit", w, message_id);
	else if (tag)
		series_add_base_hint(s, "name", tag, message_id);
	else if (is_tree(w) || is_branch(w))
		series_add_base_hint(s, "name", w, message_id);
}

/* The words up to the end of the sentence at p. */
static void take_sentence(const char *p, const char *message_id, struct series *s)
{
	static const char between[] = " \t,;:()[]{}<>\"'`*";
	const char *limit = p + strnlen(p, MAX_SENTENCE);

	while (p < limit && *p != '\n') {
		size_t n = strcspn(p, " \t,;:()[]{}<>\"'`*\n");
		bool last = n && strchr(".!?", p[n - 1]) &&
			    (!p[n] || p[n] == ' ' || p[n] == '\n');
		_cleanup_free_ char *w = xstrndup(p, n - last);

		if (n && n <= MAX_NAME)
			take_word(w, message_id, s);
		if (last)
			return;
		p += n;
		p += strspn(p, between);
	}
}

void base_hints_of_prose(const struct buf *text, const char *message_id, struct series *s)
{
	_cleanup_buf_ struct buf words = BUF_INIT;
	const char *p;

	own_words(text, &words);
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		p = buf_str(&words);
		while ((p = strcasestr(p, phrases[i]))) {
			p += strlen(phrases[i]);
			take_sentence(p, message_id, s);
		}
	}
}

void base_hints_of_subject(const struct subject *subject, const char *message_id,
			   struct series *s)
{
	for (size_t i = 0; i < subject->tags.nr; i++) {
		const char *w = subject->tags.v[i];
		bool ok = strlen(w) <= MAX_NAME && isalnum((unsigned char)*w);

		for (const char *p = w; ok && *p; p++)
			ok = isalnum((unsigned char)*p) || strchr("-_./", *p);
		if (ok)
			series_add_base_hint(s, "subject", w, message_id);
	}
}
