// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/assemble.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/base-hint.h"
#include "mail/damage.h"
#include "mail/postings.h"
#include "mail/tags.h"
#include "mail/text.h"
#include "mail/trailers.h"

/* All that is known while one series is put together. */
struct assembly {
	struct thread thread;
	struct postings postings;
	struct posting_choice choice;
	int *mails; /* the chosen patch mails, in the order of series->patches */
	const struct assemble_opts *o;
};

static void assembly_release(struct assembly *a)
{
	thread_release(&a->thread);
	postings_release(&a->postings);
	free(a->choice.related);
	free(a->mails);
}

static const struct posting *chosen(const struct assembly *a)
{
	return &a->postings.v[a->choice.posting];
}

static int compare_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void list_revisions(const struct assembly *a, struct series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < a->postings.nr; i++)
		if (a->choice.related[i] && a->postings.v[i].nr)
			*array_push(s->revisions, s->nr_revisions) =
				a->postings.v[i].revision;
	qsort(s->revisions, s->nr_revisions, sizeof(*s->revisions), compare_int);
	for (size_t i = 0; i < s->nr_revisions; i++)
		if (!n || s->revisions[n - 1] != s->revisions[i])
			s->revisions[n++] = s->revisions[i];
	s->nr_revisions = n;
}

static char *clean(const char *text)
{
	return text_clean(text, strlen(text));
}

static void note_author(struct series *s, const struct patch *p)
{
	if (!*p->author_name && !*p->author_email)
		series_note(s, NOTE_WARNING, p->message_id, "patch %d names no author",
			    p->number);
	else if (strstr(p->author_name, " via "))
		series_note(
			s, NOTE_WARNING, p->message_id,
			"patch %d: a list put its own address in place of the author's",
			p->number);
}

static void add_patch(struct assembly *a, struct series *s, int mail, int number)
{
	const struct mail *m = &a->thread.v[mail].m;
	size_t n = s->nr_patches;
	struct patch *p = series_add_patch(s);

	*array_push(a->mails, n) = mail;
	p->number = number;
	p->message_id = clean(m->message_id);
	p->subject = xstrdup(m->info.subject);
	p->author_name = xstrdup(m->info.author_name);
	p->author_email = xstrdup(m->info.author_email);
	p->date = m->info.date.epoch;
	p->date_tz = m->info.date.tz;
	p->message = mailinfo_message(&m->info);
	buf_add(&p->diff, buf_str(&m->info.diff), m->info.diff.len);
	p->damage = m->damage ? clean(m->damage) : damage_find(&p->diff);
	trailers_of_message(p);
	note_author(s, p);
	if (!m->info.date.known)
		series_note(s, NOTE_WARNING, p->message_id,
			    "the date of patch %d cannot be read", number);
	if (m->info.embedded && strcmp(m->info.subject, m->subject.title))
		series_note(s, NOTE_INFO, p->message_id,
			    "patch %d stands inside the mail '%s'", number,
			    m->subject.title);
	if (m->flowed)
		series_note(s, NOTE_WARNING, p->message_id,
			    "patch %d was sent as flowed text; its white space may be "
			    "changed",
			    number);
}

/* The older patches a partial revision leaves as they were, merged in by number. */
static void add_patches(struct assembly *a, struct series *s)
{
	const struct posting *p = chosen(a);
	const struct posting *base =
		p->replaced_from >= 0 ? &a->postings.v[p->replaced_from] : NULL;
	size_t i = 0, k = 0;

	while (i < p->nr || (base && k < base->nr)) {
		bool own = i < p->nr &&
			   (!base || k >= base->nr || p->numbers[i] <= base->numbers[k]);

		if (!own) {
			add_patch(a, s, base->mails[k], base->numbers[k]);
			k++;
			continue;
		}
		if (base && k < base->nr && base->numbers[k] == p->numbers[i])
			k++;
		add_patch(a, s, p->mails[i], p->numbers[i]);
		if (base)
			series_note(
				s, NOTE_INFO, s->patches[s->nr_patches - 1].message_id,
				"patch %d/%d is taken from revision %d, the others from "
				"revision %d",
				p->numbers[i], s->total, p->revision, base->revision);
		i++;
	}
}

static void find_missing(struct series *s)
{
	size_t at = 0;

	for (int n = 1; n <= s->total; n++) {
		while (at < s->nr_patches && s->patches[at].number < n)
			at++;
		if (at == s->nr_patches || s->patches[at].number != n)
			*array_push(s->missing, s->nr_missing) = n;
	}
	for (size_t i = 0; i < s->nr_patches; i++)
		if (s->patches[i].number > s->total)
			series_note(s, NOTE_WARNING, s->patches[i].message_id,
				    "patch %d/%d goes beyond the count and is appended",
				    s->patches[i].number, s->total);
}

static void add_cover(const struct assembly *a, struct series *s, int mail)
{
	const struct mail *m = &a->thread.v[mail].m;

	s->cover = xzalloc(sizeof(*s->cover));
	s->cover->message_id = clean(m->message_id);
	s->cover->subject = xstrdup(m->subject.title);
	s->cover->author_name = xstrdup(m->from_name);
	s->cover->author_email = xstrdup(m->from_email);
	s->cover->body = xstrdup(buf_str(&m->text));
}

/* A partial revision has the cover of the one it changes. */
static int cover_of(const struct assembly *a)
{
	const struct posting *p = chosen(a);

	if (p->cover < 0 && p->replaced_from >= 0)
		return a->postings.v[p->replaced_from].cover;
	return p->cover;
}

/* The chosen patch or cover a reply is about, -1 when it is about something else. */
static int subject_of_reply(const struct assembly *a, int mail)
{
	const struct thread *t = &a->thread;
	const struct posting *p = chosen(a);

	while ((mail = t->v[mail].parent) >= 0) {
		int in = t->v[mail].posting;

		if (in >= 0)
			return in == a->choice.posting || in == p->replaced_from ? mail
										 : -1;
	}
	return -1;
}

static void take_reply(struct assembly *a, struct series *s, int mail, int about)
{
	struct trailer_list l = { 0 };
	bool on_cover = about == cover_of(a);

	if (on_cover && a->o->no_cover_trailers)
		return;
	trailers_of_reply(&a->thread.v[mail].m, &l);
	for (size_t i = 0; i < s->nr_patches; i++)
		if (on_cover || a->mails[i] == about)
			trailers_add(&s->patches[i], &l);
	for (size_t i = 0; i < l.nr; i++)
		if (l.v[i].state == TRAILER_FLAGGED)
			series_note(s, NOTE_WARNING, l.v[i].source,
				    "'%s: %s' is not added: %s", l.v[i].key, l.v[i].value,
				    l.v[i].reason);
	trailer_list_release(&l);
}

static void collect_trailers(struct assembly *a, struct series *s)
{
	for (size_t i = 0; i < a->thread.nr; i++) {
		int about;

		if (a->thread.v[i].posting >= 0)
			continue;
		about = subject_of_reply(a, (int)i);
		if (about >= 0)
			take_reply(a, s, (int)i, about);
	}
	for (size_t i = 0; i < s->nr_patches; i++)
		trailers_apply(&s->patches[i]);
}

static void note_choice(const struct assembly *a, struct series *s)
{
	const struct posting *start = &a->postings.v[a->choice.start], *p = chosen(a);

	if (a->o->message_id && start->revision != p->revision && !a->o->revision)
		series_note(s, NOTE_INFO, a->o->message_id,
			    "the mail named belongs to revision %d; revision %d is newer "
			    "and is "
			    "used",
			    start->revision, p->revision);
	for (size_t i = 0; i < a->postings.nr; i++) {
		const struct posting *o = &a->postings.v[i];

		if (!a->choice.related[i] || o == p || o->revision < p->revision)
			continue;
		if (o->revision > p->revision && !o->nr)
			series_note(s, NOTE_WARNING, a->thread.v[o->cover].m.message_id,
				    "of revision %d only the cover letter is here",
				    o->revision);
		for (size_t k = 0; o->revision == p->revision && k < o->nr; k++)
			series_note(s, NOTE_WARNING,
				    a->thread.v[o->mails[k]].m.message_id,
				    "another mail with number %d/%d of revision %d is "
				    "not used",
				    o->numbers[k], o->total, o->revision);
	}
}

static void collect_tags_of(const struct mail *m, const char *message_id,
			    struct series *s)
{
	tags_collect(&m->text, message_id, s);
	base_hints_of_subject(&m->subject, message_id, s);
}

static void collect_tags(const struct assembly *a, struct series *s, int cover)
{
	if (cover >= 0)
		collect_tags_of(&a->thread.v[cover].m, s->cover->message_id, s);
	for (size_t i = 0; i < s->nr_patches; i++)
		collect_tags_of(&a->thread.v[a->mails[i]].m, s->patches[i].message_id, s);
}

static void build(struct assembly *a, struct series *s)
{
	const struct posting *p = chosen(a);
	int cover = cover_of(a);

	s->revision = p->revision;
	s->total = p->replaced_from >= 0 ? a->postings.v[p->replaced_from].total
					 : p->total;
	s->rfc = p->rfc;
	s->resend = p->resend;
	list_revisions(a, s);
	add_patches(a, s);
	find_missing(s);
	if (cover >= 0)
		add_cover(a, s, cover);
	s->title = xstrdup(s->cover ? s->cover->subject : s->patches[0].subject);
	s->message_id =
		xstrdup(s->cover ? s->cover->message_id : s->patches[0].message_id);
	collect_tags(a, s, cover);
	note_choice(a, s);
	if (!a->o->no_trailers)
		collect_trailers(a, s);
}

int assemble_mails(const struct box *box, const struct assemble_opts *o,
		   struct series **ret, struct err *e)
{
	_cleanup_(assembly_release) struct assembly a = { .o = o };
	int r = thread_read(box, &a.thread, e);

	if (r < 0)
		return r;
	postings_find(&a.thread, &a.postings);
	r = postings_choose(&a.thread, &a.postings, o->message_id, o->revision, &a.choice,
			    e);
	if (r < 0)
		return r;
	*ret = series_new();
	build(&a, *ret);
	return 0;
}
