// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/subject.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/text.h"

#define MAX_NUMBER 99999
#define MAX_REVISION 9999

/* How mail programs of the world begin a reply or a forward; the colon follows. */
static const char *const reply_words[] = {
	"re",  "aw", "fwd", "fw",   "wg",   "sv",   "vs",   "antw",
	"res", "rv", "tr",  "回复", "答复", "转发", "回覆",
};

/* The bytes of a reply marker at s ("Re:", "Re[2]:", "RE :"), 0 when there is none. */
static size_t reply_len(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(reply_words); i++) {
		size_t n = strlen(reply_words[i]);

		if (strncasecmp(s, reply_words[i], n))
			continue;
		if (s[n] == '[' && isdigit((unsigned char)s[n + 1]))
			n += strcspn(s + n, "]") + 1;
		while (s[n] == ' ')
			n++;
		if (s[n] == ':')
			return n + 1;
		if (!strncmp(s + n, "：", 3))
			return n + 3;
	}
	return 0;
}

/*
 * The bracket closing the one at s. Brackets inside brackets are balanced; where they are
 * not, the first closing one counts.
 */
static const char *bracket_end(const char *s)
{
	int depth = 0;

	for (const char *p = s; *p; p++) {
		depth += (*p == '[') - (*p == ']');
		if (*p == ']' && depth == 0)
			return p;
	}
	return strchr(s, ']');
}

static size_t number_at(const char *s, int max, int *ret)
{
	size_t n = strspn(s, "0123456789");
	_cleanup_free_ char *t = xstrndup(s, n);

	return n && parse_int(t, 0, max, ret) ? n : 0;
}

static void word(struct subject *s, const char *w);

/* "2/7", "02/07", "x/n"; what follows ("1/2v3") is a word of its own. */
static bool counter(struct subject *s, const char *w)
{
	int number, total;
	size_t n, m;

	if (!strcasecmp(w, "x/n") || !strcasecmp(w, "n/n") || !strcasecmp(w, "n/m")) {
		s->patch = true;
		return true;
	}
	n = number_at(w, MAX_NUMBER, &number);
	if (!n || w[n] != '/')
		return false;
	m = number_at(w + n + 1, MAX_NUMBER, &total);
	if (!m)
		return false;
	s->counted = s->patch = true;
	s->number = number;
	s->total = total;
	word(s, w + n + 1 + m);
	return true;
}

/*
 * "v2", "V02", "v5.1", "v2-resend". Two digits behind the dot, or two dots, are a kernel
 * version ("v5.10", "v6.1.y").
 */
static bool revision(struct subject *s, const char *w)
{
	int major, minor = 0;
	size_t n, m = 0;

	if (*w != 'v' && *w != 'V')
		return false;
	n = number_at(w + 1, MAX_REVISION, &major);
	if (!n)
		return false;
	w += 1 + n;
	if (*w == '.') {
		m = number_at(w + 1, MAX_REVISION, &minor);
		if (m != 1 || w[2] == '.')
			return false;
		w += 2;
	}
	if (*w && *w != '-' && *w != '_' && *w != '/')
		return false;
	s->patch = true;
	s->revision = major ? major : 1;
	s->subrevision = minor;
	if (*w)
		word(s, w + 1);
	return true;
}

/* "PATCHv3", "PATCH1/8", "RFCv2", "RFC/PATCH", "PATCH-v2": a known word, then another. */
static bool known(struct subject *s, const char *w)
{
	static const struct {
		const char *word;
		size_t flag, flag2;
	} words[] = {
		{ "patches", offsetof(struct subject, patch), 0 },
		{ "patch", offsetof(struct subject, patch), 0 },
		{ "rfc", offsetof(struct subject, rfc), offsetof(struct subject, patch) },
		{ "rft", offsetof(struct subject, rfc), offsetof(struct subject, patch) },
		{ "resend", offsetof(struct subject, resend), 0 },
		{ "repost", offsetof(struct subject, resend), 0 },
		{ "pull", offsetof(struct subject, pull), 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i].word);
		struct subject probe = { 0 };
		bool more;

		if (strncasecmp(w, words[i].word, n))
			continue;
		if (isalpha((unsigned char)w[n])) {
			/* "PATCHv3" yes, "patchwork" no. */
			bool rev = revision(&probe, w + n);

			subject_release(&probe);
			if (!rev)
				continue;
		}
		*(bool *)((char *)s + words[i].flag) = true;
		if (words[i].flag2)
			*(bool *)((char *)s + words[i].flag2) = true;
		more = w[n] && strchr("-_/:#", w[n]);
		word(s, w + n + more);
		return true;
	}
	return false;
}

static void word(struct subject *s, const char *w)
{
	if (!*w || counter(s, w) || revision(s, w) || known(s, w))
		return;
	if (w[0] == '-' && w[1])
		w++; /* "-next", "-stable" */
	if (!strv_has(&s->tags, w))
		strv_add(&s->tags, w);
}

/* "1 of 3" is three words for one counter. */
static size_t mercurial(struct subject *s, const struct strv *words, size_t i)
{
	int number, total;

	if (i + 2 >= words->nr || strcasecmp(words->v[i + 1], "of") ||
	    !parse_int(words->v[i], 0, MAX_NUMBER, &number) ||
	    !parse_int(words->v[i + 2], 0, MAX_NUMBER, &total))
		return 0;
	s->counted = s->patch = true;
	s->number = number;
	s->total = total;
	return 2;
}

static void bracket(struct subject *s, const char *p, size_t len)
{
	static const char separators[] = " \t,;[]()";
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_free_ char *copy = xstrndup(p, len);
	const char *at = copy;

	while (*(at += strspn(at, separators))) {
		size_t n = strcspn(at, separators);

		strv_take(&words, xstrndup(at, n));
		at += n;
	}
	for (size_t i = 0; i < words.nr; i++) {
		size_t used = mercurial(s, &words, i);

		if (!used)
			word(s, words.v[i]);
		i += used;
	}
}

/* "title (v2)", "title [ver #2]": only where the brackets in front gave no revision. */
static void trailing_revision(struct subject *s)
{
	size_t len = strlen(s->title);
	const char *open, *p;
	int n;

	if (s->revision || len < 4)
		return;
	if (s->title[len - 1] == ')')
		open = strrchr(s->title, '(');
	else if (s->title[len - 1] == ']')
		open = strrchr(s->title, '[');
	else
		return;
	if (!open)
		return;
	p = open + 1;
	if (!strncasecmp(p, "ver #", 5))
		p += 5;
	else if (*p == 'v' || *p == 'V')
		p++;
	else
		return;
	len = number_at(p, MAX_REVISION, &n);
	if (len && (p[len] == ')' || p[len] == ']') && n)
		s->revision = n;
}

/*
 * Like git am, but knowing replies in other languages and brackets inside brackets;
 * for what git am understands the two agree.
 */
static const char *skip_prefixes(struct subject *s, const char *p)
{
	for (;;) {
		const char *end;
		size_t n;

		while (*p && (isspace((unsigned char)*p) || *p == ':'))
			p++;
		n = reply_len(p);
		if (n) {
			if (s)
				s->reply = true;
			p += n;
			continue;
		}
		end = *p == '[' ? bracket_end(p) : NULL;
		if (!end)
			return p;
		if (s)
			bracket(s, p + 1, (size_t)(end - p - 1));
		p = end + 1;
	}
}

void subject_parse(const char *text, struct subject *ret)
{
	struct subject s = { 0 };

	s.title = text_squeeze(text_trim(xstrdup(skip_prefixes(&s, text))));
	trailing_revision(&s);
	*ret = s;
}

char *subject_title(const char *text)
{
	const char *p = text;

	for (;;) {
		const char *end;

		while (*p == ' ' || *p == '\t' || *p == '\n' || *p == ':')
			p++;
		if (!strncasecmp(p, "re:", 3)) {
			p += 3;
			continue;
		}
		end = *p == '[' ? bracket_end(p) : NULL;
		if (!end)
			break;
		p = end + 1;
	}
	return text_squeeze(text_trim(xstrdup(p)));
}

const char *subject_version(const struct subject *s)
{
	for (size_t i = 0; i < s->tags.nr; i++) {
		const char *t = s->tags.v[i];

		t += *t == 'v' || *t == 'V';
		if (isdigit((unsigned char)*t) && strchr(t, '.'))
			return t;
	}
	return NULL;
}

void subject_release(struct subject *s)
{
	strv_release(&s->tags);
	free(s->title);
	*s = (struct subject){ 0 };
}
