// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/head.h"
#include "mail/parts.h"
#include "mail/text.h"

/*
 * A patch file without mail headers, as StGit, quilt and Mercurial write them: the first
 * line of text is the title, "# User" and "# Date" of Mercurial are author and date.
 */
static void bare_headers(const char **at, const char *end, struct mail_headers *h,
			 struct buf *store)
{
	const char *p = *at;
	struct line l;
	size_t user = 0, date = 0, title = 0;

	buf_addc(store, '\0');
	while (line_next(&p, end, &l)) {
		size_t *where = NULL;

		if (line_starts(&l, "# User ") || line_starts(&l, "# Date ")) {
			where = l.p[2] == 'U' ? &user : &date;
			l.p += 7;
			l.len -= 7;
		} else if (!line_is_blank(&l) && !line_starts(&l, "# ")) {
			if (!line_starts(&l, "diff -") && !line_starts(&l, "--- ") &&
			    !line_starts(&l, "Index: "))
				where = &title;
		} else {
			*at = p;
			continue;
		}
		if (where) {
			*where = store->len;
			text_to_utf8(l.p, l.len, NULL, store);
			buf_addc(store, '\0');
			*at = p;
		}
		if (where == &title || !where)
			break;
	}
	h->from = user ? store->data + user : NULL;
	h->subject = title ? store->data + title : NULL;
	h->date = date ? store->data + date : NULL;
}

static void read_bare(const char *at, const char *end, const struct mail_opts *o,
		      struct mail *m)
{
	_cleanup_buf_ struct buf store = BUF_INIT;
	struct mail_headers h = { 0 };
	struct mail_part part = { 0 };

	bare_headers(&at, end, &h, &store);
	buf_add(&part.text, at, (size_t)(end - at));
	text_to_utf8(at, (size_t)(end - at), NULL, &m->text);
	mailinfo_read(&h, &part, 1, o->scissors, &m->info);
	subject_parse(h.subject ? h.subject : "", &m->subject);
	m->from_name = xstrdup(m->info.author_name);
	m->from_email = xstrdup(m->info.author_email);
	m->date = m->info.date;
	m->bare = true;
	buf_release(&part.text);
}

/*
 * Files of git format-patch sent as attachments are mails of their own and know their
 * authors. One is the patch of this mail; several are kept for the reader of the thread.
 */
static void read_attached(const struct parts *ps, const struct mail_opts *o,
			  struct mail *m)
{
	for (size_t i = 0; i < ps->nr; i++) {
		const struct buf *text = &ps->v[i].text;
		struct line l = { .p = buf_str(text), .len = text->len };
		_cleanup_mail_ struct mail inner = { 0 };

		if (!line_starts(&l, "From ") && !line_starts(&l, "From: "))
			continue;
		if (i == 0 && m->info.diff.len)
			continue; /* in-body From of the mail itself */
		mail_parse(text, o, &inner);
		if (mail_has_patch(&inner) && !inner.bare)
			*array_push(m->attached, m->nr_attached) = inner;
		else
			continue;
		inner = (struct mail){ 0 };
	}
	if (!m->nr_attached)
		return;
	mailinfo_release(&m->info);
	if (m->nr_attached > 1)
		return mailinfo_read(&(struct mail_headers){ 0 }, NULL, 0, false,
				     &m->info);
	m->info = m->attached[0].info;
	m->attached[0].info = (struct mailinfo){ 0 };
	mail_release(&m->attached[0]);
	m->nr_attached = 0;
}

static void read_text(const struct parts *ps, const struct mail_headers *h,
		      const struct mail_opts *o, struct mail *m)
{
	m->flowed = ps->flowed;
	for (size_t i = 0; i < ps->nr; i++) {
		const char *at = buf_str(&ps->v[i].text), *end = at + ps->v[i].text.len;
		struct line l;

		while (line_next(&at, end, &l)) {
			text_to_utf8(l.p, l.len, ps->v[i].charset, &m->text);
			buf_addc(&m->text, '\n');
		}
	}
	mailinfo_read(h, ps->v, ps->nr, o->scissors, &m->info);
	if (ps->nr > 1)
		read_attached(ps, o, m);
}

static void read_mail(const char *at, const char *end, const struct mail_opts *o,
		      struct mail *m)
{
	_cleanup_parts_ struct parts ps = { 0 };
	_cleanup_free_ char *sender = NULL;
	char *value[HEAD_FIELDS];
	struct mail_headers h;

	parts_read(at, end, &ps);
	head_values(at, end, value);
	sender = sender_behind_list(value[HEAD_FROM], ps.original_from, ps.reply_to);
	h = (struct mail_headers){ sender ? sender : value[HEAD_FROM],
				   value[HEAD_SUBJECT], value[HEAD_DATE] };
	m->damage = take_ptr(value[HEAD_DAMAGE]);
	m->message_id = head_first_id(value[HEAD_MESSAGE_ID]);
	m->in_reply_to = head_first_id(value[HEAD_IN_REPLY_TO]);
	head_ids(value[HEAD_REFERENCES], &m->references);
	mail_address(h.from ? h.from : "", &m->from_name, &m->from_email);
	subject_parse(h.subject ? h.subject : "", &m->subject);
	if (h.date)
		m->date = mail_date_parse(h.date);
	m->kernel_test = ps.kernel_test;
	ps.kernel_test = (struct strv)STRV_INIT;
	m->stable_review = ps.stable_review;
	read_text(&ps, &h, o, m);
	for (int i = 0; i < HEAD_FIELDS; i++)
		free(value[i]);
}

void mail_parse(const struct buf *raw, const struct mail_opts *o, struct mail *ret)
{
	const char *at = buf_str(raw), *end = at + raw->len;
	struct mail m = { 0 };

	at = head_begin(at, end);
	if (head_is_there(at, end))
		read_mail(at, end, o, &m);
	else
		read_bare(at, end, o, &m);
	if (!m.message_id)
		m.message_id = head_made_id(raw);
	*ret = m;
}

bool mail_id_is_made(const struct mail *m)
{
	const char *at = strstr(m->message_id, "@kiln.invalid");

	return at && !at[strlen("@kiln.invalid")];
}

bool mail_has_patch(const struct mail *m)
{
	return m->info.diff.len != 0;
}

void mail_release(struct mail *m)
{
	free(m->message_id);
	free(m->in_reply_to);
	free(m->damage);
	strv_release(&m->references);
	strv_release(&m->kernel_test);
	free(m->from_name);
	free(m->from_email);
	subject_release(&m->subject);
	buf_release(&m->text);
	mailinfo_release(&m->info);
	for (size_t i = 0; i < m->nr_attached; i++)
		mail_release(&m->attached[i]);
	free(m->attached);
	*m = (struct mail){ 0 };
}
