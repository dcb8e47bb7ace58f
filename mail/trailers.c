// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/trailers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/archive.h"
#include "mail/identity.h"
#include "mail/reply-reader.h"
#include "mail/reply-words.h"
#include "mail/text.h"
#include "mail/trailer-line.h"

#define MAX_PER_REPLY 50
#define MAX_PER_PATCH 100

/* The last paragraph below the title, as offset into message; its length when there is
 * none. */
static size_t last_paragraph(const char *message)
{
	size_t len = strlen(message), at = len;

	while (at > 1 && !(message[at - 1] == '\n' && message[at - 2] == '\n'))
		at--;
	return at > 1 ? at : len;
}

/*
 * Git's rule: all lines are trailers, or one is a sign-off and a quarter are trailers.
 * Lines that continue one and "[note]" lines belong to the trailer above.
 */
static bool is_block(const char *p)
{
	const char *end = p + strlen(p);
	size_t trailers = 0, others = 0;
	bool signoff = false, after = false;
	struct line l;

	while (line_next(&p, end, &l)) {
		if (after && l.len && (isblank((unsigned char)l.p[0]) || l.p[0] == '['))
			continue;
		after = trailer_key_len(&l) != 0;
		signoff |= line_starts_nocase(&l, "Signed-off-by:") ||
			   line_starts(&l, "(cherry picked from commit ");
		if (after || line_starts(&l, "(cherry picked ") || line_starts(&l, "[") ||
		    line_starts(&l, "#"))
			trailers++;
		else
			others++;
	}
	return trailers && (!others || (signoff && trailers * 3 >= others));
}

void trailers_of_message(struct patch *p)
{
	size_t start = last_paragraph(p->message);
	const char *at = p->message + start, *end = at + strlen(at);
	struct trailer_text t = { 0 };

	if (!is_block(at))
		return;
	while (trailer_next(&at, end, &t)) {
		struct trailer *n = patch_add_trailer(p);

		*n = (struct trailer){ .key = t.key,
				       .value = t.value,
				       .ext = t.ext,
				       .state = TRAILER_KEPT };
	}
}

/* "0123abcdef ("title")": a commit to look for. */
static bool is_sane_fixes(const char *value)
{
	size_t n = strspn(value, "0123456789abcdefABCDEF");

	return n >= 6 && n <= 64 && (!value[n] || isspace((unsigned char)value[n]));
}

static bool is_web_address(const char *value)
{
	return (!strncmp(value, "https://", 8) || !strncmp(value, "http://", 7)) &&
	       !strpbrk(value, " \t<>");
}

void trailer_judge(struct trailer *t, enum trailer_state state, const char *reason)
{
	char *copy = xstrdup(reason);

	t->state = state;
	free(t->reason);
	t->reason = copy;
}

static void flag(struct trailer *t, const char *fmt, const char *words)
{
	_cleanup_free_ char *clean = text_clean(words, strlen(words));
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "%s: '%s'", fmt, clean);
	trailer_judge(t, TRAILER_FLAGGED, buf_str(&b));
}

/* Text that is not the sender's own, or not meant for the commit. True when judged. */
static bool judge_place(struct trailer *t, const struct found_trailer *f, bool robot)
{
	if (f->place == FOUND_QUOTE)
		trailer_judge(t, TRAILER_FLAGGED, "quoted from another mail");
	else if (f->place == FOUND_SIGNATURE)
		trailer_judge(t, TRAILER_FLAGGED, "in the signature");
	else if (robot && strcasecmp(t->key, "Tested-by"))
		trailer_judge(t, TRAILER_FLAGGED, "advice of a robot");
	else if (f->advice)
		trailer_judge(t, TRAILER_FLAGGED, "advice to the author");
	else
		return false;
	return true;
}

static bool is_ignored(const struct trailer *t, const struct mail *reply,
		       const struct trailer_rules *rules)
{
	for (size_t i = 0; rules->ignore_from && i < rules->ignore_from->nr; i++) {
		const char *v = rules->ignore_from->v[i];

		if (identity_is_same_value(v, reply->from_email) ||
		    identity_is_same_value(v, t->value))
			return true;
	}
	return false;
}

/* Words around it that narrow what is given. */
static void judge_words(struct trailer *t, const struct found_trailer *f,
			const struct trailer_rules *rules)
{
	const char *note = strrchr(t->value, '>');
	_cleanup_free_ char *limit = NULL, *scope = NULL;

	note = note ? note + 1 : "";
	limit = words_condition(note);
	scope = rules->to_cover ? words_scope(note) : NULL;
	if (f->condition)
		flag(t, "given under a condition", f->condition);
	else if (limit)
		flag(t, "given under a condition", limit);
	else if (f->scope)
		flag(t, "given for some patches only", f->scope);
	else if (scope)
		flag(t, "given for some patches only", scope);
	else if (f->place == FOUND_SENTENCE)
		trailer_judge(t, TRAILER_FLAGGED, "inside a sentence");
}

static void judge_person(struct trailer *t, const struct found_trailer *f,
			 const struct mail *reply, const struct trailer_rules *rules)
{
	if (!strchr(t->value, '@'))
		trailer_judge(t, TRAILER_IGNORED, "no address");
	else if (mail_has_patch(reply) && !trailer_is_review(t->key))
		trailer_judge(t, TRAILER_IGNORED, "belongs to the patch in the reply");
	else if (is_ignored(t, reply, rules))
		trailer_judge(t, TRAILER_IGNORED, "its sender is to be ignored");
	else if (!strcasecmp(t->key, "Nacked-by"))
		trailer_judge(t, TRAILER_FLAGGED, "objection");
	else if (!rules->sloppy &&
		 !identity_is(t->value, reply->from_name, reply->from_email))
		flag(t, "sent by somebody else",
		     *reply->from_name ? reply->from_name : reply->from_email);
	else
		judge_words(t, f, rules);
}

static void judge_other(struct trailer *t, const struct found_trailer *f,
			const struct mail *reply, const struct trailer_rules *rules)
{
	bool fixes = !strcasecmp(t->key, "Fixes");

	if (mail_has_patch(reply))
		trailer_judge(t, TRAILER_IGNORED, "belongs to the patch in the reply");
	else if (is_ignored(t, reply, rules))
		trailer_judge(t, TRAILER_IGNORED, "its sender is to be ignored");
	else if (fixes ? !is_sane_fixes(t->value) : !is_web_address(t->value))
		trailer_judge(t, TRAILER_IGNORED,
			      fixes ? "names no commit" : "is no web address");
	else if (f->place != FOUND_BLOCK)
		trailer_judge(t, TRAILER_FLAGGED, "among other text");
	else
		judge_words(t, f, rules);
}

void trailers_of_reply(const struct mail *reply, const struct trailer_rules *rules,
		       struct trailer_list *ret)
{
	bool robot = words_is_robot(reply);
	struct found_trailer f = { 0 };
	struct reply_reader r;

	reply_reader_init(&r, reply);
	while (ret->nr < MAX_PER_REPLY && reply_reader_next(&r, &f)) {
		struct trailer *t = array_push(ret->v, ret->nr);

		*t = (struct trailer){ .key = take_ptr(f.text.key),
				       .value = take_ptr(f.text.value),
				       .ext = take_ptr(f.text.ext),
				       .source = xstrdup(reply->message_id),
				       .state = TRAILER_ADDED };
		if (!judge_place(t, &f, robot)) {
			if (trailer_is_person(t->key))
				judge_person(t, &f, reply, rules);
			else
				judge_other(t, &f, reply, rules);
		}
		found_trailer_release(&f);
	}
	reply_reader_release(&r);
}

static struct trailer copy_of(const struct trailer *t)
{
	return (struct trailer){ .key = xstrdup(t->key),
				 .value = xstrdup(t->value),
				 .ext = xstrdup(t->ext),
				 .source = xstrdup(t->source),
				 .state = t->state,
				 .reason = xstrdup(t->reason) };
}

void trailer_list_add(struct trailer_list *l, const struct trailer *t,
		      enum trailer_state state, const char *reason)
{
	struct trailer *n = array_push(l->v, l->nr);

	*n = copy_of(t);
	trailer_judge(n, state, reason);
}

void trailer_list_release(struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		trailer_release(&l->v[i]);
	free(l->v);
	*l = (struct trailer_list){ 0 };
}

/* The message-id in the address of a mail, NULL when it is none. Owned. */
static char *linked_id(const struct trailer *t)
{
	char *base = NULL, *id = NULL;

	if (!trailer_is_link(t->key) || !archive_split(t->value, &base, &id))
		return NULL;
	free(base);
	return id;
}

static bool is_same_commit(const char *a, const char *b)
{
	size_t n = strspn(a, "0123456789abcdef"), m = strspn(b, "0123456789abcdef");

	n = n < m ? n : m;
	return n >= 6 && !strncasecmp(a, b, n);
}

bool trailer_is_same(const struct trailer *a, const struct trailer *b)
{
	_cleanup_free_ char *x = NULL, *y = NULL;

	if (strcasecmp(a->key, b->key))
		return false;
	if (!strcasecmp(a->value, b->value))
		return true;
	if (!strcasecmp(a->key, "Fixes"))
		return is_same_commit(a->value, b->value);
	x = linked_id(a);
	y = x ? linked_id(b) : NULL;
	if (x)
		return y && !strcmp(x, y);
	return identity_is_same_value(a->value, b->value);
}

/* Where an equal trailer stands in the patch; kept and added ones hide all later ones. */
static struct trailer *find_same(struct patch *p, const struct trailer *t)
{
	struct trailer *found = NULL;

	for (size_t i = 0; i < p->nr_trailers; i++) {
		struct trailer *o = &p->trailers[i];

		if (!trailer_is_same(o, t))
			continue;
		if (o->state == TRAILER_KEPT || o->state == TRAILER_ADDED)
			return o;
		if (o->state == t->state)
			found = o;
	}
	return found;
}

/* What was flagged or ignored is of no interest once it is given in good form. */
static void drop_hidden(struct patch *p, const struct trailer *t)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nr_trailers; i++) {
		struct trailer *o = &p->trailers[i];
		bool open = o->state == TRAILER_FLAGGED || o->state == TRAILER_IGNORED;

		if (open && trailer_is_same(o, t))
			trailer_release(o);
		else
			p->trailers[n++] = *o;
	}
	p->nr_trailers = n;
}

void trailers_add(struct patch *p, const struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct trailer *t = &l->v[i];

		if (p->nr_trailers >= MAX_PER_PATCH || find_same(p, t))
			continue;
		if (t->state == TRAILER_ADDED)
			drop_hidden(p, t);
		*patch_add_trailer(p) = copy_of(t);
	}
}

void trailers_apply(struct patch *p)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	bool block = is_block(p->message + last_paragraph(p->message));
	bool any = false;

	buf_adds(&b, p->message);
	for (size_t i = 0; i < p->nr_trailers; i++) {
		const struct trailer *t = &p->trailers[i];

		if (t->state != TRAILER_ADDED)
			continue;
		if (!any && !block)
			buf_addc(&b, '\n');
		any = true;
		buf_addf(&b, "%s: %s\n", t->key, t->value);
		if (t->ext)
			buf_addf(&b, "%s\n", t->ext);
	}
	if (!any)
		return;
	free(p->message);
	p->message = buf_take(&b);
}
