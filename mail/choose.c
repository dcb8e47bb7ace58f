// SPDX-License-Identifier: GPL-3.0-or-later
/* Which posting of a thread is meant, and which others are revisions of it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/postings.h"

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
			if (!strcasecmp(t->v[a->mails[i]].m.subject.title,
					t->v[b->mails[k]].m.subject.title)) {
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

/*
 * Two postings are revisions of one series when they say so (change-id), when their
 * titles do, or when one sender answers the older with the newer. The kernel version must
 * agree: a backport to 6.1 is no revision of the one to 6.6.
 */
static bool is_related(const struct thread *t, const struct postings *ps, size_t x,
		       size_t y)
{
	const struct posting *a = &ps->v[x], *b = &ps->v[y];
	const struct mail *ma = &t->v[head_of(a)].m, *mb = &t->v[head_of(b)].m;
	const char *va = subject_version(&ma->subject),
		   *vb = subject_version(&mb->subject);
	size_t less = a->nr < b->nr ? a->nr : b->nr;

	if (a->change_id && b->change_id)
		return !strcmp(a->change_id, b->change_id);
	if (strcmp(va ? va : "", vb ? vb : ""))
		return false;
	if (!strcasecmp(title_of(t, a), title_of(t, b)))
		return true;
	if (less && shared_titles(t, a, b) * 2 >= less)
		return true;
	if (a->revision == b->revision || strcasecmp(ma->from_email, mb->from_email))
		return false;
	return a->revision < b->revision ? answers(t, ps, x, y) : answers(t, ps, y, x);
}

/* related[] becomes the transitive closure around start. */
static void mark_related(const struct thread *t, const struct postings *ps, size_t start,
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

/* Newest revision that has patches; revision > 0 asks for one. */
static int pick_revision(const struct thread *t, const struct postings *ps,
			 const bool *related, int start, int revision)
{
	int best = -1;

	for (size_t i = 0; i < ps->nr; i++) {
		const struct posting *p = &ps->v[i];

		if (!related[i] || !p->nr || (revision && p->revision != revision))
			continue;
		if (best < 0 || p->revision > ps->v[best].revision ||
		    (p->revision == ps->v[best].revision &&
		     is_better(t, ps, start, best, (int)i)))
			best = (int)i;
	}
	return best;
}

static bool same_title(const struct thread *t, int a, int b)
{
	return !strcasecmp(t->v[a].m.subject.title, t->v[b].m.subject.title);
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
			found += replaces(t, base, p->mails[k], p->numbers[k]) != 0;
		if (found != p->nr)
			continue;
		p->replaced_from = (int)i;
	}
	if (p->replaced_from >= 0 && !p->counted)
		p->numbers[0] = replaces(t, &ps->v[p->replaced_from], p->mails[0], 1);
}

int postings_choose(const struct thread *t, struct postings *ps, const char *message_id,
		    int revision, struct posting_choice *ret, struct err *e)
{
	int named = message_id ? thread_find(t, message_id) : -1;
	int start = posting_above(t, named);
	_cleanup_free_ bool *related = xcalloc(ps->nr + 1, sizeof(*related));
	int chosen;

	if (start < 0)
		start = largest(t, ps, named);
	if (start < 0) {
		err_set(e, ERR_NO_PATCHES, "none of the %zu mails carries a patch",
			t->nr);
		return err_hint(e, "name a mail of the patch series itself");
	}
	mark_related(t, ps, (size_t)start, related);
	chosen = pick_revision(t, ps, related, start, revision);
	if (chosen < 0 && revision) {
		err_set(e, ERR_NOT_FOUND, "revision %d is not among the mails", revision);
		return err_hint(e, "without --revision the newest one is taken");
	}
	if (chosen < 0)
		return err_set(e, ERR_NO_PATCHES,
			       "'%s' has a cover letter but no patches",
			       title_of(t, &ps->v[start]));
	find_replaced(t, ps, related, chosen);
	ret->posting = chosen;
	ret->start = start;
	ret->related = take_ptr(related);
	return 0;
}
