// SPDX-License-Identifier: GPL-3.0-or-later
/* Which warnings of one build another has not. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/warnings.h"
#include "core/base/alloc.h"

/* A warning of a build, under the name by which those of two builds are the same. */
struct known {
	char *key;
	const struct warned_object *object;
	const struct warning *warning;
};

struct known_list {
	struct known *v;
	size_t nr;
};

static void known_release(struct known_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].key);
	free(l->v);
}

/* Sizes of stack frames, other lines and offsets into functions move with any change. */
static void add_text(struct buf *b, const char *p)
{
	while (*p) {
		size_t n = strspn(p, "0123456789");

		if (!strncmp(p, "+0x", 3)) {
			buf_adds(b, "+#");
			p += 3 + strspn(p + 3, "0123456789abcdef");
		} else if (n &&
			   (!strncmp(p + n, " bytes", 6) ||
			    (b->len >= 5 && !strcmp(buf_str(b) + b->len - 5, "line ")))) {
			buf_addc(b, '#');
			p += n;
		} else {
			n = n ? n : 1;
			buf_add(b, p, n);
			p += n;
		}
	}
}

static void add_key(const struct warning *w, struct buf *b)
{
	buf_addf(b, "%s\n%s\n%s\n", w->file, w->function, w->option);
	add_text(b, w->text);
}

/* How many of the object before it are named the same. */
static size_t twins(const struct known_list *l, size_t from, const char *key)
{
	size_t nr = 0, n = strlen(key);

	for (size_t i = from; i < l->nr; i++)
		nr += !strncmp(l->v[i].key, key, n) && l->v[i].key[n] == '\n';
	return nr;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct known *)a)->key, ((const struct known *)b)->key);
}

static void list(const struct warnings *w, struct known_list *ret)
{
	for (size_t i = 0; i < w->nr; i++) {
		size_t from = ret->nr;

		for (size_t k = 0; k < w->v[i].nr; k++) {
			_cleanup_buf_ struct buf b = BUF_INIT;

			add_key(&w->v[i].v[k], &b);
			buf_addf(&b, "\n%zu", twins(ret, from, buf_str(&b)));
			*array_push(ret->v, ret->nr) =
				(struct known){ buf_take(&b), &w->v[i], &w->v[i].v[k] };
		}
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_key);
}

/* All of one key: [at, end). */
static size_t end_of(const struct known_list *l, size_t at)
{
	size_t end = at + 1;

	while (end < l->nr && !strcmp(l->v[end].key, l->v[at].key))
		end++;
	return end;
}

static bool is_named(const char *name, const struct warnings *w)
{
	const struct warned_object want = { .name = (char *)name };
	size_t lo = 0, hi = w->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int d = strcmp(want.name, w->v[mid].name);

		if (!d)
			return true;
		*(d < 0 ? &hi : &lo) = d < 0 ? mid : mid + 1;
	}
	return false;
}

enum told { NOT_NEW, NEW, UNTOLD };

/* What is to be said of the warning that stands at [at, end) in b. */
static enum told judge(const struct warnings *a, const struct known_list *in_a,
		       const struct known_list *in_b, size_t at, size_t end)
{
	const struct known *k =
		in_a->nr ? bsearch(&in_b->v[at], in_a->v, in_a->nr, sizeof(*k), by_key)
			 : NULL;

	if (k) {
		size_t i = (size_t)(k - in_a->v), last;

		while (i && !by_key(&in_a->v[i - 1], k))
			i--;
		for (last = end_of(in_a, i); i < last; i++)
			if (!in_a->v[i].object->doubtful)
				return NOT_NEW;
		return UNTOLD;
	}
	for (size_t i = at; i < end; i++) {
		const struct warned_object *o = in_b->v[i].object;

		/* Does b have it, and would a show it, had it it? */
		if (!o->doubtful && (a->whole || is_named(o->name, a)))
			return NEW;
	}
	return UNTOLD;
}

static int by_place(const void *va, const void *vb)
{
	const struct warning *a = ((const struct warning_new *)va)->warning,
			     *b = ((const struct warning_new *)vb)->warning;
	int d = strcmp(a->file, b->file);

	return d ? d : a->line < b->line ? -1 : a->line > b->line;
}

/* Objects that a has, made since in the same folder, and of which b's log said nothing. */
static bool lacks_objects(const struct warnings *a, const struct warnings *b)
{
	if (b->whole)
		return false;
	if (!oid_equal(&a->id, &b->id))
		return true;
	for (size_t i = 0; i < a->nr; i++)
		if (!is_named(a->v[i].name, b))
			return true;
	return false;
}

void warnings_compare(const struct warnings *a, const struct warnings *b,
		      struct warnings_news *ret)
{
	_cleanup_(known_release) struct known_list in_a = { 0 }, in_b = { 0 };

	*ret = (struct warnings_news){ .partial = lacks_objects(a, b) };
	list(a, &in_a);
	list(b, &in_b);
	for (size_t i = 0, end; i < in_b.nr; i = end) {
		enum told t;

		end = end_of(&in_b, i);
		t = judge(a, &in_a, &in_b, i, end);
		if (t == NEW)
			*array_push(ret->v, ret->nr) =
				(struct warning_new){ in_b.v[i].warning,
						      in_b.v[i].object->name, end - i };
		ret->untold += t == UNTOLD;
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_place);
}

void warnings_news_release(struct warnings_news *n)
{
	free(n->v);
	*n = (struct warnings_news){ 0 };
}
