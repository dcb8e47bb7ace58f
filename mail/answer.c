// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/answer.h"

#include <string.h>

#include "mail/gunzip.h"
#include "mail/lookup.h"
#include "mail/text.h"

#define PAGE_HEAD 8192

static bool holds(const struct buf *b, const char *const *words, size_t nr)
{
	size_t n = b->len < PAGE_HEAD ? b->len : PAGE_HEAD;

	for (size_t i = 0; i < nr; i++)
		if (text_find_nocase(buf_str(b), n, words[i]))
			return true;
	return false;
}

bool answer_is_html(const struct buf *body)
{
	static const char *const marks[] = { "<!doctype html", "<html" };

	return holds(body, marks, ARRAY_SIZE(marks));
}

int answer_check_bot(const struct buf *body, struct err *e)
{
	/* Anubis (in front of lore since 2025), hCaptcha and kin, Cloudflare. */
	static const char *const words[] = {
		"not a bot", "within.website/x/cmd/anubis", "anubis_challenge",
		"captcha",   "<title>just a moment",	    "checking your browser"
	};

	if (!answer_is_html(body) || !holds(body, words, ARRAY_SIZE(words)))
		return 0;
	err_set(e, ERR_BOT_CHECK,
		"the server sends a page that asks for proof of being no bot");
	return err_hint(e, "use another server with --archive URL, or save the mail by "
			   "browser");
}

static int not_mail(const struct buf *b, struct err *e)
{
	if (answer_check_bot(b, e) < 0)
		return -(int)e->code;
	if (answer_is_html(b))
		err_set(e, ERR_NOT_MAIL, "the server sends an HTML page instead of mail");
	else
		err_set(e, ERR_NOT_MAIL,
			"the server sends something that is no gzip data");
	return err_hint(e, "name a public-inbox server with --archive URL");
}

static int check_status(long status, const struct buf *body, const struct lookup *l,
			struct err *e)
{
	_cleanup_free_ char *what = NULL;

	if (status == 200)
		return 0;
	if (status != 404 && status != 300)
		return answer_check_bot(body, e) < 0
			       ? -(int)e->code
			       : err_set(e, ERR_HTTP, "the server answers %ld", status);
	if (!l->message_id) {
		what = lookup_text(l);
		/* public-inbox's words; anything else may come from a server that has
		 * no such inbox. */
		err_set(e,
			text_find_nocase(buf_str(body), body->len, "no results")
				? ERR_NO_RESULTS
				: ERR_UNKNOWN_INBOX,
			"the archive finds nothing for %s", what);
		return err_hint(e, "words such as s:, f:, d: and dfn: limit what is "
				   "searched; see _/text/help/ of the inbox");
	}
	err_set(e, ERR_UNKNOWN_MESSAGE_ID, "the archive does not know '%s'",
		l->message_id);
	return err_hint(e, "check the message-id, or try another archive with "
			   "--archive URL");
}

static bool begins_as_mbox(const struct buf *b)
{
	return b->len > 5 && !memcmp(b->data, "From ", 5);
}

int answer_mails(long status, const struct buf *body, const struct lookup *l, size_t max,
		 struct buf *ret, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (check_status(status, body, l, e) < 0)
		return -(int)e->code;
	/* By its first bytes: a proxy may have unpacked it, and the type is not to be
	 * trusted. */
	if (!gunzip_is_gzip(body)) {
		if (!begins_as_mbox(body))
			return not_mail(body, e);
		buf_add(ret, body->data, body->len);
		return 0;
	}
	if (gunzip(body, max, &b, e) < 0)
		return -(int)e->code;
	if (!begins_as_mbox(&b))
		return not_mail(&b, e);
	buf_add(ret, b.data, b.len);
	return 0;
}
