// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/prose.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims/table.h"
#include "bench/claims/words.h"

enum { MAX_KEY = 40, MAX_APART = 8, MAX_NAME = 60 };

struct side_line {
	struct span key, caption;
	struct quantity q;
	size_t at;
	enum role role;
};

/* "- before:  1234 ops/s (+5%)" */
static bool read_side(struct span s, struct side_line *ret)
{
	struct span t = span_trim(s);
	const char *colon;

	while (t.n && strchr("-*+ ", t.p[0]))
		t = span_skip(t, 1);
	colon = t.n ? memchr(t.p, ':', t.n < MAX_KEY ? t.n : MAX_KEY) : NULL;
	if (!colon)
		return false;
	ret->key = (struct span){ t.p, (size_t)(colon - t.p) };
	ret->role = words_role(ret->key);
	return (ret->role == ROLE_BASE || ret->role == ROLE_PATCHED) &&
	       quantity_read(span_skip(t, ret->key.n + 1), &ret->q) && ret->q.has_value;
}

/* The line above, without blank ones. */
static struct span caption(const struct lines *l, size_t i)
{
	while (i-- > 0 && l->v[i].kind != LINE_TEXT)
		if (l->v[i].kind != LINE_BLANK && l->v[i].kind != LINE_RULE)
			return SPAN_NONE;
	return i < l->nr && !l->v[i].used ? span_trim(l->v[i].s) : SPAN_NONE;
}

/* "fio, random reads:" names what the pair is about, a sentence does not. */
static struct span heading(struct span s)
{
	if (!s.n || s.p[s.n - 1] != ':' || s.n > MAX_NAME)
		return SPAN_NONE;
	s.n--;
	return s;
}

static void add(struct lines *l, const struct side_line *b, const struct side_line *p,
		struct claims *ret)
{
	struct span unit = p->q.unit.n ? p->q.unit : b->q.unit, none;
	struct claim *c;

	/* "before: 1, after: 2" may be anything */
	if (!unit_known(unit) && !words_performance(b->caption) &&
	    !words_performance(p->key))
		return;
	c = claims_add(ret, CLAIM_PAIR, (unsigned int)p->at + 1);
	if (!c)
		return;
	c->metric = words_metric(p->key, &none);
	if (!*c->metric) {
		free(c->metric);
		c->metric = span_dup(heading(b->caption), MAX_NAME);
	}
	claim_set_values(c, &b->q, &p->q, SPAN_NONE);
	if (p->q.has_change && !p->q.alone)
		claim_set_change(c, &p->q.change);
	c->runs = words_runs(b->caption);
	c->better = words_better(b->caption);
	claim_finish(c, b->caption);
	l->v[b->at].used = l->v[p->at].used = true;
}

void pair_claims(struct lines *l, struct claims *ret)
{
	struct side_line base = { .at = SIZE_MAX }, s;

	for (size_t i = 0; i < l->nr; i++) {
		if (l->v[i].kind != LINE_TEXT || l->v[i].used ||
		    !read_side(l->v[i].s, &s))
			continue;
		s.at = i;
		if (s.role == ROLE_BASE) {
			s.caption = caption(l, i);
			base = s;
		} else if (base.at != SIZE_MAX && i - base.at <= MAX_APART) {
			add(l, &base, &s, ret);
		}
	}
}
