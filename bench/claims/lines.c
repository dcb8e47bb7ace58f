// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { MAX_LINES = 20000, MAX_LENGTH = 1000 };

/* Three or more rule characters, and nothing else that prints. */
static bool is_rule(struct span s)
{
	size_t strokes = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (strchr("-=_~", s.p[i]))
			strokes++;
		else if (!strchr("+|: \t", s.p[i]))
			return false;
	}
	return strokes >= 3;
}

/* Lines that quote titles: of the commits fixed, of other mails. */
static bool is_trailer(struct span s)
{
	static const char *const keys[] = { "Fixes:", "Link:",	  "Closes:",
					    "Cc:",    "Subject:", NULL };

	for (const char *const *k = keys; *k; k++)
		if (span_starts(s, *k))
			return true;
	return false;
}

static enum line_kind kind_of(struct span s)
{
	struct span t = span_trim(s);

	if (!t.n)
		return LINE_BLANK;
	if (t.n > MAX_LENGTH || s.p[0] == '>' || is_trailer(t))
		return LINE_SKIP;
	if (is_rule(t))
		return LINE_RULE;
	return memchr(t.p, '|', t.n) ? LINE_ROW : LINE_TEXT;
}

/* Where the text ends that its author wrote: the diff, or the signature of git. */
static bool is_end(struct span s)
{
	return span_starts(s, "diff --git ") || span_is(s, "-- ") ||
	       span_starts(s, "Index: ");
}

void lines_split(const char *text, struct lines *ret)
{
	struct lines l = { 0 };

	for (const char *p = text; *p && l.nr < MAX_LINES;) {
		size_t n = strcspn(p, "\n");
		struct span s = { p, n };

		if (is_end(s))
			break;
		*array_push(l.v, l.nr) = (struct line){ .s = s, .kind = kind_of(s) };
		p += n + (p[n] == '\n');
	}
	*ret = l;
}

void lines_release(struct lines *l)
{
	free(l->v);
	*l = (struct lines){ 0 };
}

/* "v2", "V13:" */
static bool is_revision(struct span w)
{
	if (w.n < 2 || w.n > 3 || tolower((unsigned char)w.p[0]) != 'v')
		return false;
	for (size_t i = 1; i < w.n; i++)
		if (!isdigit((unsigned char)w.p[i]))
			return false;
	return true;
}

/* "Changes since v1:", "Changelog", "v2 -> v3:", "v3:", "RFC -> v1" */
static bool is_heading(struct span s)
{
	struct span t = span_trim(s), w;

	while (t.n && strchr("#*-= ", t.p[0]))
		t = span_skip(t, 1);
	if (t.n > 60 || !span_word(&t, &w))
		return false;
	if (span_is(w, "changelog") || span_is(w, "history"))
		return true;
	if (span_is(w, "changes") || span_is(w, "change"))
		return span_word(&t, &w) && (span_is(w, "since") || span_is(w, "in") ||
					     span_is(w, "from") || span_is(w, "log"));
	t = span_trim(t);
	return (is_revision(w) || span_is(w, "rfc")) && t.n &&
	       (t.p[0] == ':' || span_starts(t, "->") || span_starts(t, "=>") ||
		span_starts(t, "changes"));
}

/* A line that goes on a list: marked, or further in than a paragraph. */
static bool is_item(struct span s)
{
	struct span t = span_trim(s);

	return t.n && (strchr("-*+o.", t.p[0]) || s.p[0] == ' ' || s.p[0] == '\t' ||
		       is_heading(s));
}

void lines_mark_changelog(struct lines *l)
{
	bool in = false;

	for (size_t i = 0; i < l->nr; i++) {
		struct span s = l->v[i].s;
		bool after_blank = i && l->v[i - 1].kind == LINE_BLANK;

		if (is_heading(s))
			in = true;
		else if (in && after_blank && l->v[i].kind != LINE_BLANK && !is_item(s))
			in = false;
		if (in)
			l->v[i].used = true;
	}
}
