// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/assemble.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/base-hint.h"
#include "mail/collect.h"
#include "mail/copies.h"
#include "mail/damage.h"
#include "mail/pick.h"
#include "mail/postings.h"
#include "mail/stable-mail.h"
#include "mail/tags.h"
#include "mail/text.h"
#include "mail/trailers.h"

#define MAX_OTHERS 10
#define MAX_HINTS 100
#define MAX_ROUNDS 8
#define MAX_SUCCESSORS 8

/* All that is known while one series is put together. */
struct assembly {
	struct thread thread;
	struct postings postings;
	struct posting_choice choice;
	int *mails; /* the chosen patch mails, in the order of series->patches */
	const struct assemble_opts *o;
	int next;	 /* the mail of the series that takes the chosen one's place */
	char *successor; /* message-id of the mail that says so, NULL when none did */
};

static void assembly_release(struct assembly *a)
{
	thread_release(&a->thread);
	postings_release(&a->postings);
	free(a->choice.related);
	free(a->mails);
	free(a->successor);
}

static const struct posting *chosen(const struct assembly *a)
{
	return &a->postings.v[a->choice.posting];
}

static int head_of_choice(const struct assembly *a)
{
	return chosen(a)->cover >= 0 ? chosen(a)->cover : chosen(a)->mails[0];
}

/* The message-id in "<id>", an archive's address or a bare id; NULL when there is none. */
static char *id_in(const char *text)
{
	const char *open = strchr(text, '<'), *at = strchr(text, '@');
	const char *from = open ? open + 1 : text;
	size_t n;

	if (!at)
		return NULL;
	for (const char *p = from; p < at; p++)
		if (*p == '/')
			from = p + 1;
	n = strcspn(from, "> \t/");
	return n > (size_t)(at - from) ? xstrndup(from, n) : NULL;
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
	else if (sender_is_list(p->author_name))
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
	if (!p->damage)
		p->damage = damage_title(p->subject);
	if (!p->damage && sender_is_list(p->author_name))
		p->damage = xasprintf("the address of the list '%s' stands in place of "
				      "the author's",
				      p->author_email);
	stable_patch_read(m, p);
	trailers_of_message(p);
	note_author(s, p);
	if (!m->info.date.known && !p->date)
		series_note(s, NOTE_WARNING, p->message_id,
			    "the date of patch %d cannot be read", number);
	if (s->nr_patches == 1)
		s->stable = stable_note_read(m);
	if (!s->stable && m->info.embedded && strcmp(m->info.subject, m->subject.title))
		series_note(s, NOTE_INFO, p->message_id,
			    "patch %d stands inside the mail '%s'", number,
			    m->subject.title);
	if (m->flowed)
		series_note(s, NOTE_WARNING, p->message_id,
			    "patch %d was sent as flowed text; its white space may be "
			    "changed",
			    number);
}

/* A patch of the series to be, and the posting it comes from. */
struct entry {
	int number, mail;
	const struct posting *from;
};

struct entries {
	struct entry *v;
	size_t nr;
};

static void entries_release(struct entries *es)
{
	free(es->v);
}

static void add_entry(struct entries *es, int number, int mail,
		      const struct posting *from)
{
	size_t at = 0;

	while (at < es->nr && es->v[at].number < number)
		at++;
	if (at < es->nr && es->v[at].number == number)
		return;
	(void)array_push(es->v, es->nr);
	memmove(es->v + at + 1, es->v + at, (es->nr - 1 - at) * sizeof(*es->v));
	es->v[at] = (struct entry){ number, mail, from };
}

/* The chosen posting's patches, and of older ones those that a partial revision leaves. */
static void list_entries(const struct assembly *a, struct entries *es)
{
	const struct posting *p = chosen(a);

	for (;;) {
		for (size_t i = 0; i < p->nr; i++)
			add_entry(es, p->numbers[i], p->mails[i], p);
		if (p->replaced_from < 0)
			return;
		p = &a->postings.v[p->replaced_from];
	}
}

static int check_picks(const struct assembly *a, const struct entries *es, int total,
		       struct err *e)
{
	_cleanup_free_ int *numbers = xcalloc(es->nr + 1, sizeof(*numbers));
	int absent;

	if (!a->o->pick)
		return 0;
	for (size_t i = 0; i < es->nr; i++)
		numbers[i] = es->v[i].number;
	absent = pick_absent(a->o->pick, numbers, es->nr, total);
	if (!absent)
		return 0;
	err_set(e, ERR_NOT_FOUND, "patch %d of %d is not among the mails", absent, total);
	return err_hint(e, "kiln series without --pick shows what is there");
}

static int add_patches(struct assembly *a, struct series *s, struct err *e)
{
	_cleanup_(entries_release) struct entries es = { 0 };
	const struct posting *p = chosen(a);

	list_entries(a, &es);
	if (check_picks(a, &es, s->total, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < es.nr; i++) {
		const struct entry *en = &es.v[i];
		const char *title = a->thread.v[en->mail].m.subject.title;

		if (a->o->pick && !pick_has(a->o->pick, en->number, s->total, title))
			continue;
		add_patch(a, s, en->mail, en->number);
		if (p->replaced_from >= 0 && en->from == p)
			series_note(s, NOTE_INFO,
				    s->patches[s->nr_patches - 1].message_id,
				    "patch %d/%d is taken from revision %d, the others "
				    "from revision %d",
				    en->number, s->total, p->revision,
				    a->postings.v[p->replaced_from].revision);
	}
	s->partial = p->replaced_from >= 0;
	s->picked = a->o->pick != NULL;
	if (!s->nr_patches)
		return err_set(e, ERR_NOT_FOUND, "none of the %zu patches is picked",
			       es.nr);
	if (s->nr_patches < es.nr)
		series_note(s, NOTE_INFO, NULL, "of %zu patches only %zu are picked",
			    es.nr, s->nr_patches);
	return 0;
}

/* What was not picked is not missing. */
static void find_missing(struct series *s, bool picked)
{
	size_t at = 0;

	for (int n = 1; n <= s->total && !picked; n++) {
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

/* Other series among the mails, so that nobody takes this one for all there is. */
static void note_others(const struct assembly *a, struct series *s)
{
	size_t more = 0;

	for (size_t i = 0; i < a->postings.nr; i++) {
		const struct posting *p = &a->postings.v[i];
		const struct mail *m;

		if (a->choice.related[i] || (!p->nr && p->cover < 0))
			continue;
		m = &a->thread.v[p->cover >= 0 ? p->cover : p->mails[0]].m;
		if (++more <= MAX_OTHERS)
			series_note(
				s, NOTE_INFO, m->message_id,
				"another series is here: '%s', revision %d, %zu of %d "
				"patches",
				m->subject.title, p->revision, p->nr, p->total);
	}
	if (more > MAX_OTHERS)
		series_note(s, NOTE_INFO, NULL, "and %zu more series", more - MAX_OTHERS);
}

static void note_posting(const struct assembly *a, struct series *s,
			 const struct posting *o)
{
	const struct posting *p = chosen(a);

	if (o->revision > p->revision && !o->nr)
		series_note(s, NOTE_WARNING, a->thread.v[o->cover].m.message_id,
			    "of revision %d only the cover letter is here", o->revision);
	for (size_t k = 0;
	     o->revision == p->revision && o->subrevision == p->subrevision && k < o->nr;
	     k++)
		series_note(s, NOTE_WARNING, a->thread.v[o->mails[k]].m.message_id,
			    "another mail with number %d/%d of revision %d is not used",
			    o->numbers[k], o->total, o->revision);
}

static void note_choice(const struct assembly *a, struct series *s)
{
	const struct posting *start = &a->postings.v[a->choice.start], *p = chosen(a);

	if (a->o->message_id && start->revision != p->revision && !a->o->revision)
		series_note(s, NOTE_INFO, a->o->message_id,
			    "the mail named belongs to revision %d; revision %d is newer "
			    "and is used",
			    start->revision, p->revision);
	if (a->successor)
		series_note(s, NOTE_INFO, s->message_id,
			    "'%s' says that this series takes its place", a->successor);
	if (p->joined)
		series_note(
			s, NOTE_INFO, s->message_id,
			"not all patches are in one thread: they were joined by sender, "
			"count and time");
	for (size_t i = 0; i < a->postings.nr; i++)
		if (a->choice.related[i] && &a->postings.v[i] != p)
			note_posting(a, s, &a->postings.v[i]);
	note_others(a, s);
}

/* "[PATCH net-next 6.6 v2]": the words that are nothing else may name a tree. */
static void add_tree_hints(const struct mail *m, struct series *s)
{
	for (size_t i = 0; i < m->subject.tags.nr && s->tree_hints.nr < MAX_HINTS; i++)
		if (!strv_has(&s->tree_hints, m->subject.tags.v[i]))
			strv_add(&s->tree_hints, m->subject.tags.v[i]);
}

static void collect_tags_of(const struct mail *m, const char *message_id,
			    struct series *s)
{
	tags_collect(&m->text, message_id, s);
	base_hints_of_subject(&m->subject, message_id, s);
	add_tree_hints(m, s);
}

static void collect_tags(const struct assembly *a, struct series *s, int cover)
{
	if (cover >= 0)
		collect_tags_of(&a->thread.v[cover].m, s->cover->message_id, s);
	for (size_t i = 0; i < s->nr_patches; i++)
		collect_tags_of(&a->thread.v[a->mails[i]].m, s->patches[i].message_id, s);
}

/*
 * Read whole all mails of the chosen series, its other revisions and their answers.
 * Whether one of them turned out not to be the patch it looked like. few: those only;
 * else every mail that looks like a patch.
 */
static bool read_choice(struct assembly *a, bool few)
{
	struct thread *t = &a->thread;
	bool changed = false;

	for (size_t i = 0; i < t->nr; i++) {
		int at = (int)i;
		bool looked = t->v[i].maybe_patch, read = t->v[i].loaded;

		while (few && at >= 0 && t->v[at].posting < 0)
			at = t->v[at].parent;
		if (few ? at >= 0 && a->choice.related[t->v[at].posting]
			: looked && !t->v[i].m.subject.reply)
			thread_load(t, (int)i);
		changed |= !read && looked && !t->v[i].maybe_patch;
	}
	return changed;
}

/* What a reply by the series' own author names as taking its place; NULL when none. */
static char *named_successor(const struct assembly *a, int reply)
{
	const struct thread *t = &a->thread;
	const struct mail *m = &t->v[reply].m, *head = &t->v[head_of_choice(a)].m;
	int at = t->v[reply].parent;
	_cleanup_free_ char *value = NULL;

	while (at >= 0 && t->v[at].posting < 0)
		at = t->v[at].parent;
	if (at < 0 || t->v[at].posting != a->choice.posting ||
	    strcasecmp(m->from_email, head->from_email))
		return NULL;
	value = tag_value(&m->text, "Obsoleted-by");
	return value ? id_in(value) : NULL;
}

/* The mail of this thread that takes the place of the chosen series, in a->next. */
static bool find_successor(struct assembly *a)
{
	for (size_t i = 0; i < a->thread.nr; i++) {
		_cleanup_free_ char *id = NULL;
		int at;

		if (a->thread.v[i].posting >= 0)
			continue;
		id = named_successor(a, (int)i);
		at = id ? thread_find(&a->thread, id) : -1;
		if (at < 0 || a->thread.v[at].posting < 0 ||
		    a->thread.v[at].posting == a->choice.posting)
			continue;
		a->next = at;
		free(a->successor);
		a->successor = clean(a->thread.v[i].m.message_id);
		return true;
	}
	return false;
}

/* A successor that is not among the mails is for the caller to look up. */
static void note_obsolete(const struct assembly *a, struct series *s)
{
	for (size_t i = 0; i < a->thread.nr && !s->obsoleted_by; i++) {
		char *id = a->thread.v[i].posting < 0 ? named_successor(a, (int)i) : NULL;

		if (id && thread_find(&a->thread, id) < 0) {
			s->obsoleted_by = id;
			series_note(s, NOTE_WARNING, a->thread.v[i].m.message_id,
				    "its author says that <%s> takes the place of this "
				    "series",
				    id);
		} else {
			free(id);
		}
	}
}

static int build(struct assembly *a, struct series *s, struct err *e)
{
	const struct posting *p = chosen(a);
	int cover = cover_of(a);

	s->revision = p->revision;
	s->subrevision = p->subrevision;
	s->total = p->replaced_from >= 0 ? a->postings.v[p->replaced_from].total
					 : p->total;
	s->rfc = p->rfc;
	s->resend = p->resend;
	list_revisions(a, s);
	if (add_patches(a, s, e) < 0)
		return -(int)e->code;
	find_missing(s, a->o->pick != NULL);
	if (cover >= 0) {
		struct stable_note *note = stable_note_read(&a->thread.v[cover].m);

		add_cover(a, s, cover);
		if (note) {
			stable_note_free(s->stable);
			s->stable = note;
		}
	}
	s->title = xstrdup(s->cover ? s->cover->subject : s->patches[0].subject);
	s->message_id =
		xstrdup(s->cover ? s->cover->message_id : s->patches[0].message_id);
	collect_tags(a, s, cover);
	note_choice(a, s);
	note_obsolete(a, s);
	copies_note(&a->thread.disputed, s);
	collect_trailers(&(struct collect){ &a->thread, &a->postings, &a->choice,
					    a->mails, cover },
			 a->o, s);
	return 0;
}

/* Choose until what is chosen has been read and holds what its header promised. */
static int choose(struct assembly *a, const char *message_id, struct err *e)
{
	const struct choose_opts co = { .message_id = message_id,
					.revision = a->o->revision,
					.no_partial = a->o->no_partial };
	int only = -1, r;

	if (a->o->pick && a->o->pick->named)
		only = message_id ? thread_find(&a->thread, message_id) : -1;
	if (only >= 0 && !thread_has_patch(&a->thread, only))
		return err_set(e, ERR_NO_PATCHES, "the mail named carries no patch");
	for (int round = 0;; round++) {
		postings_release(&a->postings);
		free(take_ptr(a->choice.related));
		postings_find(&a->thread, only, &a->postings);
		r = postings_choose(&a->thread, &a->postings, &co, &a->choice, e);
		if (!read_choice(a, r == 0 && round < MAX_ROUNDS))
			return r;
	}
}

int assemble_mails(const struct box *box, const struct assemble_opts *o,
		   struct series **ret, struct err *e)
{
	_cleanup_(assembly_release) struct assembly a = { .o = o };
	_cleanup_series_ struct series *s = series_new();
	const struct mail_opts mo = { .scissors = o->scissors };

	if (thread_read(box, &mo, &a.thread, e) < 0)
		return -(int)e->code;
	if (o->must_have_id && thread_find(&a.thread, o->message_id) < 0)
		return err_set(e, ERR_NOT_FOUND, "<%s> is not among the %zu mails",
			       o->message_id, a.thread.nr);
	if (choose(&a, o->message_id, e) < 0)
		return -(int)e->code;
	for (int i = 0; i < MAX_SUCCESSORS && !o->revision && find_successor(&a); i++)
		if (choose(&a, a.thread.v[a.next].m.message_id, e) < 0)
			return -(int)e->code;
	if (a.thread.e.code)
		return err_set(e, a.thread.e.code, "%s", a.thread.e.frame[0]);
	if (build(&a, s, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(s);
	return 0;
}
