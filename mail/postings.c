// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/postings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/tags.h"

static const char *version_of(const struct mail *m)
{
	const char *v = subject_version(&m->subject);

	return v ? v : "";
}

static int revision_of(const struct mail *m)
{
	return m->subject.revision ? m->subject.revision : 1;
}

static bool same_sender(const struct mail *a, const struct mail *b)
{
	return !strcasecmp(a->from_email, b->from_email);
}

/* A mail of the posting to compare with: the cover, else the first patch. */
static int head_of(const struct posting *p)
{
	return p->cover >= 0 ? p->cover : p->nr ? p->mails[0] : -1;
}

static bool has_number(const struct posting *p, int number)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->numbers[i] == number)
			return true;
	return false;
}

/* The posting that mail i answers, however far down; -1 when it answers none. */
static int posting_over(const struct thread *t, int i)
{
	while ((i = t->v[i].parent) >= 0)
		if (t->v[i].posting >= 0)
			return t->v[i].posting;
	return -1;
}

/* Parents that are not in the input still tell which mails belong together. */
static bool same_absent_parent(const struct mail *a, const struct mail *b)
{
	return a->in_reply_to && b->in_reply_to &&
	       !strcmp(a->in_reply_to, b->in_reply_to);
}

/* Whether a patch of the posting and mail i answer the same mail, or it answers i. */
static bool is_beside(const struct thread *t, const struct posting *p, int i)
{
	for (size_t k = 0; k < p->nr; k++) {
		int beside = t->v[p->mails[k]].parent;

		if (beside >= 0 && (beside == t->v[i].parent || beside == i))
			return true;
	}
	return same_absent_parent(&t->v[i].m, &t->v[head_of(p)].m);
}

/*
 * Side by side in the input, files without ids, or of one sender within the hour: all that
 * mails without a thread say.
 */
static bool is_near(const struct thread *t, const struct posting *p, int i, bool by_time)
{
	const struct mail *m = &t->v[i].m;

	for (size_t k = 0; k < p->nr + (p->cover >= 0); k++) {
		int at = k < p->nr ? p->mails[k] : p->cover;
		const struct mail *o = &t->v[at].m;

		if (abs(at - i) == 1 || (mail_id_is_made(m) && mail_id_is_made(o)) ||
		    (by_time && m->date.known && o->date.known &&
		     llabs(m->date.epoch - o->date.epoch) <= 3600))
			return true;
	}
	return false;
}

/* Ids that one run of git send-email made differ in their number only. */
static bool same_stem(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n] && a[n] != '-' && a[n] != '.')
		n++;
	return n > 8;
}

/*
 * How well mail i fits into a posting of the same revision and total, 0 = not. A mail
 * below the posting beats one beside it, that beats one only its sender joins; files of
 * git format-patch name each patch's author, and no thread.
 */
static int fit(const struct thread *t, const struct posting *p, int i)
{
	const struct mail *m = &t->v[i].m, *head = &t->v[head_of(p)].m;
	int parent = t->v[i].parent, score;

	if (!p->counted || p->total != m->subject.total ||
	    p->revision != revision_of(m) || p->subrevision != m->subject.subrevision ||
	    has_number(p, m->subject.number) || strcmp(version_of(m), version_of(head)))
		return 0;
	if (parent >= 0 && (parent == p->cover || (p->nr && parent == p->mails[0])))
		score = 10;
	else if (parent >= 0 && posting_over(t, i) == t->v[head_of(p)].posting)
		score = 8;
	else if (is_beside(t, p, i))
		score = 6;
	else if (same_sender(m, head))
		return is_near(t, p, i, true)
			       ? 4 + same_stem(m->message_id, head->message_id)
			       : 0;
	else
		return !m->in_reply_to && !head->in_reply_to && is_near(t, p, i, false)
			       ? 1
			       : 0;
	return score * 4 + same_sender(m, head) * 2 +
	       same_stem(m->message_id, head->message_id);
}

static struct posting *new_posting(struct postings *ps, const struct mail *m)
{
	struct posting *p = array_push(ps->v, ps->nr);

	*p = (struct posting){
		.revision = revision_of(m),
		.subrevision = m->subject.subrevision,
		.total = m->subject.counted && m->subject.total ? m->subject.total : 1,
		.counted = m->subject.counted,
		.cover = -1,
		.replaced_from = -1,
	};
	return p;
}

static void posting_add(struct posting *p, int mail, int number)
{
	size_t n = p->nr, cap = p->nr;
	size_t at = 0;

	(void)array_push(p->mails, n);
	(void)array_push(p->numbers, cap);
	while (at < p->nr && p->numbers[at] < number)
		at++;
	memmove(p->mails + at + 1, p->mails + at, (p->nr - at) * sizeof(*p->mails));
	memmove(p->numbers + at + 1, p->numbers + at, (p->nr - at) * sizeof(*p->numbers));
	p->mails[at] = mail;
	p->numbers[at] = number;
	p->nr++;
}

static bool is_cover(const struct mail *m)
{
	return !m->subject.reply && m->subject.counted && m->subject.number == 0;
}

static bool is_patch(const struct thread *t, int i)
{
	const struct mail *m = &t->v[i].m;

	return !m->subject.reply && !is_cover(m) && t->v[i].maybe_patch;
}

static void take_flags(struct posting *p, const struct subject *s)
{
	p->rfc |= s->rfc;
	p->resend |= s->resend;
	p->versioned |= s->revision != 0;
}

static void place_patch(struct thread *t, struct postings *ps, int i)
{
	const struct mail *m = &t->v[i].m;
	struct posting *best = NULL;
	int score = 0;

	for (size_t k = 0; m->subject.counted && k < ps->nr; k++) {
		int s = fit(t, &ps->v[k], i);

		if (s && s >= score) {
			score = s;
			best = &ps->v[k];
		}
	}
	if (!best)
		best = new_posting(ps, m);
	else if (score < 6)
		best->joined = true;
	posting_add(best, i, m->subject.counted ? m->subject.number : 1);
	take_flags(best, &m->subject);
	t->v[i].posting = (int)(best - ps->v);
}

static void place_cover(struct thread *t, struct postings *ps, int i)
{
	struct posting *p = new_posting(ps, &t->v[i].m);

	p->cover = i;
	take_flags(p, &t->v[i].m.subject);
	t->v[i].posting = (int)ps->nr - 1;
}

struct depth {
	int mail, depth;
};

static int compare_depths(const void *a, const void *b)
{
	const struct depth *x = a, *y = b;

	return x->depth != y->depth ? (x->depth > y->depth) - (x->depth < y->depth)
				    : (x->mail > y->mail) - (x->mail < y->mail);
}

/* The mails with those answered before those that answer, else in input order. */
static struct depth *by_depth(const struct thread *t)
{
	struct depth *d = xcalloc(t->nr + 1, sizeof(*d));

	for (size_t i = 0; i < t->nr; i++)
		d[i] = (struct depth){ (int)i, -1 };
	for (size_t i = 0; i < t->nr; i++) {
		int up = 0, at;

		for (at = (int)i; at >= 0 && d[at].depth < 0; at = t->v[at].parent)
			up++;
		up += at >= 0 ? d[at].depth : -1;
		for (at = (int)i; at >= 0 && d[at].depth < 0; at = t->v[at].parent)
			d[at].depth = up--;
	}
	qsort(d, t->nr, sizeof(*d), compare_depths);
	return d;
}

/* Whether all of p hangs below q, or beside its patches. */
static bool hangs_together(const struct thread *t, const struct posting *p,
			   const struct posting *q)
{
	for (size_t i = 0; i < p->nr; i++) {
		int parent = t->v[p->mails[i]].parent;

		if ((parent < 0 ||
		     (parent != q->cover && (!q->nr || parent != q->mails[0]))) &&
		    (!q->nr || !is_beside(t, q, p->mails[i])))
			return false;
	}
	return true;
}

/*
 * "[PATCH v2 1/3]", then "[PATCH 2/3]" and "[PATCH 3/3]" in its thread, or the revision on
 * the cover only: what p lacks of revision and numbers, q has.
 */
static bool completes(const struct thread *t, const struct posting *p,
		      const struct posting *q)
{
	if (p == q || p->versioned || p->cover >= 0 || !p->nr || !p->counted ||
	    !q->versioned || !q->counted || p->total != q->total ||
	    (q->nr && p->nr + q->nr > (size_t)q->total) ||
	    !same_sender(&t->v[p->mails[0]].m, &t->v[head_of(q)].m) ||
	    strcmp(version_of(&t->v[p->mails[0]].m), version_of(&t->v[head_of(q)].m)))
		return false;
	for (size_t i = 0; i < p->nr; i++)
		if (has_number(q, p->numbers[i]))
			return false;
	return hangs_together(t, p, q);
}

/* p is left empty. */
static void merge_into(struct thread *t, struct posting *p, struct posting *q, int index)
{
	for (size_t i = 0; i < p->nr; i++) {
		posting_add(q, p->mails[i], p->numbers[i]);
		t->v[p->mails[i]].posting = index;
	}
	p->nr = 0;
}

static void merge_unversioned(struct thread *t, struct postings *ps)
{
	size_t n = 0;

	for (size_t i = 0; i < ps->nr; i++)
		for (size_t k = 0; !ps->v[i].versioned && k < ps->nr; k++)
			if (completes(t, &ps->v[i], &ps->v[k]))
				merge_into(t, &ps->v[i], &ps->v[k], (int)k);
	for (size_t i = 0; i < ps->nr; i++) {
		struct posting *p = &ps->v[i];

		if (!p->nr && p->cover < 0) {
			free(p->mails);
			free(p->numbers);
			continue;
		}
		for (size_t k = 0; k < p->nr; k++)
			t->v[p->mails[k]].posting = (int)n;
		if (p->cover >= 0)
			t->v[p->cover].posting = (int)n;
		ps->v[n++] = *p;
	}
	ps->nr = n;
}

/*
 * A cover without "0/N": the mail that all patches answer, of the same sender, no answer
 * itself and without a patch. A report by somebody else is none.
 */
static void find_naked_cover(struct thread *t, struct posting *p, int index)
{
	int root;

	if (p->cover >= 0 || !p->nr || (p->total < 2 && p->nr < 2))
		return;
	root = t->v[p->mails[0]].parent;
	if (root < 0 || t->v[root].posting >= 0 || t->v[root].m.subject.reply ||
	    !same_sender(&t->v[root].m, &t->v[p->mails[0]].m) ||
	    t->v[root].m.subject.pull || thread_has_patch(t, root))
		return;
	for (size_t i = 0; i < p->nr; i++)
		if (!thread_descends(t, p->mails[i], root))
			return;
	p->cover = root;
	t->v[root].posting = index;
}

/* Patches sent as answers count only where no other patch is. */
static void take_replies(struct thread *t, struct postings *ps)
{
	for (size_t i = 0; i < t->nr; i++)
		if (!is_cover(&t->v[i].m) && thread_has_patch(t, (int)i))
			place_patch(t, ps, (int)i);
}

void postings_find(struct thread *t, int only, struct postings *ret)
{
	_cleanup_free_ struct depth *order = by_depth(t);
	struct postings ps = POSTINGS_INIT;
	size_t patches = 0;

	for (size_t i = 0; i < t->nr; i++)
		t->v[i].posting = -1;
	if (only >= 0)
		new_posting(&ps, &t->v[only].m)->counted = false;
	for (size_t i = 0; i < t->nr && only < 0; i++)
		if (is_cover(&t->v[i].m))
			place_cover(t, &ps, (int)i);
	for (size_t i = 0; i < t->nr && only < 0; i++) {
		if (!is_patch(t, order[i].mail))
			continue;
		patches++;
		place_patch(t, &ps, order[i].mail);
	}
	if (only >= 0) {
		posting_add(ps.v, only, 1);
		ps.v->total = 1;
		t->v[only].posting = 0;
	} else if (!patches) {
		take_replies(t, &ps);
	}
	merge_unversioned(t, &ps);
	for (size_t i = 0; i < ps.nr; i++)
		find_naked_cover(t, &ps.v[i], (int)i);
	*ret = ps;
}

const char *posting_change_id(struct thread *t, struct posting *p)
{
	if (!p->change_id_read)
		p->change_id = tag_value(&thread_load(t, head_of(p))->text, "change-id");
	p->change_id_read = true;
	return p->change_id;
}

void postings_release(struct postings *ps)
{
	for (size_t i = 0; i < ps->nr; i++) {
		free(ps->v[i].mails);
		free(ps->v[i].numbers);
		free(ps->v[i].change_id);
	}
	free(ps->v);
	*ps = (struct postings)POSTINGS_INIT;
}
