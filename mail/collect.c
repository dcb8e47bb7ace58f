// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/collect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/git/patch.h"
#include "mail/identity.h"
#include "mail/own-trailers.h"
#include "mail/trailers.h"

#define MAX_COVER_TRAILERS 200

struct collection {
	const struct collect *c;
	const struct assemble_opts *o;
	struct series *s;
	struct trailer_list *own, *carried; /* by patch */
	struct trailer_list cover;
	char **ids; /* patch-ids by mail, computed when first asked for */
	bool *asked;
};

static const struct mail *mail_of(const struct collection *k, int i)
{
	return &k->c->thread->v[i].m;
}

static const struct posting *posting_of(const struct collection *k, int i)
{
	return &k->c->postings->v[k->c->thread->v[i].posting];
}

/* git patch-id of the mail's diff, NULL when it has none. Borrowed. */
static const char *id_of(struct collection *k, int i)
{
	const struct buf *diff = &mail_of(k, i)->info.diff;
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (!k->asked[i] && diff_parse(buf_str(diff), diff->len, &d, &e) == 0)
		k->ids[i] = diff_patch_id(d);
	k->asked[i] = true;
	return k->ids[i];
}

static bool is_same_diff(struct collection *k, int a, int b)
{
	const char *x = id_of(k, a), *y = x ? id_of(k, b) : NULL;

	return y && !strcmp(x, y);
}

/* The number the posting gives the mail, 0 for a cover. */
static int number_of(const struct posting *p, int mail)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->mails[i] == mail)
			return p->numbers[i];
	return 0;
}

/*
 * The patch that has become of an older mail: with the same diff, of these one with the
 * same title; else only with the same title or, in a series of equal count, number; else
 * -1.
 */
static int successor(struct collection *k, int mail, bool *ret_same)
{
	const struct posting *p = posting_of(k, mail);
	const char *title = mail_of(k, mail)->info.subject;
	int same = -1, titled = -1, numbered = -1;

	for (size_t i = 0; i < k->s->nr_patches; i++) {
		const struct patch *n = &k->s->patches[i];
		bool equal = is_same_diff(k, mail, k->c->mails[i]);
		bool named = !strcasecmp(n->subject, title);

		if (equal && (same < 0 || named))
			same = (int)i;
		if (named && titled < 0)
			titled = (int)i;
		if (p->total == k->s->total && n->number == number_of(p, mail))
			numbered = (int)i;
		if (equal && named)
			break;
	}
	*ret_same = same >= 0;
	return same >= 0 ? same : titled >= 0 ? titled : numbered;
}

/* A trailer of an older revision goes to the patch only as far as it says the same. */
static void carry(struct trailer_list *to, const struct trailer *t, const char *given,
		  bool same)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (t->state == TRAILER_ADDED) {
		buf_addf(&b, "given to %s, %s", given,
			 same ? "which has the same diff" : "which differs");
		trailer_list_add(to, t, same ? TRAILER_ADDED : TRAILER_FLAGGED,
				 buf_str(&b));
	} else if (!strcasecmp(t->key, "Nacked-by") && t->state == TRAILER_FLAGGED) {
		buf_addf(&b, "%s, to %s", t->reason, given);
		trailer_list_add(to, t, TRAILER_FLAGGED, buf_str(&b));
	}
}

/* On an older patch. */
static void carry_patch(struct collection *k, int about, const struct trailer_list *l)
{
	const struct posting *p = posting_of(k, about);
	_cleanup_free_ char *given =
		xasprintf("v%d %d/%d", p->revision, number_of(p, about), p->total);
	bool same;
	int i = successor(k, about, &same);

	for (size_t n = 0; n < l->nr; n++) {
		if (i >= 0)
			carry(&k->carried[i], &l->v[n], given, same);
		else if (l->v[n].state == TRAILER_ADDED)
			series_note(k->s, NOTE_INFO, l->v[n].source,
				    "'%s: %s' was given to %s, which is no longer there",
				    l->v[n].key, l->v[n].value, given);
	}
}

/* Whether the posting's patches are all here, as they were. */
static bool is_unchanged(struct collection *k, const struct posting *p)
{
	if (!p->nr || p->nr != k->s->nr_patches)
		return false;
	for (size_t i = 0; i < p->nr; i++)
		if (!is_same_diff(k, p->mails[i], k->c->mails[i]))
			return false;
	return true;
}

/* On an older cover letter: it was given to that series as a whole. */
static void carry_cover(struct collection *k, int about, const struct trailer_list *l)
{
	const struct posting *p = posting_of(k, about);
	_cleanup_free_ char *given = xasprintf("v%d as a whole", p->revision);
	bool same = is_unchanged(k, p);

	for (size_t i = 0; !k->o->no_cover_trailers && i < k->s->nr_patches; i++)
		for (size_t n = 0; n < l->nr; n++)
			carry(&k->carried[i], &l->v[n], given, same);
}

/* The patch or cover of a posting that a reply is about, -1 when there is none. */
static int subject_of_reply(const struct thread *t, int mail)
{
	while ((mail = t->v[mail].parent) >= 0)
		if (t->v[mail].posting >= 0)
			return mail;
	return -1;
}

static int patch_at(const struct collection *k, int mail)
{
	for (size_t i = 0; i < k->s->nr_patches; i++)
		if (k->c->mails[i] == mail)
			return (int)i;
	return -1;
}

static void append(struct trailer_list *to, const struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		trailer_list_add(to, &l->v[i], l->v[i].state, l->v[i].reason);
}

static bool has_same(const struct trailer_list *l, const struct trailer *t)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i].state == t->state && trailer_is_same(&l->v[i], t))
			return true;
	return false;
}

/* Cover trailers go to every patch, so each is kept once, and not without end. */
static void append_cover(struct trailer_list *to, const struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr && to->nr < MAX_COVER_TRAILERS; i++)
		if (!has_same(to, &l->v[i]))
			trailer_list_add(to, &l->v[i], l->v[i].state, l->v[i].reason);
}

/* Whether what is said to the mail is said to this series, now or earlier. */
static bool is_of_series(const struct collection *k, int about)
{
	const struct posting_choice *choice = k->c->choice;
	const struct posting *chosen = &k->c->postings->v[choice->posting];
	int in = k->c->thread->v[about].posting;

	return in == choice->posting || in == chosen->replaced_from ||
	       (choice->related[in] &&
		posting_of(k, about)->revision <= chosen->revision);
}

static void take_reply(struct collection *k, int mail, int about)
{
	struct trailer_rules rules = { .sloppy = k->o->sloppy_trailers,
				       .ignore_from = k->o->ignore_from };
	struct trailer_list l = { 0 };
	int patch = patch_at(k, about);

	rules.to_cover = number_of(posting_of(k, about), about) == 0;
	trailers_of_reply(mail_of(k, mail), &rules, &l);
	if (!l.nr)
		return;
	if (about == k->c->cover)
		append_cover(&k->cover, &l);
	else if (patch >= 0)
		append(&k->own[patch], &l);
	else if (rules.to_cover)
		carry_cover(k, about, &l);
	else
		carry_patch(k, about, &l);
	trailer_list_release(&l);
}

/*
 * A cover letter that a partial revision shares with an older one was seen with the older
 * patches.
 */
static void add_cover(struct collection *k, size_t i)
{
	int in = k->c->cover >= 0 ? k->c->thread->v[k->c->cover].posting : -1;
	const struct posting *p = in >= 0 ? &k->c->postings->v[in] : NULL;
	_cleanup_free_ char *given = NULL;
	struct trailer_list l = { 0 };

	if (!p || k->o->no_cover_trailers)
		return;
	if (k->c->thread->v[k->c->mails[i]].posting == in) {
		trailers_add(&k->s->patches[i], &k->cover);
		return;
	}
	given = xasprintf("v%d as a whole", p->revision);
	for (size_t n = 0; n < k->cover.nr; n++)
		carry(&l, &k->cover.v[n], given, false);
	trailers_add(&k->s->patches[i], &l);
	trailer_list_release(&l);
}

/* One note for a flagged trailer, though many patches have it. Quotes are no news. */
static void note_flagged(struct series *s)
{
	struct trailer_list seen = { 0 };

	for (size_t i = 0; i < s->nr_patches; i++) {
		for (size_t n = 0; n < s->patches[i].nr_trailers; n++) {
			const struct trailer *t = &s->patches[i].trailers[n];

			if (t->state != TRAILER_FLAGGED || has_same(&seen, t) ||
			    seen.nr >= MAX_COVER_TRAILERS)
				continue;
			trailer_list_add(&seen, t, t->state, t->reason);
			series_note(s, NOTE_WARNING, t->source,
				    "'%s: %s' is not added: %s", t->key, t->value,
				    t->reason);
			s->notes[s->nr_notes - 1].of_trailer = true;
		}
	}
	trailer_list_release(&seen);
}

static bool is_signed_by_author(const struct patch *p)
{
	for (size_t i = 0; i < p->nr_trailers; i++) {
		const struct trailer *t = &p->trailers[i];

		if (t->state == TRAILER_KEPT && !strcasecmp(t->key, "Signed-off-by") &&
		    identity_is(t->value, "", p->author_email))
			return true;
	}
	return false;
}

/* The author's address stands in no sign-off: one note names all such patches. */
static void note_unsigned(struct series *s)
{
	_cleanup_buf_ struct buf numbers = BUF_INIT;
	const struct patch *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];

		if (!p->author_email || !*p->author_email || is_signed_by_author(p))
			continue;
		buf_addf(&numbers, "%s%d", n++ ? ", " : "", p->number);
		first = first ? first : p;
	}
	if (n == s->nr_patches && n > 1)
		series_note(s, NOTE_WARNING, first->message_id,
			    "no patch has a sign-off of its author");
	else if (n)
		series_note(s, NOTE_WARNING, first->message_id,
			    "no sign-off of the author in patch%s %s", n > 1 ? "es" : "",
			    buf_str(&numbers));
}

static void own_trailers(struct patch *p, const struct assemble_opts *o)
{
	if (o->link_format)
		patch_add_link(p, o->link_format);
	if (o->sign_off)
		patch_add_sign_off(p, o->sign_off);
}

static void collection_release(struct collection *k)
{
	for (size_t i = 0; i < k->s->nr_patches; i++) {
		trailer_list_release(&k->own[i]);
		trailer_list_release(&k->carried[i]);
	}
	for (size_t i = 0; i < k->c->thread->nr; i++)
		free(k->ids[i]);
	trailer_list_release(&k->cover);
	free(k->own);
	free(k->carried);
	free(k->ids);
	free(k->asked);
}

static void take_replies(struct collection *k)
{
	const struct thread *t = k->c->thread;

	for (size_t i = 0; i < t->nr; i++) {
		int about = t->v[i].posting >= 0 ? -1 : subject_of_reply(t, (int)i);

		if (about >= 0 && is_of_series(k, about))
			take_reply(k, (int)i, about);
	}
}

void collect_trailers(const struct collect *c, const struct assemble_opts *o,
		      struct series *s)
{
	_cleanup_(collection_release) struct collection k = { .c = c, .o = o, .s = s };

	k.own = xcalloc(s->nr_patches + 1, sizeof(*k.own));
	k.carried = xcalloc(s->nr_patches + 1, sizeof(*k.carried));
	k.ids = xcalloc(c->thread->nr + 1, sizeof(*k.ids));
	k.asked = xcalloc(c->thread->nr + 1, sizeof(*k.asked));
	note_unsigned(s);
	if (!o->no_trailers)
		take_replies(&k);
	for (size_t i = 0; i < s->nr_patches; i++) {
		trailers_add(&s->patches[i], &k.own[i]);
		trailers_add(&s->patches[i], &k.carried[i]);
		add_cover(&k, i);
		own_trailers(&s->patches[i], o);
		trailers_apply(&s->patches[i]);
	}
	note_flagged(s);
}
