// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mbox.h"

#include <string.h>

#include "mail/mbox-line.h"
#include "mail/text.h"

#define SEPARATOR "From mboxrd@z Thu Jan  1 00:00:00 1970\n"

static bool is_to_unquote(const struct line *l, enum mbox_quoting quoting)
{
	struct line behind = { .p = l->p + 1, .len = l->len ? l->len - 1 : 0 };

	switch (quoting) {
	case MBOX_RD:
		return mbox_is_quoted(l);
	case MBOX_O:
		return line_starts(l, ">From ");
	case MBOX_SEPARATOR:
		return line_starts(l, ">From ") && mbox_is_separator(&behind);
	default:
		return false;
	}
}

void mbox_unquote(struct buf *mail, enum mbox_quoting quoting)
{
	const char *at = mail->data, *end = at + mail->len;
	char *to = mail->data;
	struct line l;

	if (!mail->len || (!memchr(mail->data, '\r', mail->len) &&
			   !memmem(mail->data, mail->len, ">From ", 6)))
		return;
	while (line_next(&at, end, &l)) {
		if (l.len && l.p[l.len - 1] == '\r' && l.ended)
			l.len--;
		if (is_to_unquote(&l, quoting)) {
			l.p++;
			l.len--;
		}
		memmove(to, l.p, l.len);
		to += l.len;
		if (l.ended)
			*to++ = '\n';
	}
	mail->len = (size_t)(to - mail->data);
	*to = '\0';
}

void mbox_add(struct buf *mbox, const char *mail, size_t len)
{
	const char *at = mail, *end = mail + len;
	struct line l;

	buf_adds(mbox, SEPARATOR);
	while (line_next(&at, end, &l)) {
		if (line_starts(&l, "From ") || mbox_is_quoted(&l))
			buf_addc(mbox, '>');
		buf_add(mbox, l.p, l.len);
		buf_addc(mbox, '\n');
	}
	buf_addc(mbox, '\n');
}
