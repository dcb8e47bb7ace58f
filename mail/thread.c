// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/thread.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/box.h"
#include "mail/copies.h"
#include "mail/head.h"
#include "mail/text.h"

static int compare_ids(const void *a, const void *b, void *ctx)
{
	const struct thread *t = ctx;
	int i = *(const int *)a, k = *(const int *)b;
	int r = strcmp(t->v[i].m.message_id, t->v[k].m.message_id);

	return r ? r : i - k;
}

static void sort_ids(struct thread *t)
{
	free(t->by_id);
	t->by_id = xcalloc(t->nr + 1, sizeof(*t->by_id));
	for (size_t i = 0; i < t->nr; i++)
		t->by_id[i] = (int)i;
	qsort_r(t->by_id, t->nr, sizeof(*t->by_id), compare_ids, t);
}

/* Keep the best copy of each message-id, at the place of the first. */
static void drop_copies(struct thread *t)
{
	_cleanup_free_ bool *drop = xcalloc(t->nr + 1, sizeof(*drop));
	size_t n = 0;

	sort_ids(t);
	for (size_t i = 1, first = 0; i < t->nr; i++) {
		struct thread_mail *a = &t->v[t->by_id[first]], *b = &t->v[t->by_id[i]];
		struct copies c;

		if (strcmp(a->m.message_id, b->m.message_id)) {
			first = i;
			continue;
		}
		c = copies_compare(t->box, a->box, b->box, &t->opts);
		if (c.patches_differ && !strv_has(&t->disputed, a->m.message_id))
			strv_add(&t->disputed, a->m.message_id);
		if (c.second_is_better) {
			struct thread_mail swap = *a;

			*a = *b;
			*b = swap;
		}
		drop[t->by_id[i]] = true;
	}
	for (size_t i = 0; i < t->nr; i++) {
		if (drop[i])
			mail_release(&t->v[i].m);
		else
			t->v[n++] = t->v[i];
	}
	t->nr = n;
	sort_ids(t);
}

int thread_find(const struct thread *t, const char *message_id)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int r = strcmp(t->v[t->by_id[mid]].m.message_id, message_id);

		if (r == 0)
			return t->by_id[mid];
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}

bool thread_descends(const struct thread *t, int i, int ancestor)
{
	for (i = t->v[i].parent; i >= 0; i = t->v[i].parent)
		if (i == ancestor)
			return true;
	return false;
}

/* Hostile ids may form a circle; the link that would close it is not made. */
static bool link_to(struct thread *t, int i, const char *id)
{
	int parent = id ? thread_find(t, id) : -1;

	if (parent < 0 || parent == i || thread_descends(t, parent, i))
		return false;
	t->v[i].parent = parent;
	return true;
}

/* In-Reply-To before References, whose order some mail programs do not keep. */
static void link_mails(struct thread *t)
{
	for (size_t i = 0; i < t->nr; i++)
		t->v[i].parent = t->v[i].posting = -1;
	for (size_t i = 0; i < t->nr; i++) {
		const struct mail *m = &t->v[i].m;
		bool linked = link_to(t, (int)i, m->in_reply_to);

		for (size_t k = m->references.nr; !linked && k-- > 0;)
			linked = link_to(t, (int)i, m->references.v[k]);
	}
}

static int compare_titles(const void *a, const void *b, void *ctx)
{
	const struct thread *t = ctx;

	return strcasecmp(t->v[*(const int *)a].m.subject.title,
			  t->v[*(const int *)b].m.subject.title);
}

/* Equal titles get equal numbers: later they are compared more than once a mail. */
static void number_titles(struct thread *t)
{
	_cleanup_free_ int *order = xcalloc(t->nr + 1, sizeof(*order));
	int title = 0;

	for (size_t i = 0; i < t->nr; i++)
		order[i] = (int)i;
	qsort_r(order, t->nr, sizeof(*order), compare_titles, t);
	for (size_t i = 0; i < t->nr; i++) {
		if (i && compare_titles(&order[i - 1], &order[i], t))
			title++;
		t->v[order[i]].title = title;
	}
}

/* The header fields move over; raw_subject is not needed. */
static void take_head(struct head *h, struct mail *m)
{
	m->message_id = take_ptr(h->message_id);
	m->in_reply_to = take_ptr(h->in_reply_to);
	m->references = h->references;
	h->references = (struct strv)STRV_INIT;
	m->from_name = take_ptr(h->from_name);
	m->from_email = take_ptr(h->from_email);
	m->subject = h->subject;
	h->subject = (struct subject){ 0 };
	m->date = h->date;
}

static struct thread_mail *add_mail(struct thread *t, size_t box, size_t size)
{
	struct thread_mail *m = array_push(t->v, t->nr);

	*m = (struct thread_mail){ .box = box, .size = size };
	return m;
}

/* Patches attached to one mail: answers to it, told apart by a number behind its id. */
static void add_attached(struct thread *t, size_t at)
{
	size_t nr = t->v[at].m.nr_attached;
	struct mail *attached = take_ptr(t->v[at].m.attached);

	t->v[at].m.nr_attached = 0;
	for (size_t i = 0; i < nr; i++) {
		struct thread_mail *m = add_mail(t, t->v[at].box, 0);

		m->m = attached[i];
		m->loaded = m->maybe_patch = true;
		free(m->m.message_id);
		free(m->m.in_reply_to);
		m->m.message_id = xasprintf("%s#%zu", t->v[at].m.message_id, i + 1);
		m->m.in_reply_to = xstrdup(t->v[at].m.message_id);
	}
	free(attached);
}

static void add_head(struct thread *t, const struct buf *raw, size_t box)
{
	size_t at = t->nr;
	struct thread_mail *m = add_mail(t, box, raw->len);
	_cleanup_head_ struct head h = { 0 };

	head_parse(raw, &h);
	m->maybe_patch = h.maybe_patch;
	take_head(&h, &m->m);
	if (!h.maybe_patch || !text_find_nocase(buf_str(raw), raw->len, "multipart/"))
		return;
	thread_load(t, (int)at);
	add_attached(t, at);
}

int thread_read(const struct box *box, const struct mail_opts *o, struct thread *ret,
		struct err *e)
{
	_cleanup_(thread_release) struct thread t = { .box = box, .opts = *o };
	_cleanup_buf_ struct buf raw = BUF_INIT;

	if (!box_nr(box))
		return err_set(e, ERR_NO_PATCHES, "there is no mail in the input");
	for (size_t i = 0; i < box_nr(box); i++) {
		if (box_mail(box, i, &raw, e) < 0)
			return -(int)e->code;
		add_head(&t, &raw, i);
	}
	drop_copies(&t);
	link_mails(&t);
	number_titles(&t);
	*ret = t;
	t = (struct thread)THREAD_INIT;
	return 0;
}

/* Others point into the header fields of the mail that is there: they stay. */
static void keep_header(struct mail *old, struct mail *loaded)
{
	struct mail head = *old;

	*old = *loaded;
	loaded->message_id = head.message_id;
	loaded->in_reply_to = head.in_reply_to;
	loaded->references = head.references;
	loaded->subject = head.subject;
	head.message_id = old->message_id;
	head.in_reply_to = old->in_reply_to;
	head.references = old->references;
	head.subject = old->subject;
	mail_release(&head);
}

const struct mail *thread_load(struct thread *t, int i)
{
	struct thread_mail *tm = &t->v[i];
	_cleanup_mail_ struct mail m = { 0 };
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	if (tm->loaded)
		return &tm->m;
	tm->loaded = true;
	tm->maybe_patch = false;
	if (box_mail(t->box, tm->box, &raw, &e) < 0) {
		if (!t->e.code) {
			t->e = e;
			e = (struct err){ 0 };
		}
		return &tm->m;
	}
	mail_parse(&raw, &t->opts, &m);
	keep_header(&tm->m, &m);
	tm->m = m;
	m = (struct mail){ 0 };
	tm->maybe_patch = mail_has_patch(&tm->m);
	return &tm->m;
}

bool thread_has_patch(struct thread *t, int i)
{
	return t->v[i].maybe_patch && mail_has_patch(thread_load(t, i));
}

void thread_release(struct thread *t)
{
	for (size_t i = 0; i < t->nr; i++)
		mail_release(&t->v[i].m);
	free(t->v);
	strv_release(&t->disputed);
	free(t->by_id);
	err_release(&t->e);
	*t = (struct thread)THREAD_INIT;
}
