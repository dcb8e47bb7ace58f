// SPDX-License-Identifier: GPL-3.0-or-later
/* public-inbox servers as archives: threads by message-id, and searches. */
#include "mail/archive.h"

#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/answer.h"
#include "mail/box.h"
#include "mail/fetch.h"
#include "mail/source-kind.h"

static int use_mails(const struct http_answer *a, const struct fetch *f, struct buf *ret,
		     struct err *e)
{
	return answer_mails(a->status, &a->body, f->ctx, f->max_bytes, ret, e);
}

/* 404 also stands for an inbox that is not there; its own page tells. */
static int check_inbox(const char *base, const struct lookup *l,
		       const struct source_opts *o, struct err *e)
{
	_cleanup_free_ char *url = xasprintf("%s/", base);
	_cleanup_http_answer_ struct http_answer a = HTTP_ANSWER_INIT;
	struct http_opts ho = fetch_http_opts(o);
	_cleanup_err_ struct err ignored = { 0 };

	ho.head = true;
	if (http_fetch(url, &ho, &a, &ignored) < 0 || a.status != 404) {
		e->code = l->message_id ? ERR_UNKNOWN_MESSAGE_ID : ERR_NO_RESULTS;
		return -(int)e->code;
	}
	err_set(e, ERR_UNKNOWN_INBOX, "the server has no inbox '%s'", base);
	return err_hint(e, "an archive is named with its inbox, as in %s",
			ARCHIVE_DEFAULT);
}

static char *base_of(const char *archive)
{
	size_t n = strlen(archive);

	while (n && archive[n - 1] == '/')
		n--;
	return xstrndup(archive, n);
}

/* A phrase of the query language, which has no escape for the quote itself. */
static void add_phrase(struct buf *b, const char *prefix, const char *text)
{
	buf_addf(b, "%s:\"", prefix);
	for (const char *p = text; *p; p++)
		buf_addc(b, *p == '"' ? ' ' : *p);
	buf_addc(b, '"');
}

/* The prefixes are those of public-inbox's Search.pm; nq: is text not quoted. */
char *archive_query(const struct lookup *l)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (l->change_id) {
		_cleanup_free_ char *text = xasprintf("change-id: %s", l->change_id);

		add_phrase(&b, "nq", text);
	} else if (l->patch_id) {
		buf_addf(&b, "patchid:%s", l->patch_id);
	} else if (l->subject) {
		add_phrase(&b, "s", l->subject);
		if (l->from) {
			buf_adds(&b, " AND ");
			add_phrase(&b, "f", l->from);
		}
	} else {
		buf_adds(&b, l->query ?: "");
	}
	return buf_take(&b);
}

static int find(const char *archive, const struct lookup *l, const struct source_opts *o,
		struct box *ret, struct err *e)
{
	_cleanup_free_ char *base = base_of(archive), *what = NULL, *url = NULL;
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	struct fetch f = {
		.use = use_mails,
		.ctx = l,
		.max_bytes = o->max_bytes ? o->max_bytes : SOURCE_MAX_BYTES,
	};
	int r;

	if (l->message_id) {
		what = archive_escape(l->message_id);
		url = xasprintf("%s/%s/t.mbox.gz", base, what);
	} else {
		_cleanup_free_ char *query = archive_query(l);

		/* x=m: an mbox, only for POST; t=1: whole threads. */
		what = archive_escape_query(query);
		url = xasprintf("%s/?x=m&t=1&q=%s", base, what);
		f.post = "";
	}
	f.url = url;
	r = fetch_run(&f, o, &mbox, e);
	if (r < 0 && (e->code == ERR_UNKNOWN_MESSAGE_ID || e->code == ERR_UNKNOWN_INBOX))
		return check_inbox(base, l, o, e);
	return r < 0 ? r : box_split(ret, &mbox, e);
}

static bool knows(const char *archive)
{
	return !strncasecmp(archive, "http://", 7) ||
	       !strncasecmp(archive, "https://", 8);
}

const struct archive_kind archive_web = { knows, true, find };
