// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/reply-words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

#define MAX_SHOWN 60

/* Where the last sentence of s begins; a line feed ends a paragraph and a sentence. */
static size_t sentence_start(const char *s, size_t len)
{
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	while (len && strchr(".!?:", s[len - 1]))
		len--;
	while (len) {
		char c = s[len - 1];

		if (c == '\n' || (strchr(".!?", c) && isspace((unsigned char)s[len])))
			break;
		len--;
	}
	return len;
}

/* The first of the phrases in s, NULL when none is. */
static const char *first_of(const char *s, const char *const *phrases)
{
	for (; *phrases; phrases++) {
		const char *p = strcasestr(s, *phrases);

		if (p && (p == s || !isalnum((unsigned char)p[-1])))
			return p;
	}
	return NULL;
}

static bool is_condition(const char *sentence)
{
	static const char *const phrases[] = {
		"if you ",     "if that ",   "if this ",	"if the ",
		"if it ",      "unless ",    "provided ",	"assuming ",
		"once ",       "otherwise",  "as long as",	"modulo ",
		"conditional", "subject to", "other than that", "apart from",
		"aside from",  "nit aside",  "nits aside",	"except for",
		"after fix",   "after you",  "when you ",	NULL
	};
	static const char *const with[] = { "with ", NULL };
	static const char *const changes[] = { "fixed",	  "addressed", "changed",
					       "removed", "corrected", "resolved",
					       "updated", "dropped",   "done",
					       "added",	  "renamed",   "that",
					       "this ",	  "those ",    NULL };
	const char *p = first_of(sentence, with);

	return first_of(sentence, phrases) || (p && first_of(p, changes));
}

/* A sentence fit to be shown as reason. */
static char *shown(const char *p, size_t len)
{
	char *s = text_clean(p, len);
	size_t n = strlen(s);

	if (n <= MAX_SHOWN)
		return s;
	n = MAX_SHOWN - 3;
	while (n && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	memcpy(s + n, "...", 4);
	return s;
}

/* The last of the nr last sentences that test accepts. */
static char *find_sentence(const char *above, int nr, bool (*test)(const char *))
{
	size_t end = strlen(above);

	for (int i = 0; i < nr && end; i++) {
		size_t start = sentence_start(above, end);
		_cleanup_free_ char *s = xstrndup(above + start, end - start);

		if (test(s))
			return shown(s, strlen(s));
		end = start;
	}
	return NULL;
}

char *words_condition(const char *above)
{
	return find_sentence(above, 2, is_condition);
}

bool words_condition_behind(const struct line *next)
{
	static const char *const starts[] = { "if ",	   "provided ", "assuming ",
					      "once ",	   "unless ",	"with ",
					      "as long ",  "modulo ",	"after ",
					      "when you ", "but ",	"pending " };
	struct line l = *next;

	while (l.len && (isblank((unsigned char)*l.p) || *l.p == '(')) {
		l.p++;
		l.len--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (line_starts_nocase(&l, starts[i]))
			return true;
	return false;
}

/* "patches 1-2", "patch 3", "2/5 and 3/5". */
static bool is_scope(const char *sentence)
{
	for (const char *p = sentence; (p = strcasestr(p, "patch")); p += 5) {
		const char *d = p + 5;

		d += !strncasecmp(d, "es", 2) ? 2 : 0;
		d += strspn(d, " #");
		if (isdigit((unsigned char)*d))
			return true;
	}
	for (const char *p = sentence; (p = strchr(p, '/')); p++)
		if (p > sentence && isdigit((unsigned char)p[-1]) &&
		    isdigit((unsigned char)p[1]))
			return true;
	return false;
}

char *words_scope(const char *above)
{
	return find_sentence(above, 1, is_scope);
}

bool words_advice(const char *above)
{
	static const char *const phrases[] = { "kindly add following tag",
					       "add the following tag",
					       "add following tag",
					       "if you fix the issue",
					       "please credit",
					       "please add the tag",
					       "please add this tag",
					       NULL };

	return first_of(above, phrases) != NULL;
}

bool words_is_robot(const struct mail *m)
{
	static const char *const names[] = { "kernel test robot",
					     "syzbot",
					     "patchwork-bot",
					     "lkp@intel.com",
					     "kernel-test-robot",
					     "buildbot",
					     "noreply@",
					     "no-reply@",
					     NULL };
	_cleanup_free_ char *who = xasprintf("%s <%s>", m->from_name, m->from_email);

	return first_of(who, names) != NULL;
}
