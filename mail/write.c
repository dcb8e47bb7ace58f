// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/write.h"

#include <string.h>

#include <glib.h>

#include "core/base/alloc.h"
#include "mail/mbox.h"
#include "mail/text.h"

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

static void add_from(struct buf *b, const struct patch *p)
{
	buf_adds(b, "From: ");
	add_name(b, p->author_name);
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
	buf_addf(b, "Subject: [%sPATCH", s->rfc ? "RFC " : "");
	if (s->revision > 1)
		buf_addf(b, " v%d", s->revision);
	if (s->total > 1)
		buf_addf(b, " %d/%d", p->number, s->total);
	buf_addf(b, "] %s\n", p->subject);
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

static void add_patch(const struct series *s, const struct patch *p, struct buf *ret)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *body = body_of(p);

	add_from(&b, p);
	add_date(&b, p);
	add_subject(&b, s, p);
	buf_addf(&b,
		 "Message-ID: <%s>\nMIME-Version: 1.0\n"
		 "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: "
		 "8bit\n\n",
		 p->message_id);
	if (needs_guard(body)) {
		add_from(&b, p);
		buf_addf(&b, "Subject: %s\n", p->subject);
		add_date(&b, p);
		buf_addc(&b, '\n');
	}
	buf_addf(&b, "%s---\n", body);
	buf_add(&b, buf_str(&p->diff), p->diff.len);
	mbox_add(ret, b.data, b.len);
}

void series_to_mbox(const struct series *s, struct buf *ret)
{
	for (size_t i = 0; i < s->nr_patches; i++)
		add_patch(s, &s->patches[i], ret);
}
