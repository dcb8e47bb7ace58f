// SPDX-License-Identifier: GPL-3.0-or-later
/* Which patch of one version is which of the other. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/assign.h"
#include "core/git/range-internal.h"

/*
 * Equal diffs pair up in the order git's hash table yields them: a chain of equal keys
 * gives the one put in last, and turns around whenever the table changes its size. Sizes
 * start at 64, are four times more above 80 per cent, a quarter of it below a fifth of
 * that.
 */
struct chains {
	size_t size, nr;
	bool turned;
};

static size_t grow_at(const struct chains *c)
{
	return c->size * 80 / 100;
}

static void chains_added(struct chains *c)
{
	if (++c->nr > grow_at(c)) {
		c->size *= 4;
		c->turned = !c->turned;
	}
}

static void chains_removed(struct chains *c)
{
	c->nr--;
	if (c->size > 64 && c->nr < grow_at(c) / 5) {
		c->size /= 4;
		c->turned = !c->turned;
	}
}

/* A chain of equal diffs: entries between two ends, either of which may be its head. */
struct chain {
	const char *diff;
	int *v; /* room for as many entries on both sides */
	size_t first, end;
};

static const char *diff_of(const struct range_patch *p)
{
	return p->text + p->diff_at;
}

static int by_diff(const void *va, const void *vb)
{
	const struct range_patch *a = *(const struct range_patch *const *)va;
	const struct range_patch *b = *(const struct range_patch *const *)vb;
	int r = strcmp(diff_of(a), diff_of(b));

	return r ? r : (a > b) - (a < b);
}

static int by_key(const void *key, const void *vc)
{
	return strcmp(key, ((const struct chain *)vc)->diff);
}

/* The chains of a, sorted by diff and still empty; all entries live in *mem. */
static size_t make_chains(const struct range *a, struct chain **ret, int **mem)
{
	_cleanup_free_ const struct range_patch **v = xcalloc(a->nr + 1, sizeof(*v));
	struct chain *c = NULL;
	size_t nr = 0;

	*mem = xcalloc(a->nr * 2 + 1, sizeof(**mem));
	for (size_t i = 0; i < a->nr; i++)
		v[i] = &a->v[i];
	qsort(v, a->nr, sizeof(*v), by_diff);
	for (size_t i = 0, k; i < a->nr; i = k) {
		for (k = i + 1; k < a->nr && !strcmp(diff_of(v[i]), diff_of(v[k])); k++)
			;
		*array_push(c, nr) = (struct chain){ .diff = diff_of(v[i]),
						     .v = *mem + 2 * i,
						     .first = k - i,
						     .end = k - i };
	}
	*ret = c;
	return nr;
}

static void match_equal(struct range *a, struct range *b)
{
	_cleanup_free_ struct chain *v = NULL;
	_cleanup_free_ int *mem = NULL;
	struct chains all = { .size = 64 };
	size_t nr = make_chains(a, &v, &mem);

	for (size_t i = 0; i < a->nr; i++) {
		struct chain *c = bsearch(diff_of(&a->v[i]), v, nr, sizeof(*v), by_key);

		if (all.turned)
			c->v[c->end++] = (int)i;
		else
			c->v[--c->first] = (int)i;
		chains_added(&all);
	}
	for (size_t i = 0; i < b->nr && nr; i++) {
		struct chain *c = bsearch(diff_of(&b->v[i]), v, nr, sizeof(*v), by_key);

		if (!c || c->first == c->end)
			continue;
		b->v[i].match = all.turned ? c->v[--c->end] : c->v[c->first++];
		a->v[b->v[i].match].match = (int)i;
		chains_removed(&all);
	}
}

/* What it costs to leave a patch alone. */
static int alone(const struct range_patch *p, unsigned int factor)
{
	int64_t c = (int64_t)p->diff_lines * factor / 100;

	if (p->match != RANGE_UNPAIRED)
		return ASSIGN_COST_MAX;
	return c > INT_MAX / 4 ? INT_MAX / 4 : (int)c;
}

static int pair_cost(const struct range *a, const struct range *b, size_t i, size_t j)
{
	if (a->v[i].match == (int)j)
		return 0;
	if (a->v[i].match != RANGE_UNPAIRED || b->v[j].match != RANGE_UNPAIRED)
		return ASSIGN_COST_MAX;
	return range_cost(diff_of(&a->v[i]), diff_of(&b->v[j]));
}

/* Columns are the patches of a, then one "alone" for each of b; rows the other way. */
static void fill_costs(const struct range *a, const struct range *b, unsigned int factor,
		       int *cost)
{
	size_t n = a->nr + b->nr;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int *c = &cost[i + n * j];

			if (i < a->nr)
				*c = j < b->nr ? pair_cost(a, b, i, j)
					       : alone(&a->v[i], factor);
			else
				*c = j < b->nr ? alone(&b->v[j], factor) : 0;
		}
}

static bool all_paired(const struct range *r)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->v[i].match == RANGE_UNPAIRED)
			return false;
	return true;
}

int range_match(struct range *a, struct range *b, unsigned int factor, struct err *e)
{
	size_t n = a->nr + b->nr;
	_cleanup_free_ int *cost = NULL, *row = NULL;

	if (n > RANGE_MAX)
		return err_set(e, ERR_TOO_BIG, "%zu patches are too many to compare", n);
	match_equal(a, b);
	/* The rest is decided then, and a thousand patches need no matrix. */
	if (all_paired(a) && all_paired(b))
		return 0;
	cost = xcalloc(n * n, sizeof(*cost));
	row = xcalloc(n, sizeof(*row));
	fill_costs(a, b, factor, cost);
	assign_rows((int)n, cost, !a->mailed && !b->mailed, row);
	for (size_t i = 0; i < a->nr; i++)
		if (row[i] >= 0 && (size_t)row[i] < b->nr) {
			a->v[i].match = row[i];
			b->v[row[i]].match = (int)i;
		}
	return 0;
}

/* The lines that say what a patch does: file names, lines added and removed. */
static const char *next_change(const char *p, size_t *len)
{
	while (p && *p) {
		size_t n = strcspn(p, "\n");

		if (*p == '+' || *p == '-' || !strncmp(p, " ## ", 4)) {
			*len = n;
			return p;
		}
		p += n + (p[n] == '\n');
	}
	return NULL;
}

static bool same_changes(const char *a, const char *b)
{
	size_t na = 0, nb = 0;

	for (;;) {
		a = next_change(a, &na);
		b = next_change(b, &nb);
		if (!a || !b)
			return a == b;
		if (na != nb || memcmp(a, b, na))
			return false;
		a += na;
		b += nb;
	}
}

static void classify(struct range_pair *p)
{
	const struct range_patch *a = p->a, *b = p->b;

	if (!a || !b) {
		p->state = a ? PAIR_DROPPED : PAIR_NEW;
		return;
	}
	p->message = a->diff_at != b->diff_at || memcmp(a->text, b->text, a->diff_at);
	if (!strcmp(diff_of(a), diff_of(b)))
		p->state = p->message ? PAIR_MESSAGE : PAIR_UNCHANGED;
	else
		p->state = same_changes(diff_of(a), diff_of(b)) ? PAIR_CONTEXT
								: PAIR_CHANGED;
}

/* Mark the pairs outside a longest run in which both sides ascend. */
static void mark_moved(struct range_pair *v, size_t nr)
{
	_cleanup_free_ size_t *best = xcalloc(nr + 1, sizeof(*best));
	_cleanup_free_ size_t *from = xcalloc(nr + 1, sizeof(*from));
	size_t top = nr, len = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!v[i].a || !v[i].b)
			continue;
		v[i].moved = true;
		best[i] = 1;
		from[i] = nr;
		for (size_t k = 0; k < i; k++)
			if (v[k].a && v[k].b && v[k].old_number < v[i].old_number &&
			    best[k] >= best[i]) {
				best[i] = best[k] + 1;
				from[i] = k;
			}
		if (best[i] > len) {
			len = best[i];
			top = i;
		}
	}
	for (; top < nr; top = from[top])
		v[top].moved = false;
}

static void add_pair(const struct range *a, const struct range *b, int i, int j,
		     struct range_pair *ret)
{
	*ret = (struct range_pair){ .old_number = i + 1, .new_number = j + 1 };
	if (i >= 0)
		ret->a = &a->v[i];
	if (j >= 0)
		ret->b = &b->v[j];
	classify(ret);
}

/*
 * The order of b; a dropped patch comes as soon as all before it in a are out. Git's
 * pairing may name one patch of a twice: each side's own match counts.
 */
void range_pairs(const struct range *a, const struct range *b, struct range_pair **ret,
		 size_t *ret_nr)
{
	_cleanup_free_ bool *shown = xcalloc(a->nr + 1, sizeof(*shown));
	struct range_pair *v = xcalloc(a->nr + b->nr + 1, sizeof(*v));
	size_t i = 0, j = 0, nr = 0;

	while (i < a->nr || j < b->nr) {
		while (i < a->nr && shown[i])
			i++;
		if (i < a->nr && a->v[i].match == RANGE_UNPAIRED) {
			add_pair(a, b, (int)i++, RANGE_UNPAIRED, &v[nr++]);
			continue;
		}
		for (; j < b->nr && b->v[j].match == RANGE_UNPAIRED; j++)
			add_pair(a, b, RANGE_UNPAIRED, (int)j, &v[nr++]);
		if (j < b->nr) {
			add_pair(a, b, b->v[j].match, (int)j, &v[nr++]);
			shown[b->v[j].match] = true;
			j++;
		} else if (i < a->nr) {
			/* Both sides do not always agree: git would not end here. */
			add_pair(a, b, (int)i++, RANGE_UNPAIRED, &v[nr++]);
		}
	}
	mark_moved(v, nr);
	*ret = v;
	*ret_nr = nr;
}

const char *pair_state_name(enum pair_state s)
{
	static const char *const names[] = {
		[PAIR_UNCHANGED] = "unchanged",
		[PAIR_MESSAGE] = "message",
		[PAIR_CONTEXT] = "context",
		[PAIR_CHANGED] = "changed",
		[PAIR_NEW] = "new",
		[PAIR_DROPPED] = "dropped",
	};

	return names[s];
}
