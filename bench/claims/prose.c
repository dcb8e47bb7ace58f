// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/prose.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "bench/claims/known.h"
#include "bench/claims/table.h"
#include "bench/claims/words.h"

enum { MAX_SENTENCE = 800, MAX_NAME = 60, MAX_FOUND = 8 };

struct found_change {
	size_t at, end;
	struct change change;
	struct phrase phrase;
};

struct found_pair {
	size_t at;
	struct quantity base, patched;
	bool arrow; /* "A -> B" */
	bool has_change;
	struct change change;
};

struct sentence {
	struct span s;
	unsigned int line; /* of its first byte */
	struct found_change change[MAX_FOUND];
	struct found_pair pair[MAX_FOUND];
	size_t nr_changes, nr_pairs;
};

static struct span skip_blanks(struct span s)
{
	while (s.n && strchr(" \t\n\r", s.p[0]))
		s = span_skip(s, 1);
	return s;
}

/* A number with the unit that stands at it or behind a blank. */
static bool take_value(struct span *s, struct quantity *ret)
{
	struct span rest = *s, w;
	struct quantity q = { 0 };
	size_t n = 0;

	if (!number_take(&rest, &q.value))
		return false;
	q.has_value = true;
	w = rest.n && rest.p[0] == ' ' ? span_skip(rest, 1) : rest;
	while (n < w.n && !strchr(" \t\n\r,;()", w.p[n]))
		n++;
	while (n && strchr(".:", w.p[n - 1]))
		n--;
	w.n = n;
	if (unit_known(w)) {
		q.unit = w;
		rest = (struct span){ w.p + n, (size_t)(rest.p + rest.n - w.p) - n };
	} else if (w.p == rest.p && n) {
		return false; /* "from 5th to", "from 2.6.32-rc1" */
	}
	*s = rest;
	*ret = q;
	return true;
}

static bool take_word(struct span *s, const char *word)
{
	struct span rest = skip_blanks(*s);

	if (!span_starts(rest, word))
		return false;
	*s = skip_blanks(span_skip(rest, strlen(word)));
	return true;
}

static bool take_to(struct span *s, bool arrow)
{
	return arrow ? take_word(s, "->") || take_word(s, "=>") || take_word(s, "-->") ||
			       take_word(s, "\xe2\x86\x92")
		     : take_word(s, "to ") || take_word(s, "to\n");
}

/* "A to B" behind "from", or "A -> B", and "(+4%)" behind it; s is at A. */
static bool take_pair(struct span *s, bool arrow, struct found_pair *ret)
{
	struct span rest = *s, in;
	struct found_pair p = { .arrow = arrow };

	if (!take_value(&rest, &p.base) || !take_to(&rest, arrow) ||
	    !take_value(&rest, &p.patched))
		return false;
	in = skip_blanks(rest);
	if (in.n && strchr("([", in.p[0])) {
		in = span_skip(in, 1);
		p.has_change = change_take(&in, &p.change) && !p.change.ratio && in.n &&
			       strchr(")]", in.p[0]);
		if (p.has_change)
			rest = in;
	}
	*s = rest;
	*ret = p;
	return true;
}

/* Whether a word may start at byte i. */
static bool word_start(struct span s, size_t i)
{
	return !i || strchr(" \t\n\r([\"'", s.p[i - 1]);
}

static bool number_start(struct span s, size_t i)
{
	unsigned char c = (unsigned char)s.p[i];

	return isdigit(c) || strchr("~+-", (char)c) || c == 0xe2;
}

/* Whether a sentence speaks of something that is measured. */
static bool is_measured(struct span s)
{
	return words_performance(s) || claims_known(s);
}

/* Whether byte i is in the title of a commit: commit 0123 ("x86: improve it"). */
static bool in_title(struct span s, size_t i)
{
	bool in = false;

	for (size_t k = 0; k + 1 < i; k++) {
		if (s.p[k] == '(' && s.p[k + 1] == '"')
			in = true;
		else if (s.p[k] == '"' && s.p[k + 1] == ')')
			in = false;
	}
	return in;
}

/* Try all readings at byte i; the bytes read, 0 for none. */
static size_t read_at(struct sentence *t, size_t i)
{
	struct span at = span_skip(t->s, i), rest = at;
	struct found_pair p;
	struct found_change c = { .at = i };
	bool from = take_word(&rest, "from ");

	if ((from || number_start(t->s, i)) && t->nr_pairs < MAX_FOUND &&
	    take_pair(&rest, !from, &p)) {
		p.at = i;
		t->pair[t->nr_pairs++] = p;
		return at.n - rest.n;
	}
	rest = at;
	if (from || !number_start(t->s, i) || t->nr_changes >= MAX_FOUND ||
	    !change_take(&rest, &c.change))
		return 0;
	c.end = t->s.n - rest.n;
	if (!in_title(t->s, i) &&
	    phrase_of_change(t->s, c.at, c.end, c.change.ratio, &c.phrase) &&
	    (c.phrase.strong || (is_measured(t->s) && !words_setting(t->s))) &&
	    c.change.fraction != 0)
		t->change[t->nr_changes++] = c;
	return at.n - rest.n;
}

static unsigned int line_at(const struct sentence *t, size_t at)
{
	unsigned int n = t->line;

	for (size_t i = 0; i < at && i < t->s.n; i++)
		n += t->s.p[i] == '\n';
	return n;
}

static void set_change(struct claim *c, const struct found_change *f)
{
	struct change change = f->change;

	c->way = f->phrase.way;
	c->faster = f->phrase.faster;
	c->change_approx |= f->phrase.approx;
	if (c->way == CLAIM_DOWN && change.ratio)
		change.fraction = 1 / (1 + change.fraction) - 1;
	else if (c->way == CLAIM_DOWN && change.fraction > 0)
		change.fraction = -change.fraction;
	claim_set_change(c, &change);
}

static void add_change(const struct sentence *t, const struct found_change *f,
		       struct claims *ret)
{
	struct claim *c = claims_add(ret, CLAIM_PROSE, line_at(t, f->at));

	if (!c)
		return;
	c->metric = span_dup(f->phrase.metric, MAX_NAME);
	set_change(c, f);
	c->runs = words_runs(t->s);
	claim_finish(c, t->s);
}

/* A pair and the only change of its sentence are one claim. */
static void add_pair(const struct sentence *t, const struct found_pair *p,
		     const struct found_change *f, struct claims *ret)
{
	struct span metric = phrase_subject(t->s, p->at);
	struct claim *c;

	if (!p->has_change && !is_measured(t->s))
		return;
	if (!p->has_change && !f &&
	    (words_setting(t->s) || p->base.value.v == 0 ||
	     (!p->arrow && !phrase_moves(t->s, p->at))))
		return;
	c = claims_add(ret, CLAIM_PROSE, line_at(t, p->at));
	if (!c)
		return;
	if (!metric.n && f)
		metric = f->phrase.metric;
	c->metric = span_dup(metric, MAX_NAME);
	claim_set_values(c, &p->base, &p->patched, SPAN_NONE);
	if (f)
		set_change(c, f);
	else if (p->has_change)
		claim_set_change(c, &p->change);
	c->runs = words_runs(t->s);
	claim_finish(c, t->s);
}

static void read_sentence(struct span s, unsigned int line, struct claims *ret)
{
	struct sentence t = { .s = s, .line = line };
	bool one;

	if (t.s.n > MAX_SENTENCE)
		t.s.n = MAX_SENTENCE;
	for (size_t i = 0; i < t.s.n;) {
		size_t n = word_start(t.s, i) ? read_at(&t, i) : 0;

		i += n ? n : 1;
	}
	one = t.nr_pairs == 1 && t.nr_changes == 1 && !t.pair[0].has_change;
	for (size_t i = 0; i < t.nr_pairs; i++)
		add_pair(&t, &t.pair[i], one ? &t.change[0] : NULL, ret);
	for (size_t i = 0; i < t.nr_changes && !one; i++)
		add_change(&t, &t.change[i], ret);
}

/* Whether a sentence ends at byte i: a full stop before a blank, or a list goes on. */
static bool sentence_end(struct span s, size_t i)
{
	struct span rest;

	if (strchr(".!?;", s.p[i]))
		return i + 1 >= s.n || strchr(" \n\t\r", s.p[i + 1]);
	if (s.p[i] != '\n')
		return false;
	rest = span_skip(s, i + 1);
	while (rest.n && rest.p[0] == ' ')
		rest = span_skip(rest, 1);
	return rest.n > 1 && strchr("-*+", rest.p[0]) && rest.p[1] == ' ';
}

static void read_paragraph(struct span s, unsigned int line, struct claims *ret)
{
	size_t start = 0;
	unsigned int first = line;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			line++;
		if (!sentence_end(s, i) && i + 1 < s.n)
			continue;
		read_sentence((struct span){ s.p + start, i + 1 - start }, first, ret);
		start = i + 1;
		first = line;
	}
}

void prose_claims(const struct lines *l, struct claims *ret)
{
	for (size_t i = 0; i < l->nr;) {
		size_t from = i;

		while (i < l->nr && !l->v[i].used &&
		       (l->v[i].kind == LINE_TEXT || l->v[i].kind == LINE_ROW))
			i++;
		if (i > from) {
			const struct span last = l->v[i - 1].s;

			read_paragraph((struct span){ l->v[from].s.p,
						      (size_t)(last.p + last.n -
							       l->v[from].s.p) },
				       (unsigned int)from + 1, ret);
		} else {
			i++;
		}
	}
}
