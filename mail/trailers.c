// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/trailers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
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

		n->key = t.key;
		n->value = t.value;
		n->state = TRAILER_KEPT;
	}
}

/* The address in a value, lower case, without "+tag"; NULL when there is none. Owned. */
static char *address_of(const char *value)
{
	_cleanup_free_ char *name = NULL;
	char *email = NULL, *plus, *at;

	mail_address(value, &name, &email);
	at = strchr(email, '@');
	if (!at) {
		free(email);
		return NULL;
	}
	plus = strchr(email, '+');
	if (plus && plus < at && plus > email)
		memmove(plus, at, strlen(at) + 1);
	for (char *c = email; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return email;
}

/* "a@sub.x.org" and "a@x.org" are one person. */
static bool is_same_address(const char *a, const char *b)
{
	size_t user = strcspn(a, "@") + 1;
	const char *da, *db;
	size_t la, lb;

	if (strncmp(a, b, user))
		return false;
	da = a + user;
	db = b + user;
	la = strlen(da);
	lb = strlen(db);
	if (la < lb)
		return is_same_address(b, a);
	return !strcmp(da + la - lb, db) &&
	       (la == lb || (da[la - lb - 1] == '.' && !memchr(da, '.', la - lb - 1)));
}

static bool is_from_sender(const char *value, const struct mail *reply)
{
	_cleanup_free_ char *a = address_of(value), *b = address_of(reply->from_email);
	_cleanup_free_ char *name = NULL, *email = NULL;

	if (a && b && is_same_address(a, b))
		return true;
	mail_address(value, &name, &email);
	return *name && !strcasecmp(name, reply->from_name);
}

/* "0123abcdef ("title")": a commit to look for. */
static bool is_sane_fixes(const char *value)
{
	size_t n = strspn(value, "0123456789abcdefABCDEF");

	return n >= 6 && n <= 40 && (!value[n] || isspace((unsigned char)value[n]));
}

static void judge(struct trailer *t, enum trailer_state state, const char *reason)
{
	t->state = state;
	free(t->reason);
	t->reason = xstrdup(reason);
}

static void judge_person(struct trailer *t, const struct mail *reply,
			 const struct reply_state *r)
{
	if (!strcasecmp(t->key, "Nacked-by"))
		judge(t, TRAILER_FLAGGED, "objection");
	else if (r->advice)
		judge(t, TRAILER_IGNORED, "advice of a bot");
	else if (!strchr(t->value, '@'))
		judge(t, TRAILER_IGNORED, "no address");
	else if (r->has_patch && !trailer_is_review(t->key))
		judge(t, TRAILER_IGNORED, "belongs to the patch in the reply");
	else if (!is_from_sender(t->value, reply))
		judge(t, TRAILER_FLAGGED, "sent by somebody else");
	else if (r->condition)
		judge(t, TRAILER_FLAGGED, "given under a condition");
}

static void judge_fixes(struct trailer *t, const struct reply_state *r)
{
	if (r->advice)
		judge(t, TRAILER_IGNORED, "advice of a bot");
	else if (r->has_patch)
		judge(t, TRAILER_IGNORED, "belongs to the patch in the reply");
	else if (!is_sane_fixes(t->value))
		judge(t, TRAILER_IGNORED, "names no commit");
	else if (r->condition)
		judge(t, TRAILER_FLAGGED, "given under a condition");
}

void trailers_of_reply(const struct mail *reply, struct trailer_list *ret)
{
	struct reply_state r = { 0 };
	struct trailer_text t = { 0 };

	reply_start(&r, reply);
	while (reply_next(&r, &t)) {
		bool fixes = !strcasecmp(t.key, "Fixes");
		struct trailer *n;

		if ((!fixes && !trailer_is_person(t.key) && !r.advice) ||
		    ret->nr >= MAX_PER_REPLY) {
			trailer_text_release(&t);
			continue;
		}
		n = array_push(ret->v, ret->nr);
		*n = (struct trailer){ .key = t.key,
				       .value = t.value,
				       .source = xstrdup(reply->message_id),
				       .state = TRAILER_ADDED };
		if (t.in_sentence)
			judge(n, TRAILER_FLAGGED, "inside a sentence");
		else if (fixes)
			judge_fixes(n, &r);
		else
			judge_person(n, reply, &r);
		if (r.advice && !fixes && !trailer_is_person(n->key))
			judge(n, TRAILER_IGNORED, "advice of a bot");
	}
}

static void release(struct trailer *t)
{
	free(t->key);
	free(t->value);
	free(t->source);
	free(t->reason);
}

void trailer_list_release(struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		release(&l->v[i]);
	free(l->v);
	*l = (struct trailer_list){ 0 };
}

/* Same key and same person, or the same text. */
static bool is_same(const struct trailer *a, const struct trailer *b)
{
	_cleanup_free_ char *x = NULL, *y = NULL;

	if (strcasecmp(a->key, b->key))
		return false;
	if (!strcasecmp(a->value, b->value))
		return true;
	if (!strcasecmp(a->key, "Fixes"))
		return !strncasecmp(a->value, b->value, 12);
	x = address_of(a->value);
	y = address_of(b->value);
	return x && y && is_same_address(x, y);
}

/* Where an equal trailer stands in the patch; kept and added ones hide all later ones. */
static struct trailer *find_same(struct patch *p, const struct trailer *t)
{
	struct trailer *found = NULL;

	for (size_t i = 0; i < p->nr_trailers; i++) {
		struct trailer *o = &p->trailers[i];

		if (!is_same(o, t))
			continue;
		if (o->state == TRAILER_KEPT || o->state == TRAILER_ADDED)
			return o;
		if (o->state == t->state)
			found = o;
	}
	return found;
}

void trailers_add(struct patch *p, const struct trailer_list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct trailer *t = &l->v[i];
		struct trailer *n;

		if (p->nr_trailers >= MAX_PER_PATCH || find_same(p, t))
			continue;
		n = patch_add_trailer(p);
		n->key = xstrdup(t->key);
		n->value = xstrdup(t->value);
		n->source = xstrdup(t->source);
		n->state = t->state;
		n->reason = xstrdup(t->reason);
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
	}
	if (!any)
		return;
	free(p->message);
	p->message = buf_take(&b);
}
