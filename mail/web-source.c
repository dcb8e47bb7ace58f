// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/web-source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/git/patch.h"
#include "mail/answer.h"
#include "mail/fetch.h"
#include "mail/lookup.h"
#include "mail/subject.h"
#include "mail/text.h"
#include "mail/thread.h"
#include "mail/web-page.h"

bool web_source_is_page(const char *url)
{
	return web_page_site(url) != NULL;
}

static char *patch_id(const char *p, size_t len)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_diff_ struct diff *d = NULL;

	if (diff_parse(p, len, &d, &e) < 0)
		return NULL;
	return diff_patch_id(d);
}

enum likeness { UNLIKE, SAME_TITLE, SAME_POSTING, SAME_DIFF };

/*
 * How much a mail is the one of the page. A title alone is not enough where the page has a
 * counter: the same patch may have been 13/13 once and 24/24 later.
 */
static enum likeness likeness(const struct mail *m, const struct subject *s,
			      const char *title, const char *id)
{
	_cleanup_free_ char *own = NULL;

	if (!mail_has_patch(m))
		return UNLIKE;
	if (id)
		own = patch_id(buf_str(&m->info.diff), m->info.diff.len);
	if (own && !strcmp(own, id))
		return SAME_DIFF;
	if (!title || strcasecmp(m->subject.title, title))
		return UNLIKE;
	if (s->counted &&
	    (s->number != m->subject.number || s->total != m->subject.total ||
	     s->revision != m->subject.revision))
		return SAME_TITLE;
	return SAME_POSTING;
}

/* The id of the mail in the box that is most like the page, NULL when none is. */
static char *find_like(const struct box *b, const struct web_page *w, const char *id,
		       enum likeness *ret)
{
	_cleanup_thread_ struct thread t = THREAD_INIT;
	_cleanup_subject_ struct subject s = { 0 };
	_cleanup_err_ struct err e = { 0 };
	char *like = NULL;

	*ret = UNLIKE;
	if (thread_read(b, &(struct mail_opts){ 0 }, &t, &e) < 0)
		return NULL;
	subject_parse(w->subject ? w->subject : "", &s);
	for (size_t i = 0; i < t.nr; i++) {
		enum likeness l = likeness(thread_load(&t, (int)i), &s, w->title, id);

		if (l <= *ret)
			continue;
		*ret = l;
		free(like);
		like = xstrdup(t.v[i].m.message_id);
	}
	return like;
}

static bool is_no(const struct err *e)
{
	return e->code == ERR_UNKNOWN_MESSAGE_ID || e->code == ERR_NO_RESULTS;
}

/* Why the archives did not give the original: a phrase, owned by the caller. */
static char *reason(const struct err *e)
{
	if (is_no(e))
		return xstrdup("the archives do not have it");
	return xasprintf("it could not be looked up: %s", e->nr ? e->frame[0] : "");
}

static void set_why(char **why, char *text)
{
	free(*why);
	*why = text;
}

/* One way to ask: 1 found, 0 not found with *why, negative to stop. */
static int look_up_by(const struct lookup *l, const struct web_page *w, const char *id,
		      const struct source_opts *o, struct source_mails *ret, char **why,
		      struct err *e)
{
	_cleanup_box_ struct box *b = box_new();
	_cleanup_err_ struct err failed = { 0 };
	_cleanup_free_ char *found = NULL;
	enum likeness like = SAME_DIFF;

	if (lookup_threads(l, o, b, &failed) < 0) {
		if (failed.code == ERR_INTERRUPTED)
			return err_set(e, failed.code, "%s", failed.frame[0]);
		if (!*why || !is_no(&failed))
			set_why(why, reason(&failed));
		return 0;
	}
	found = l->message_id ? xstrdup(l->message_id) : find_like(b, w, id, &like);
	if (like == SAME_TITLE)
		set_why(why, xasprintf("the archives have only another posting with its "
				       "title, <%s>",
				       found));
	if (like <= SAME_TITLE)
		return 0;
	free(ret->message_id);
	ret->message_id = take_ptr(found);
	box_join(ret->box, b);
	return 1;
}

/* By id where the page has it, else by what no archive changes: the diff, the title. */
static int look_up(const struct web_page *w, const struct source_opts *o,
		   struct source_mails *ret, char **why, struct err *e)
{
	_cleanup_free_ char *id = patch_id(buf_str(&w->text), w->text.len);
	const struct lookup ways[] = {
		{ .message_id = w->message_id },
		{ .patch_id = id },
		{ .subject = w->title, .from = w->author },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(ways); i++)
		if (ways[i].message_id || ways[i].patch_id || ways[i].subject)
			r = look_up_by(&ways[i], w, id, o, ret, why, e);
	return r;
}

static void add_header(struct buf *b, const char *name, const char *value)
{
	_cleanup_free_ char *line = value ? text_clean(value, strlen(value)) : NULL;

	if (line && *line)
		buf_addf(b, "%s: %s\n", name, line);
}

/* The page's text as a mail, with what happened to it. */
static int add_damaged(const struct web_page *w, const char *why,
		       struct source_mails *ret, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *damage = NULL, *id = NULL, *from = NULL;

	if (w->damage)
		damage = xasprintf("%s: %s; the original is needed, but %s", w->site,
				   w->damage, why);
	if (w->message_id)
		id = xasprintf("<%s>", w->message_id);
	if (w->from && !strchr(w->from, '@'))
		from = xasprintf("%s <unknown@invalid>", w->author ?: "unknown");
	add_header(&b, "From", from ? from : w->from ? w->from : "unknown@invalid");
	add_header(&b, "Date", w->date);
	add_header(&b, "Message-ID", id);
	add_header(&b, "Subject", w->subject);
	add_header(&b, "X-Kiln-Damage", damage);
	buf_adds(&b, "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
		     "Content-Transfer-Encoding: 8bit\n\n");
	text_to_utf8(buf_str(&w->text), w->text.len, NULL, &b);
	if (damage)
		strv_addf(&ret->notes, "read from a page that damages mail (%s)", damage);
	else
		strv_addf(&ret->notes, "read from a page of %s; %s", w->site, why);
	free(ret->message_id);
	ret->message_id = w->message_id ? xstrdup(w->message_id) : NULL;
	return box_add(ret->box, b.data, b.len, e);
}

static int use_page(const struct web_page *w, const struct source_opts *o, bool ask,
		    struct source_mails *ret, struct err *e)
{
	_cleanup_free_ char *why = NULL;
	int r = ask ? look_up(w, o, ret, &why, e) : 0;

	if (r < 0)
		return r;
	if (r == 0)
		return add_damaged(w,
				   why	 ? why
				   : ask ? "the archives have no mail like it"
					 : "no archive is named with --archive",
				   ret, e);
	strv_addf(&ret->notes, "read from the archives as <%s> instead of %s%s%s%s",
		  ret->message_id, w->site, w->damage ? " (" : "", w->damage ?: "",
		  w->damage ? ")" : "");
	return 0;
}

static bool has_mail(const struct web_page *w)
{
	return w->message_id || w->subject || w->title;
}

static int use_answer(const struct http_answer *a, const struct fetch *f, struct buf *ret,
		      struct err *e)
{
	(void)f;
	if (answer_check_bot(&a->body, e) < 0)
		return -(int)e->code;
	if (a->status == 404 || a->status == 410) {
		err_set(e, ERR_NOT_FOUND, "the server does not have this page");
		return err_hint(e, "check the address");
	}
	if (a->status != 200)
		return err_set(e, ERR_HTTP, "the server answers %ld", a->status);
	buf_add(ret, buf_str(&a->body), a->body.len);
	return 0;
}

int web_source_url(const char *url, const struct source_opts *o, struct source_mails *ret,
		   struct err *e)
{
	_cleanup_web_page_ struct web_page w = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct fetch f = { .url = url, .use = use_answer };

	if (fetch_run(&f, o, &b, e) < 0)
		return -(int)e->code;
	web_page_read(buf_str(&b), b.len, url, &w);
	if (!has_mail(&w)) {
		err_set(e, ERR_NOT_MAIL, "no mail is in the page '%s'", url);
		return err_hint(e, "copy the link of one message");
	}
	return use_page(&w, o, true, ret, e);
}

int web_source_box(struct box *b, const struct source_opts *o, struct source_mails *ret,
		   struct err *e)
{
	_cleanup_web_page_ struct web_page w = { 0 };
	_cleanup_buf_ struct buf mail = BUF_INIT;

	if (box_nr(b) == 1 && box_mail(b, 0, &mail, e) < 0)
		return -(int)e->code;
	if (mail.len && web_page_looks(mail.data, mail.len))
		web_page_read(mail.data, mail.len, NULL, &w);
	if (!has_mail(&w)) {
		box_join(ret->box, b);
		return 0;
	}
	return use_page(&w, o, o->archives && o->archives->nr, ret, e);
}
