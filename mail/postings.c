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

/* Whether mail i hangs together with a mail of the posting: below it, above it or beside
 * it. */
static bool is_linked(const struct thread *t, const struct posting *p, int i)
{
	int index = t->v[head_of(p)].posting;
	int parent = t->v[i].parent;

	for (int up = parent; up >= 0; up = t->v[up].parent)
		if (t->v[up].posting == index)
			return true;
	for (size_t k = 0; k < p->nr; k++) {
		int beside = t->v[p->mails[k]].parent;

		if (beside >= 0 && (beside == parent || beside == i))
			return true;
	}
	return false;
}

/* Parents that are not in the input still tell which mails belong together. */
static bool same_absent_parent(const struct mail *a, const struct mail *b)
{
	return a->in_reply_to && b->in_reply_to &&
	       !strcmp(a->in_reply_to, b->in_reply_to);
}

/*
 * How well mail i fits into a posting of the same revision and total, 0 = not. Mails that
 * show no relation at all still fit when one sender sent them, or when neither answers
 * anything: files of git format-patch name each patch's author, and no thread.
 */
static int fit(const struct thread *t, const struct posting *p, int i)
{
	const struct mail *m = &t->v[i].m, *head = &t->v[head_of(p)].m;
	bool linked;

	if (!p->counted || p->revision != revision_of(m) ||
	    p->total != m->subject.total || has_number(p, m->subject.number) ||
	    strcmp(version_of(m), version_of(head)))
		return 0;
	linked = same_absent_parent(m, head) || is_linked(t, p, i);
	if (same_sender(m, head))
		return linked ? 4 : 2;
	if (linked)
		return 3;
	return !m->in_reply_to && !head->in_reply_to ? 1 : 0;
}

static struct posting *new_posting(struct postings *ps, const struct mail *m)
{
	struct posting *p = array_push(ps->v, ps->nr);

	*p = (struct posting){
		.revision = revision_of(m),
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

static bool is_patch(const struct mail *m)
{
	return !m->subject.reply && !is_cover(m) && mail_has_patch(m);
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
	posting_add(best, i, m->subject.counted ? m->subject.number : 1);
	best->rfc |= m->subject.rfc;
	best->resend |= m->subject.resend;
	t->v[i].posting = (int)(best - ps->v);
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
	    mail_has_patch(&t->v[root].m) || t->v[root].m.subject.pull)
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
		if (mail_has_patch(&t->v[i].m) && !is_cover(&t->v[i].m))
			place_patch(t, ps, (int)i);
}

void postings_find(struct thread *t, struct postings *ret)
{
	struct postings ps = POSTINGS_INIT;
	size_t patches = 0;

	for (size_t i = 0; i < t->nr; i++) {
		if (!is_cover(&t->v[i].m))
			continue;
		t->v[i].posting = (int)ps.nr;
		new_posting(&ps, &t->v[i].m)->cover = (int)i;
		ps.v[ps.nr - 1].rfc = t->v[i].m.subject.rfc;
		ps.v[ps.nr - 1].resend = t->v[i].m.subject.resend;
	}
	for (size_t i = 0; i < t->nr; i++) {
		if (!is_patch(&t->v[i].m))
			continue;
		patches++;
		place_patch(t, &ps, (int)i);
	}
	if (!patches)
		take_replies(t, &ps);
	for (size_t i = 0; i < ps.nr; i++) {
		struct posting *p = &ps.v[i];

		find_naked_cover(t, p, (int)i);
		p->change_id = tag_value(&t->v[head_of(p)].m.text, "change-id");
	}
	*ret = ps;
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
