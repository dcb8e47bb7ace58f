// SPDX-License-Identifier: GPL-3.0-or-later
/* Words around a number in a sentence. */
#include "bench/claims/prose.h"

#include <string.h>

#include "bench/claims/words.h"

enum { MAX_WORDS = 64, MAX_METRIC_WORDS = 6 };

struct sense {
	const char *stem; /* the word starts with it */
	enum claim_way way;
	bool faster, strong;
};

/* clang-format off */
/* "N% improvement", "N% faster" */
static const struct sense nouns[] = {
	{ "improvement", CLAIM_GOOD, false, true },  { "gain", CLAIM_GOOD, false, true },
	{ "speedup", CLAIM_GOOD, true, true },	     { "faster", CLAIM_GOOD, true, true },
	{ "better", CLAIM_GOOD, false, true },	     { "boost", CLAIM_GOOD, false, true },
	{ "uplift", CLAIM_GOOD, false, true },	     { "slower", CLAIM_BAD, true, true },
	{ "slowdown", CLAIM_BAD, true, true },	     { "worse", CLAIM_BAD, false, true },
	{ "regression", CLAIM_BAD, false, true },    { "degradation", CLAIM_BAD, false, true },
	{ "overhead", CLAIM_BAD, false, true },	     { "drop", CLAIM_DOWN, false, false },
	{ "reduction", CLAIM_DOWN, false, false },   { "decrease", CLAIM_DOWN, false, false },
	{ "lower", CLAIM_DOWN, false, false },	     { "less", CLAIM_DOWN, false, false },
	{ "lesser", CLAIM_DOWN, false, false },	     { "fewer", CLAIM_DOWN, false, false },
	{ "increase", CLAIM_UP, false, false },	     { "higher", CLAIM_UP, false, false },
	{ "more", CLAIM_UP, false, false },
};

/* "improves X by N%", "an improvement of N%" */
static const struct sense verbs[] = {
	{ "improv", CLAIM_GOOD, false, true },	  { "gain", CLAIM_GOOD, false, true },
	{ "boost", CLAIM_GOOD, false, true },	  { "speedup", CLAIM_GOOD, true, true },
	{ "speeds", CLAIM_GOOD, true, true },	  { "sped", CLAIM_GOOD, true, true },
	{ "regress", CLAIM_BAD, false, true },	  { "degrad", CLAIM_BAD, false, true },
	{ "slows", CLAIM_BAD, true, true },	  { "slowed", CLAIM_BAD, true, true },
	{ "slowdown", CLAIM_BAD, true, true },	  { "increas", CLAIM_UP, false, false },
	{ "rais", CLAIM_UP, false, false },	  { "rose", CLAIM_UP, false, false },
	{ "rises", CLAIM_UP, false, false },	  { "grew", CLAIM_UP, false, false },
	{ "reduc", CLAIM_DOWN, false, false },	  { "decreas", CLAIM_DOWN, false, false },
	{ "drop", CLAIM_DOWN, false, false },	  { "lowers", CLAIM_DOWN, false, false },
	{ "lowered", CLAIM_DOWN, false, false },  { "cuts", CLAIM_DOWN, false, false },
	{ "fell", CLAIM_DOWN, false, false },	  { "falls", CLAIM_DOWN, false, false },
	{ "shrinks", CLAIM_DOWN, false, false },
};

static const char *const negations[] = { "no", "not", "without", "never", "cannot", "t", NULL };
static const char *const connectors[] = {
	"by", "of", "about", "around", "approximately", "roughly", "nearly", "almost",
	"than", "another", "an", "a", "over", "least", "some", NULL
};
static const char *const of_words[] = { "of", "in", "to", "for", "on", NULL };
static const char *const stops[] = {
	"and", "or", "but", "with", "when", "while", "where", "which", "that", "this",
	"these", "by", "from", "as", "compared", "over", "on", "than", "under", "using",
	"because", "due", "for", "if", "at", "is", "are", "was", "were", "we", "it",
	"patch", "series", "commit", "see", "sees", "shows", "results", "result", "in",
	"about", "has", "have", "had", "via", "up", "to", "went", "goes", "of", NULL
};
static const char *const amounts[] = {
	"number", "amount", "count", "rate", "cost", "time", "latency", "throughput", NULL
};
static const char *const articles[] = {
	"the", "a", "an", "its", "overall", "our", "their", "down", NULL
};
/* clang-format on */

struct words {
	struct span w[MAX_WORDS];
	size_t nr;
};

static const struct sense *lookup(const struct sense *table, size_t nr, struct span w)
{
	for (size_t i = 0; i < nr; i++)
		if (span_starts(w, table[i].stem))
			return &table[i];
	return NULL;
}

/* Words parted by blanks, punctuation kept; the last ones of s where there are more. */
static void words_of(struct span s, bool last, struct words *ret)
{
	size_t i = 0;

	ret->nr = 0;
	while (i < s.n) {
		size_t n = 0;

		while (i < s.n && strchr(" \t\n\r", s.p[i]))
			i++;
		while (i + n < s.n && !strchr(" \t\n\r", s.p[i + n]))
			n++;
		if (!n)
			break;
		if (ret->nr == MAX_WORDS) {
			if (!last)
				return;
			memmove(ret->w, ret->w + MAX_WORDS / 2,
				MAX_WORDS / 2 * sizeof(ret->w[0]));
			ret->nr = MAX_WORDS / 2;
		}
		ret->w[ret->nr++] = (struct span){ s.p + i, n };
		i += n;
	}
}

/* The word without what stands around it. */
static struct span core_of(struct span w)
{
	while (w.n && strchr("(\"'`*[~", w.p[0]))
		w = span_skip(w, 1);
	while (w.n && strchr(")\"'`*],.:;", w.p[w.n - 1]) &&
	       !(w.p[w.n - 1] == ')' && memchr(w.p, '(', w.n)) &&
	       !(w.p[w.n - 1] == ']' && memchr(w.p, '[', w.n)))
		w.n--;
	return w;
}

static bool ends_clause(struct span w)
{
	return w.n && strchr(",;:()", w.p[w.n - 1]) && !span_has(w, "](");
}

/* Words [from, to) of w as the name of something: without articles in front, up to the
 * first word that cannot be of a name. */
static struct span name_forward(const struct words *w, size_t from, size_t to)
{
	struct span first, last;
	size_t n = 0, i;

	while (from < to && span_in(core_of(w->w[from]), articles))
		from++;
	for (i = from; i < to && n < MAX_METRIC_WORDS; i++, n++) {
		bool of = i > from && span_is(w->w[i], "of") &&
			  span_in(w->w[i - 1], amounts);

		if ((span_in(core_of(w->w[i]), stops) && !of) ||
		    (i > from && w->w[i].p[0] == '('))
			break;
		if (ends_clause(w->w[i])) {
			i++;
			break;
		}
	}
	if (i == from)
		return SPAN_NONE;
	first = w->w[from];
	last = w->w[i - 1];
	return core_of((struct span){ first.p, (size_t)(last.p + last.n - first.p) });
}

/* The same, ending before word `to` and going back to what starts the clause. */
static struct span name_back(const struct words *w, size_t to)
{
	size_t from = to;

	while (to && span_in(core_of(w->w[to - 1]), stops))
		to--;
	for (from = to; from && to - from < MAX_METRIC_WORDS; from--) {
		if (from > 1 && from < to && span_is(w->w[from - 1], "of") &&
		    span_in(w->w[from - 2], amounts))
			continue;
		if (span_in(core_of(w->w[from - 1]), stops) ||
		    (from < to && ends_clause(w->w[from - 1])))
			break;
	}
	return name_forward(w, from, to);
}

static bool negated(const struct words *before)
{
	size_t from = before->nr > 5 ? before->nr - 5 : 0;

	for (size_t i = from; i < before->nr; i++)
		if (span_any(core_of(before->w[i]), negations))
			return true;
	return false;
}

static void set(const struct sense *s, struct phrase *ret)
{
	ret->way = s->way;
	ret->faster = s->faster;
	ret->strong = s->strong;
}

/* "N% [word [word]] improvement [of X]" */
static bool noun_after(const struct words *b, const struct words *a, struct phrase *ret)
{
	for (size_t i = 0; i < a->nr && i < 3; i++) {
		struct span w = core_of(a->w[i]);
		const struct sense *s =
			lookup(nouns, sizeof(nouns) / sizeof(nouns[0]), w);

		/* in "15% - 20% reduction" the last number is the one */
		if (span_has(w, "%") || span_in(w, of_words) ||
		    (i && ends_clause(a->w[i - 1])))
			return false;
		if (!s)
			continue;
		set(s, ret);
		ret->metric = name_forward(a, 0, i);
		if (!ret->metric.n && i + 2 < a->nr && !ends_clause(a->w[i]) &&
		    span_in(core_of(a->w[i + 1]), of_words))
			ret->metric = name_forward(a, i + 2, a->nr);
		if (!ret->metric.n)
			ret->metric = name_back(b, b->nr);
		if (!ret->metric.n)
			ret->metric = name_forward(a, i + 1, a->nr);
		return true;
	}
	return false;
}

/* Whether what stands right before a number says that it is an amount of change. */
static bool connected(const struct words *b, size_t verb)
{
	struct span w = core_of(b->w[b->nr - 1]);

	if (verb + 1 == b->nr)
		return true;
	if (span_is(w, "to"))
		return b->nr >= 2 && span_is(core_of(b->w[b->nr - 2]), "up");
	return span_in(w, connectors);
}

/* "improves X by N%", "X improved N%", "an improvement [in X] of N%" */
static bool verb_before(const struct words *b, struct phrase *ret)
{
	size_t lo = b->nr > 12 ? b->nr - 12 : 0;

	for (size_t i = b->nr; i-- > lo;) {
		const struct sense *s =
			lookup(verbs, sizeof(verbs) / sizeof(verbs[0]), core_of(b->w[i]));

		if (!s)
			continue;
		if (!connected(b, i))
			return false;
		set(s, ret);
		if (i + 1 < b->nr && span_in(core_of(b->w[i + 1]), of_words))
			ret->metric = name_forward(b, i + 2, b->nr);
		else
			ret->metric = name_forward(b, i + 1, b->nr);
		if (!ret->metric.n)
			ret->metric = name_back(b, i);
		return true;
	}
	return false;
}

bool phrase_of_change(struct span sentence, size_t at, size_t end, bool ratio,
		      struct phrase *ret)
{
	struct words b, a;
	struct phrase p = { 0 };

	words_of((struct span){ sentence.p, at }, true, &b);
	words_of(span_skip(sentence, end), false, &a);
	if (negated(&b))
		return false;
	if (!noun_after(&b, &a, &p) && !(b.nr && verb_before(&b, &p)))
		return false;
	if (!p.metric.n && a.nr > 1 && span_in(a.w[0], of_words))
		p.metric = name_forward(&a, 1, a.nr);
	/* "2x more" and the like multiply anything */
	if (ratio && !p.strong && !words_performance(p.metric))
		return false;
	p.approx = b.nr >= 2 && span_is(core_of(b.w[b.nr - 1]), "to") &&
		   span_is(core_of(b.w[b.nr - 2]), "up");
	*ret = p;
	return true;
}

struct span phrase_subject(struct span sentence, size_t at)
{
	struct words b;

	words_of((struct span){ sentence.p, at }, true, &b);
	for (size_t i = b.nr; i-- > 0;) {
		if (!lookup(verbs, sizeof(verbs) / sizeof(verbs[0]), core_of(b.w[i])))
			continue;
		if (i + 1 < b.nr) {
			struct span object = name_forward(&b, i + 1, b.nr);

			if (object.n)
				return object;
		}
		return name_back(&b, i);
	}
	return name_back(&b, b.nr);
}

bool phrase_moves(struct span sentence, size_t at)
{
	static const char *const words[] = { "went",  "goes",	 "go",	    "moved",
					     "moves", "changed", "changes", NULL };
	struct words b;

	words_of((struct span){ sentence.p, at }, true, &b);
	for (size_t i = b.nr > 12 ? b.nr - 12 : 0; i < b.nr; i++)
		if (span_in(core_of(b.w[i]), words) ||
		    lookup(verbs, sizeof(verbs) / sizeof(verbs[0]), core_of(b.w[i])))
			return true;
	return false;
}
