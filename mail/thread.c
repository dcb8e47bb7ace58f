// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/thread.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/box.h"

/*
 * One mail may come by several lists. A list that rewrites From ("X via List") or adds
 * its footer makes a worse copy than one that does not.
 */
static bool is_better_copy(const struct mail *a, const struct mail *b)
{
	bool via_a = strstr(a->from_name, " via ") != NULL;
	bool via_b = strstr(b->from_name, " via ") != NULL;

	if (via_a != via_b)
		return via_b;
	return a->text.len < b->text.len;
}

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

		if (strcmp(a->m.message_id, b->m.message_id)) {
			first = i;
			continue;
		}
		if (is_better_copy(&b->m, &a->m)) {
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

int thread_read(const struct box *box, struct thread *ret, struct err *e)
{
	_cleanup_(thread_release) struct thread t = THREAD_INIT;
	_cleanup_buf_ struct buf raw = BUF_INIT;

	if (!box_nr(box))
		return err_set(e, ERR_NO_PATCHES, "there is no mail in the input");
	t.v = xcalloc(box_nr(box), sizeof(*t.v));
	for (; t.nr < box_nr(box); t.nr++) {
		if (box_mail(box, t.nr, &raw, e) < 0)
			return -(int)e->code;
		mail_parse(&raw, &(struct mail_opts){ 0 }, &t.v[t.nr].m);
	}
	drop_copies(&t);
	link_mails(&t);
	*ret = t;
	t = (struct thread)THREAD_INIT;
	return 0;
}

void thread_release(struct thread *t)
{
	for (size_t i = 0; i < t->nr; i++)
		mail_release(&t->v[i].m);
	free(t->v);
	free(t->by_id);
	*t = (struct thread)THREAD_INIT;
}
