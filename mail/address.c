// SPDX-License-Identifier: GPL-3.0-or-later
/* Addresses and dates of mail headers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>

#include "core/base/alloc.h"
#include "mail/mailinfo.h"
#include "mail/text.h"

/* Quoted strings and quoted pairs undone; comments keep their brackets. */
static char *unquote(const char *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	bool quoted = false;
	int comment = 0;

	for (; *s; s++) {
		if ((quoted || comment) && *s == '\\' && s[1]) {
			buf_addc(&b, *++s);
		} else if (quoted) {
			if (*s == '"')
				quoted = false;
			else
				buf_addc(&b, *s);
		} else if (comment) {
			comment += (*s == '(') - (*s == ')');
			buf_addc(&b, *s);
		} else if (*s == '"') {
			quoted = true;
		} else {
			comment = *s == '(';
			buf_addc(&b, *s);
		}
	}
	return buf_take(&b);
}

/* git shows the address where the name is none: empty, too long, or an address itself. */
static char *sane_name(char *name, const char *email)
{
	if (*name && strlen(name) <= 60 && !strpbrk(name, "@<>"))
		return name;
	free(name);
	return xstrdup(email);
}

/* No '@' anywhere: "Name <mailbox>", or nothing to go by. */
static void bogus_address(const char *from, char **ret_name, char **ret_email)
{
	const char *open = strchr(from, '<');
	const char *close = open ? strchr(open, '>') : NULL;

	if (!close) {
		*ret_name = xstrdup("");
		*ret_email = xstrdup("");
		return;
	}
	*ret_email = xstrndup(open + 1, (size_t)(close - open - 1));
	*ret_name =
		sane_name(text_trim(xstrndup(from, (size_t)(open - from))), *ret_email);
}

void mail_address(const char *from, char **ret_name, char **ret_email)
{
	_cleanup_free_ char *clean = text_clean(from, strlen(from));
	_cleanup_free_ char *s = unquote(clean);
	_cleanup_buf_ struct buf name = BUF_INIT;
	char *at = strchr(s, '@'), *rest, *n;
	size_t len;

	if (!at) {
		bogus_address(s, ret_name, ret_email);
		return;
	}
	while (at > s && !isspace((unsigned char)at[-1]) && at[-1] != '<')
		at--;
	len = strcspn(at, " \t\r\n\v\f>");
	rest = at + len + (at[len] != '\0');
	if (at > s && at[-1] == '<')
		at[-1] = ' ';
	*ret_email = xstrndup(at, len);
	buf_add(&name, s, (size_t)(at - s));
	buf_adds(&name, rest);
	n = text_trim(text_squeeze(buf_take(&name)));
	len = strlen(n);
	if (len >= 2 && n[0] == '(' && n[len - 1] == ')') {
		memmove(n, n + 1, len - 2);
		n[len - 2] = '\0';
	}
	*ret_name = sane_name(n, *ret_email);
}

bool sender_is_list(const char *name)
{
	return strstr(name, " via ") != NULL;
}

/* The part of Reply-To that is not the list itself: the first of another address. */
static char *person_of(const char *reply_to, const char *list)
{
	for (const char *at = reply_to; *at;) {
		size_t n = strcspn(at, ",");
		_cleanup_free_ char *one = xstrndup(at, n), *name = NULL, *email = NULL;

		mail_address(one, &name, &email);
		if (*email && strcasecmp(email, list))
			return take_ptr(one);
		at += n + (at[n] == ',');
	}
	return NULL;
}

char *sender_behind_list(const char *from, const char *original_from,
			 const char *reply_to)
{
	_cleanup_free_ char *name = NULL, *list = NULL, *person = NULL, *own = NULL,
			    *email = NULL;

	if (!from)
		return NULL;
	mail_address(from, &name, &list);
	if (!sender_is_list(name))
		return NULL;
	if (original_from && strchr(original_from, '@'))
		return xstrdup(original_from);
	person = reply_to ? person_of(reply_to, list) : NULL;
	if (!person)
		return NULL;
	mail_address(person, &own, &email);
	if (strcmp(own, email))
		return take_ptr(person);
	*strstr(name, " via ") = '\0';
	return xasprintf("\"%s\" <%s>", name, email);
}

static struct mail_date from_gdatetime(GDateTime *t)
{
	struct mail_date d = { 0 };

	if (t && g_date_time_get_year(t) >= 1970 && g_date_time_get_year(t) <= 9999) {
		d.known = true;
		d.epoch = g_date_time_to_unix(t);
		d.tz = (int)(g_date_time_get_utc_offset(t) / G_TIME_SPAN_MINUTE);
		d.known = d.epoch >= 0;
	}
	if (t)
		g_date_time_unref(t);
	return d;
}

/* "2024-05-01 12:00:00 +0200", the T form too; without a zone it is UTC. */
static struct mail_date iso_date(const char *s)
{
	_cleanup_free_ char *t = text_trim(xstrdup(s));
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	char *zone;

	if (strlen(t) < 16 || !isdigit((unsigned char)t[0]) || t[4] != '-')
		return (struct mail_date){ 0 };
	t[10] = 'T';
	zone = strchr(t, ' ');
	if (zone)
		text_squeeze(memmove(zone, zone + 1, strlen(zone)));
	return from_gdatetime(g_date_time_new_from_iso8601(t, utc));
}

struct mail_date mail_date_parse(const char *s)
{
	struct mail_date d = iso_date(s);

	/* GMime takes the year 0 for 2000, and hours that no zone has for real. */
	if (!d.known && !strstr(s, " 0000 "))
		d = from_gdatetime(g_mime_utils_header_decode_date(s));
	if (d.tz <= -24 * 60 || d.tz >= 24 * 60) {
		d.epoch += d.tz * 60;
		d.tz = 0;
	}
	return d;
}
