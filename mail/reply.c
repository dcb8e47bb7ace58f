// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/reply.h"

#include <gmime/gmime.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/safe.h"
#include "mail/head.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeParser, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeMessage, g_object_unref)

#define MAX_ADDRESSES 500
#define MAX_REFERENCES 50

static GMimeMessage *parse(const struct buf *mail)
{
	g_autoptr(GMimeStream)
		stream = g_mime_stream_mem_new_with_buffer(buf_str(mail), mail->len);
	g_autoptr(GMimeParser) parser = g_mime_parser_new_with_stream(stream);

	return g_mime_parser_construct_message(parser, NULL);
}

/* One address as a header takes it; nothing that could break the line is left in it. */
static void add_address(struct buf *ret, const char *field, InternetAddress *a, int *nr)
{
	g_autofree char *text = NULL;
	_cleanup_free_ char *clean = NULL;

	if (!INTERNET_ADDRESS_IS_MAILBOX(a) || *nr >= MAX_ADDRESSES)
		return;
	text = internet_address_to_string(a, NULL, TRUE);
	clean = safe_text(xstrdup(text), false);
	if (*nr)
		buf_addf(ret, ",\n\t%s", clean);
	else
		buf_addf(ret, "%s: %s", field, clean);
	(*nr)++;
}

static void add_list(struct buf *ret, const char *field, InternetAddressList *list,
		     int *nr)
{
	for (int i = 0; list && i < internet_address_list_length(list); i++)
		add_address(ret, field, internet_address_list_get_address(list, i), nr);
}

static void add_recipients(GMimeMessage *m, struct buf *ret)
{
	InternetAddressList *who = g_mime_message_get_reply_to(m);
	int to = 0, cc = 0;

	if (!who || !internet_address_list_length(who))
		who = g_mime_message_get_from(m);
	add_list(ret, "To", who, &to);
	buf_adds(ret, to ? "\n" : "");
	add_list(ret, "Cc", g_mime_message_get_to(m), &cc);
	add_list(ret, "Cc", g_mime_message_get_cc(m), &cc);
	buf_adds(ret, cc ? "\n" : "");
}

static void add_subject(const char *subject, struct buf *ret)
{
	_cleanup_free_ char *clean = safe_text(xstrdup(subject ?: ""), false);
	const char *s = clean + strspn(clean, " ");
	_cleanup_free_ char *whole = NULL;
	g_autofree char *encoded = NULL;

	while (!strncasecmp(s, "re:", 3)) {
		s += 3;
		s += strspn(s, " ");
	}
	whole = xasprintf("Re: %s", s);
	encoded = g_mime_utils_header_encode_text(NULL, whole, "UTF-8");
	buf_addf(ret, "Subject: %s\n", encoded);
}

/* Ids are put between brackets: only those that end with them and not before. */
static bool is_id(const char *id)
{
	return *id && strlen(id) < 512 && !strpbrk(id, "<> \t\r\n") && g_str_is_ascii(id);
}

static void add_references(const struct buf *mail, const char *id, struct buf *ret)
{
	_cleanup_head_ struct head h = { 0 };
	size_t first;

	head_parse(mail, &h);
	first = h.references.nr > MAX_REFERENCES ? h.references.nr - MAX_REFERENCES : 0;
	buf_addf(ret, "In-Reply-To: <%s>\nReferences:", id);
	for (size_t i = first; i < h.references.nr; i++)
		if (is_id(h.references.v[i]) && strcmp(h.references.v[i], id) != 0)
			buf_addf(ret, " <%s>\n", h.references.v[i]);
	buf_addf(ret, " <%s>\n", id);
}

int reply_head(const struct buf *mail, const char *from, struct buf *ret, struct err *e)
{
	g_autoptr(GMimeMessage) m = NULL;
	_cleanup_free_ char *sender = safe_text(xstrdup(from), false);
	const char *id;

	g_mime_init();
	m = parse(mail);
	id = m ? g_mime_message_get_message_id(m) : NULL;
	if (!id || !is_id(id))
		return err_set(e, ERR_NOT_MAIL, "the mail has no Message-ID to reply to");
	buf_addf(ret, "From: %s\n", sender);
	add_recipients(m, ret);
	add_subject(g_mime_message_get_subject(m), ret);
	add_references(mail, id, ret);
	buf_adds(ret, "MIME-Version: 1.0\n"
		      "Content-Type: text/plain; charset=UTF-8\n"
		      "Content-Transfer-Encoding: 8bit\n\n");
	return 0;
}
