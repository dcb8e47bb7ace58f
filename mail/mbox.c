// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mbox.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/text.h"

#define MAX_MAILS 10000
#define SEPARATOR "From mboxrd@z Thu Jan  1 00:00:00 1970\n"

static bool digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)p[i]))
			return false;
	return true;
}

/*
 * git-mailsplit's rule: "From " begins a mail only where a time of day and a year above
 * 90 follow; prose that starts with the word does not have them.
 */
static bool is_separator(const struct line *l)
{
	const char *end = l->p + l->len;

	if (l->len < 20 || !line_starts(l, "From "))
		return false;
	for (const char *p = l->p + 7; p + 6 <= end; p++) {
		unsigned int year = 0;
		const char *y = p + 6;

		if (p[0] != ':' || p[3] != ':' || !digits(p - 2, 2) ||
		    !digits(p + 1, 2) || !digits(p + 4, 2))
			continue;
		while (y < end && *y == ' ')
			y++;
		while (y < end && isdigit((unsigned char)*y) && year < 100000)
			year = year * 10 + (unsigned int)(*y++ - '0');
		if (year > 90)
			return true;
	}
	return false;
}

static bool is_format_patch(const struct line *l)
{
	return l->len > 46 && l->p[45] == ' ' && parse_is_hex(l->p + 5, 40);
}

/* ">From ", ">>From ", ... */
static bool is_quoted_from(const struct line *l)
{
	size_t i = 0;

	while (i < l->len && l->p[i] == '>')
		i++;
	return i && l->len - i >= 5 && !memcmp(l->p + i, "From ", 5);
}

static void add_line(struct buf *b, struct line l, bool quoting)
{
	if (l.len && l.p[l.len - 1] == '\r' && l.ended)
		l.len--;
	if (quoting && is_quoted_from(&l)) {
		l.p++;
		l.len--;
	}
	buf_add(b, l.p, l.len);
	if (l.ended)
		buf_addc(b, '\n');
}

/* The writer ended each mail with one line feed of its own. */
static void end_mail(struct buf *b)
{
	if (b->len >= 2 && !memcmp(b->data + b->len - 2, "\n\n", 2))
		b->data[--b->len] = '\0';
}

static struct buf *new_mail(struct mbox *m)
{
	struct buf *b = array_push(m->mails, m->nr);

	*b = (struct buf)BUF_INIT;
	return b;
}

int mbox_split(const struct buf *in, struct mbox *ret, struct err *e)
{
	const char *at = buf_str(in), *end = at + in->len;
	struct buf *mail = NULL;
	bool bare = false, quoting = false, bad = false;
	struct line l;

	while (line_next(&at, end, &l)) {
		if (!mail && line_is_blank(&l))
			continue;
		if (!bare && is_separator(&l)) {
			if (mail)
				end_mail(mail);
			bad = ret->nr >= MAX_MAILS;
			if (bad)
				break;
			mail = new_mail(ret);
			quoting = !is_format_patch(&l);
			continue;
		}
		if (!mail) {
			mail = new_mail(ret);
			bare = true;
		}
		add_line(mail, l, quoting);
	}
	if (mail && !bare)
		end_mail(mail);
	if (!bad)
		return 0;
	mbox_release(ret);
	return err_set(e, ERR_TOO_BIG, "mailbox has more than %d mails", MAX_MAILS);
}

void mbox_add(struct buf *mbox, const char *mail, size_t len)
{
	const char *at = mail, *end = mail + len;
	struct line l;

	buf_adds(mbox, SEPARATOR);
	while (line_next(&at, end, &l)) {
		if (line_starts(&l, "From ") || is_quoted_from(&l))
			buf_addc(mbox, '>');
		buf_add(mbox, l.p, l.len);
		buf_addc(mbox, '\n');
	}
	buf_addc(mbox, '\n');
}

void mbox_release(struct mbox *m)
{
	for (size_t i = 0; i < m->nr; i++)
		buf_release(&m->mails[i]);
	free(m->mails);
	*m = (struct mbox)MBOX_INIT;
}
