// SPDX-License-Identifier: GPL-3.0-or-later
/* Which posting of a thread is meant, and which others are revisions of it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/postings.h"
#include "mail/text.h"

#define MAX_FILES 1000

static int head_of(const struct posting *p)
{
	return p->cover >= 0 ? p->cover : p->mails[0];
}

static const char *title_of(const struct thread *t, const struct posting *p)
{
	return t->v[head_of(p)].m.subject.title;
}

static size_t shared_titles(const struct thread *t, const struct posting *a,
			    const struct posting *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nr; i++)
		for (size_t k = 0; k < b->nr; k++)
			if (t->v[a->mails[i]].title == t->v[b->mails[k]].title) {
				n++;
				break;
			}
	return n;
}

/* Whether a mail of b answers a mail of a, however far down, without a posting between.
 */
static bool answers(const struct thread *t, const struct postings *ps, size_t a, size_t b)
{
	int i = head_of(&ps->v[b]);

	while ((i = t->v[i].parent) >= 0)
		if (t->v[i].posting >= 0)
			return t->v[i].posting == (int)a;
	return false;
}

/* The files a posting's diffs name, "+++ b/x" and "--- a/x" lines. */
static void add_files(struct thread *t, const struct posting *p, struct strv *ret)
{
	for (size_t i = 0; i < p->nr && ret->nr < MAX_FILES; i++) {
		const struct buf *diff = &thread_load(t, p->mails[i])->info.diff;
		const char *at = buf_str(diff), *end = at + diff->len;
		struct line l;

		while (line_next(&at, end, &l) && ret->nr < MAX_FILES) {
			size_t n = 6;

			if (!line_starts(&l, "+++ b/") && !line_starts(&l, "--- a/"))
				continue;
			while (n < l.len && l.p[n] != '\t')
				n++;
			strv_take(ret, xstrndup(l.p + 6, n - 6));
		}
	}
}

static bool share_files(struct thread *t, const struct posting *a,
			const struct posting *b)
{
	_cleanup_strv_ struct strv fa = STRV_INIT, fb = STRV_INIT;

	add_files(t, a, &fa);
	add_files(t, b, &fb);
	if (!fa.nr || !fb.nr)
		return true;
	for (size_t i = 0; i < fb.nr; i++)
		if (strv_has(&fa, fb.v[i]))
			return true;
	return false;
}

/* A change-id is believed where it is read at all: of one sender, or of one title. */
static int same_change(struct thread *t, struct posting *a, struct posting *b, bool near)
{
	const char *x, *y;

	if (!near &&
	    strcasecmp(t->v[head_of(a)].m.from_email, t->v[head_of(b)].m.from_email))
		return -1;
	x = posting_change_id(t, a);
	y = posting_change_id(t, b);
	return x && y ? !strcmp(x, y) : -1;
}

/*
 * Two postings are revisions of one series when they say so (change-id), when their
 * titles do and they touch a file in common, or when one sender answers the older with
 * the newer. The kernel version must agree: a backport to 6.1 is no revision of the one
 * to 6.6.
 */
static bool is_related(struct thread *t, struct postings *ps, size_t x, size_t y)
{
	struct posting *a = &ps->v[x], *b = &ps->v[y];
	const struct mail *ma = &t->v[head_of(a)].m, *mb = &t->v[head_of(b)].m;
	const char *va = subject_version(&ma->subject),
		   *vb = subject_version(&mb->subject);
	size_t less = a->nr < b->nr ? a->nr : b->nr;
	bool title = t->v[head_of(a)].title == t->v[head_of(b)].title;
	bool titles = less && shared_titles(t, a, b) * 2 >= less;
	bool thread = answers(t, ps, x, y) || answers(t, ps, y, x);
	int change = same_change(t, a, b, title || titles || thread);

	if (change >= 0)
		return change;
	if (strcmp(va ? va : "", vb ? vb : ""))
		return false;
	if (title || titles)
		return thread || share_files(t, a, b);
	if (a->revision == b->revision || strcasecmp(ma->from_email, mb->from_email))
		return false;
	return a->revision < b->revision ? answers(t, ps, x, y) : answers(t, ps, y, x);
}

/* related[] becomes the transitive closure around start. */
static void mark_related(struct thread *t, struct postings *ps, size_t start,
			 bool *related)
{
	_cleanup_free_ size_t *queue = xcalloc(ps->nr, sizeof(*queue));
	size_t nr = 0;

	related[start] = true;
	queue[nr++] = start;
	for (size_t at = 0; at < nr; at++)
		for (size_t i = 0; i < ps->nr; i++)
			if (!related[i] && is_related(t, ps, queue[at], i)) {
				related[i] = true;
				queue[nr++] = i;
			}
}

/* The posting of the mail, or of what it answers; -1 when there is none above it. */
static int posting_above(const struct thread *t, int i)
{
	while (i >= 0 && t->v[i].posting < 0)
		i = t->v[i].parent;
	return i < 0 ? -1 : t->v[i].posting;
}

/* Most patches first, then those in the thread of the named mail, then input order. */
static int largest(const struct thread *t, const struct postings *ps, int named)
{
	int best = -1;

	for (size_t i = 0; i < ps->nr; i++) {
		const struct posting *p = &ps->v[i];

		if (named >= 0 && !thread_descends(t, head_of(p), named))
			continue;
		if (best < 0 || p->nr > ps->v[best].nr)
			best = (int)i;
	}
	return best >= 0 || named < 0 ? best : largest(t, ps, -1);
}

static int64_t date_of(const struct thread *t, const struct posting *p)
{
	return t->v[head_of(p)].m.date.epoch;
}

/* Of postings with one revision: the start, else the fuller, else the later one. */
static bool is_better(const struct thread *t, const struct postings *ps, int start,
		      int best, int i)
{
	const struct posting *a = &ps->v[best], *b = &ps->v[i];

	if (best == start || i == start)
		return i == start;
	if (a->nr != b->nr)
		return b->nr > a->nr;
	return date_of(t, b) > date_of(t, a);
}

/* "v5.1" lies between 5 and 6. */
static int compare_revisions(const struct posting *a, const struct posting *b)
{
	return a->revision != b->revision ? a->revision - b->revision
					  : a->subrevision - b->subrevision;
}

/* Newest revision that has patches; revision > 0 asks for one. */
static int pick_revision(const struct thread *t, const struct postings *ps,
			 const bool *related, int start, int revision)
{
	int best = -1, order;

	for (size_t i = 0; i < ps->nr; i++) {
		const struct posting *p = &ps->v[i];

		if (!related[i] || !p->nr || (revision && p->revision != revision))
			continue;
		order = best < 0 ? 1 : compare_revisions(p, &ps->v[best]);
		if (order > 0 || (!order && is_better(t, ps, start, best, (int)i)))
			best = (int)i;
	}
	return best;
}

static bool same_title(const struct thread *t, int a, int b)
{
	return t->v[a].title == t->v[b].title;
}

/* The number of base's patch that mail i replaces, 0 when it replaces none. */
static int replaces(const struct thread *t, const struct posting *base, int i, int number)
{
	bool counted = t->v[i].m.subject.counted;

	for (size_t k = 0; k < base->nr; k++) {
		int old = base->mails[k];

		if (counted && base->numbers[k] != number)
			continue;
		if (counted ? same_title(t, i, old) || thread_descends(t, i, old)
			    : same_title(t, i, old) && thread_descends(t, i, old))
			return base->numbers[k];
	}
	return 0;
}

/* The same over a base that may be filled up from older ones itself. */
static int replaces_in(const struct thread *t, const struct postings *ps, int base, int i,
		       int number)
{
	int found = 0;

	for (; base >= 0 && !found; base = ps->v[base].replaced_from)
		found = replaces(t, &ps->v[base], i, number);
	return found;
}

/*
 * A revision that holds only some patches, each an answer to the older patch it replaces,
 * is the older revision with those replaced. One that changes the count is not.
 */
static void find_replaced(const struct thread *t, struct postings *ps,
			  const bool *related, int chosen)
{
	struct posting *p = &ps->v[chosen];

	if (p->cover >= 0 || !p->nr || (p->counted && p->nr >= (size_t)p->total))
		return;
	for (size_t i = 0; i < ps->nr; i++) {
		const struct posting *base = &ps->v[i];
		size_t found = 0;

		if (!related[i] || base->revision >= p->revision || base->total < 2 ||
		    (p->counted && base->total != p->total) ||
		    (p->replaced_from >= 0 &&
		     ps->v[p->replaced_from].revision >= base->revision))
			continue;
		for (size_t k = 0; k < p->nr; k++)
			found += replaces_in(t, ps, (int)i, p->mails[k], p->numbers[k]) !=
				 0;
		if (found != p->nr)
			continue;
		p->replaced_from = (int)i;
	}
	if (p->replaced_from >= 0 && !p->counted)
		p->numbers[0] = replaces_in(t, ps, p->replaced_from, p->mails[0], 1);
}

struct by_revision {
	int revision, posting;
};

static int compare_by_revision(const void *a, const void *b)
{
	const struct by_revision *x = a, *y = b;

	return x->revision != y->revision ? x->revision - y->revision
					  : x->posting - y->posting;
}

/* The older ones first: each may stand on one filled up before. */
static void fill_up(const struct thread *t, struct postings *ps, const bool *related,
		    int chosen)
{
	_cleanup_free_ struct by_revision *v = xcalloc(ps->nr, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < ps->nr; i++)
		if (related[i] && ps->v[i].revision < ps->v[chosen].revision)
			v[n++] = (struct by_revision){ ps->v[i].revision, (int)i };
	qsort(v, n, sizeof(*v), compare_by_revision);
	for (size_t i = 0; i < n; i++)
		find_replaced(t, ps, related, v[i].posting);
	find_replaced(t, ps, related, chosen);
}

static int root_of(const struct thread *t, int i)
{
	while (t->v[i].parent >= 0)
		i = t->v[i].parent;
	return i;
}

/* Another series, of another thread, that has as good a claim to be the one meant. */
static int rival(const struct thread *t, const struct postings *ps, int start,
		 const bool *related)
{
	int root = root_of(t, head_of(&ps->v[start]));

	for (size_t i = 0; i < ps->nr; i++)
		if (!related[i] && ps->v[i].nr >= ps->v[start].nr &&
		    root_of(t, head_of(&ps->v[i])) != root)
			return (int)i;
	return -1;
}

static int refuse_rival(const struct thread *t, const struct postings *ps, int start,
			int other, struct err *e)
{
	const struct posting *a = &ps->v[start], *b = &ps->v[other];

	err_set(e, ERR_AMBIGUOUS,
		"the mails hold several series: '%s' in <%s>, '%s' in <%s> and maybe "
		"more",
		title_of(t, a), t->v[head_of(a)].m.message_id, title_of(t, b),
		t->v[head_of(b)].m.message_id);
	return err_hint(e, "name a mail of the one meant with --id");
}

static int refuse_empty(const struct thread *t, const struct postings *ps, int start,
			int revision, struct err *e)
{
	const struct posting *p = &ps->v[start];

	if (revision) {
		err_set(e, ERR_NOT_FOUND, "revision %d is not among the mails", revision);
		return err_hint(e, "without --revision the newest one is taken");
	}
	return err_set(e, ERR_NO_PATCHES,
		       "'%s' has a cover letter but none of the patches 1 to %d",
		       title_of(t, p), p->total);
}

int postings_choose(struct thread *t, struct postings *ps, const struct choose_opts *o,
		    struct posting_choice *ret, struct err *e)
{
	int named = o->message_id ? thread_find(t, o->message_id) : -1;
	int start = posting_above(t, named), chosen, other;
	_cleanup_free_ bool *related = xcalloc(ps->nr + 1, sizeof(*related));

	if (start < 0)
		start = largest(t, ps, named);
	if (start < 0) {
		err_set(e, ERR_NO_PATCHES, "none of the %zu mails carries a patch",
			t->nr);
		return err_hint(e, "name a mail of the patch series itself");
	}
	mark_related(t, ps, (size_t)start, related);
	other = named < 0 ? rival(t, ps, start, related) : -1;
	if (other >= 0)
		return refuse_rival(t, ps, start, other, e);
	chosen = pick_revision(t, ps, related, start, o->revision);
	if (chosen < 0)
		return refuse_empty(t, ps, start, o->revision, e);
	if (!o->no_partial)
		fill_up(t, ps, related, chosen);
	ret->posting = chosen;
	ret->start = start;
	ret->related = take_ptr(related);
	return 0;
}
