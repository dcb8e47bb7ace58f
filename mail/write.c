// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/write.h"

#include <gmime/gmime.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/mbox.h"
#include "mail/text.h"

#define MAX_LINE 998 /* RFC 5322 */

/* Names with anything a mail header gives a meaning go into quotes. */
static void add_name(struct buf *b, const char *name)
{
	if (!strpbrk(name, "\"\\()<>@,:;[]")) {
		buf_adds(b, name);
		return;
	}
	buf_addc(b, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			buf_addc(b, '\\');
		buf_addc(b, *name);
	}
	buf_addc(b, '"');
}

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return false;
	return true;
}

/* Headers of mails are ASCII; where the text itself is read as UTF-8 nothing is encoded.
 */
static void add_from(struct buf *b, const struct patch *p, bool encode)
{
	buf_adds(b, "From: ");
	if (encode && !is_ascii(p->author_name)) {
		g_autofree char *name =
			g_mime_utils_header_encode_phrase(NULL, p->author_name, "UTF-8");

		buf_adds(b, name);
	} else {
		add_name(b, p->author_name);
	}
	buf_addf(b, " <%s>\n", p->author_email);
}

static void add_date(struct buf *b, const struct patch *p)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu",
					    "Fri", "Sat", "Sun" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(p->date + p->date_tz * 60);
	int tz = p->date_tz < 0 ? -p->date_tz : p->date_tz;

	if (!t)
		return;
	buf_addf(b, "Date: %s, %d %s %d %02d:%02d:%02d %c%02d%02d\n",
		 days[g_date_time_get_day_of_week(t) - 1],
		 g_date_time_get_day_of_month(t), months[g_date_time_get_month(t) - 1],
		 g_date_time_get_year(t), g_date_time_get_hour(t),
		 g_date_time_get_minute(t), g_date_time_get_second(t),
		 p->date_tz < 0 ? '-' : '+', tz / 60, tz % 60);
}

static void add_subject(struct buf *b, const struct series *s, const struct patch *p)
{
	g_autofree char *title =
		g_mime_utils_header_encode_text(NULL, p->subject, "UTF-8");

	buf_addf(b, "Subject: [%sPATCH", s->rfc ? "RFC " : "");
	if (s->revision > 1)
		buf_addf(b, " v%d", s->revision);
	if (s->total > 1)
		buf_addf(b, " %d/%d", p->number, s->total);
	buf_addf(b, "] %s\n", is_ascii(p->subject) ? p->subject : title);
}

/* The message below its title. */
static const char *body_of(const struct patch *p)
{
	const char *nl = strchr(p->message, '\n');

	return nl ? nl + 1 + (nl[1] == '\n') : "";
}

/* A message that begins like a mail header would lose that line to git am. */
static bool needs_guard(const char *body)
{
	struct line l = { .p = body, .len = strlen(body) };

	return line_starts_nocase(&l, "From:") || line_starts_nocase(&l, "Subject:") ||
	       line_starts_nocase(&l, "Date:") || line_starts(&l, "[PATCH]") ||
	       line_starts(&l, ">From") || line_starts(&l, "From ");
}

/* Message and diff as the text of a mail. */
static void add_body(const struct patch *p, struct buf *b)
{
	const char *body = body_of(p);

	if (needs_guard(body)) {
		add_from(b, p, false);
		buf_addf(b, "Subject: %s\n", p->subject);
		add_date(b, p);
		buf_addc(b, '\n');
	}
	buf_addf(b, "%s---\n", body);
	buf_add(b, buf_str(&p->diff), p->diff.len);
}

/* What a mail program may change unless it is encoded: git am drops CR at line ends. */
static bool needs_encoding(const struct buf *body)
{
	const char *at = buf_str(body), *end = at + body->len;
	struct line l;

	while (line_next(&at, end, &l))
		if (l.len > MAX_LINE || memchr(l.p, '\r', l.len))
			return true;
	return false;
}

/* GMime's encoder takes CR LF for one line end, which it is not here. */
static void quoted_printable(struct buf *body)
{
	struct buf out = BUF_INIT;
	size_t column = 0;

	for (size_t i = 0; i < body->len; i++) {
		unsigned char c = (unsigned char)body->data[i];
		bool last = i + 1 == body->len || body->data[i + 1] == '\n';
		bool plain = (c > ' ' && c < 0x7f && c != '=') || (c == ' ' && !last);

		if (c == '\n') {
			buf_addc(&out, '\n');
			column = 0;
			continue;
		}
		if (column > 72) {
			buf_adds(&out, "=\n");
			column = 0;
		}
		if (plain)
			buf_addc(&out, (char)c);
		else
			buf_addf(&out, "=%02X", c);
		column += plain ? 1 : 3;
	}
	buf_release(body);
	*body = out;
}

static const char *encoding_of(const struct buf *body)
{
	for (size_t i = 0; i < body->len; i++)
		if ((unsigned char)body->data[i] >= 0x80)
			return "8bit";
	return "7bit";
}

void patch_to_mail(const struct series *s, const struct patch *p, struct buf *ret)
{
	_cleanup_buf_ struct buf body = BUF_INIT;
	const char *encoding;

	g_mime_init();
	add_body(p, &body);
	encoding = encoding_of(&body);
	if (needs_encoding(&body)) {
		quoted_printable(&body);
		encoding = "quoted-printable";
	}
	add_from(ret, p, true);
	add_date(ret, p);
	add_subject(ret, s, p);
	buf_addf(ret,
		 "Message-ID: <%s>\nMIME-Version: 1.0\n"
		 "Content-Type: text/plain; charset=%s\n"
		 "Content-Transfer-Encoding: %s\n\n",
		 p->message_id, strcmp(encoding, "7bit") ? "UTF-8" : "us-ascii",
		 encoding);
	buf_add(ret, buf_str(&body), body.len);
}

void patch_to_quilt(const struct patch *p, struct buf *ret)
{
	add_from(ret, p, false);
	add_date(ret, p);
	buf_addf(ret, "Subject: %s\n\n", p->subject);
	add_body(p, ret);
}

void series_to_mbox(const struct series *s, struct buf *ret)
{
	for (size_t i = 0; i < s->nr_patches; i++) {
		_cleanup_buf_ struct buf mail = BUF_INIT;

		patch_to_mail(s, &s->patches[i], &mail);
		mbox_add(ret, mail.data, mail.len);
	}
}
