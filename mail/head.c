// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <glib.h>

#include "core/base/alloc.h"
#include "mail/mime.h"
#include "mail/text.h"

#define MAX_REFERENCES 1000
#define MAX_HEADER ((size_t)1 << 20)

static const char *const names[HEAD_FIELDS] = {
	[HEAD_MESSAGE_ID] = "Message-ID:", [HEAD_IN_REPLY_TO] = "In-Reply-To:",
	[HEAD_REFERENCES] = "References:", [HEAD_FROM] = "From:",
	[HEAD_SUBJECT] = "Subject:",	   [HEAD_DATE] = "Date:",
	[HEAD_DAMAGE] = "X-Kiln-Damage:",
};

const char *head_begin(const char *at, const char *end)
{
	struct line l;
	const char *p = at;

	while (line_next(&p, end, &l)) {
		if (!line_is_blank(&l) && !line_starts(&l, "From ") &&
		    !line_starts(&l, ">From "))
			break;
		at = p;
	}
	return at;
}

bool head_is_there(const char *at, const char *end)
{
	struct line l;
	size_t n = 0;

	if (!line_next(&at, end, &l) || line_starts(&l, "Index: "))
		return false;
	while (n < l.len && l.p[n] > ' ' && l.p[n] < 0x7f && l.p[n] != ':')
		n++;
	return n && n < l.len && l.p[n] == ':';
}

char *head_first_id(const char *s)
{
	const char *open = s ? strchr(s, '<') : NULL;
	size_t n;

	if (!s)
		return NULL;
	s = open ? open + 1 : s + strspn(s, " ");
	n = strcspn(s, open ? ">" : " >");
	while (n && *s == ' ') {
		s++;
		n--;
	}
	while (n && s[n - 1] == ' ')
		n--;
	return n ? xstrndup(s, n) : NULL;
}

void head_ids(const char *s, struct strv *ret)
{
	while (s && (s = strchr(s, '<')) && ret->nr < MAX_REFERENCES) {
		size_t n = strcspn(++s, ">");

		if (n)
			strv_take(ret, xstrndup(s, n));
		s += n;
	}
}

/* Line ends at the end do not count: a mailbox may add one or take one away. */
char *head_made_id(const struct buf *raw)
{
	g_autofree char *sum = NULL;
	size_t n = raw->len;

	while (n && raw->data[n - 1] == '\n')
		n--;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA1,
					  (const unsigned char *)buf_str(raw), n);
	return xasprintf("%s@kiln.invalid", sum);
}

static int field_of(const struct line *l)
{
	int i = 0;

	while (i < HEAD_FIELDS && !line_starts_nocase(l, names[i]))
		i++;
	return i;
}

/* Values as they are, folding and all. */
static void raw_values(const char *at, const char *end, char **raw)
{
	const char *from = NULL;
	int field = HEAD_FIELDS;
	struct line l;

	if ((size_t)(end - at) > MAX_HEADER)
		end = at + MAX_HEADER;
	for (;;) {
		const char *line = at;
		bool more = line_next(&at, end, &l) && l.len;

		if (more && (l.p[0] == ' ' || l.p[0] == '\t'))
			continue;
		if (field < HEAD_FIELDS && !raw[field])
			raw[field] = xstrndup(from, (size_t)(line - from));
		if (!more)
			return;
		field = field_of(&l);
		from = field < HEAD_FIELDS ? l.p + strlen(names[field]) : NULL;
	}
}

/* As mail_header_decode(); most values have nothing to decode. */
static char *decode(const char *raw)
{
	size_t n = strlen(raw);

	if (strstr(raw, "=?"))
		return mail_header_decode(raw);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)raw[i] >= 0x80 || raw[i] == 0x1b)
			return mail_header_decode(raw);
	return text_clean(raw, n);
}

void head_values(const char *at, const char *end, char *ret[HEAD_FIELDS])
{
	for (int i = 0; i < HEAD_FIELDS; i++)
		ret[i] = NULL;
	raw_values(at, end, ret);
	for (int i = 0; i < HEAD_FIELDS; i++) {
		_cleanup_free_ char *raw = ret[i];

		ret[i] = raw ? decode(raw) : NULL;
	}
}

/* Lines only a patch has; base64 may hide anything, quoted-printable the first letter. */
static bool is_sign(const struct line *l)
{
	static const char encoding[] = "Content-Transfer-Encoding:";
	struct line rest;

	switch (l->len ? l->p[0] : 0) {
	case ' ': /* space-stuffed */
		rest = (struct line){ .p = l->p + 1, .len = l->len - 1 };
		return rest.len && rest.p[0] != ' ' && is_sign(&rest);
	case 'd':
		return line_starts(l, "diff -");
	case '-':
		return line_starts(l, "--- ");
	case 'I':
		return line_starts(l, "Index: ");
	case '=':
		return true;
	case 'C':
	case 'c':
		if (!line_starts_nocase(l, encoding))
			return false;
		rest = (struct line){ .p = l->p + strlen(encoding),
				      .len = l->len - strlen(encoding) };
		return line_is_blank(&rest) ||
		       text_find_nocase(rest.p, rest.len, "base64") ||
		       text_find_nocase(rest.p, rest.len, "uue");
	default:
		return false;
	}
}

static bool has_sign(const char *at, const char *end)
{
	struct line l;

	while (line_next(&at, end, &l))
		if (is_sign(&l))
			return true;
	return false;
}

static void read_bare(const struct buf *raw, struct head *h)
{
	_cleanup_mail_ struct mail m = { 0 };

	mail_parse(raw, &(struct mail_opts){ 0 }, &m);
	h->message_id = take_ptr(m.message_id);
	h->from_name = take_ptr(m.from_name);
	h->from_email = take_ptr(m.from_email);
	h->subject = m.subject;
	m.subject = (struct subject){ 0 };
	h->date = m.date;
	h->maybe_patch = mail_has_patch(&m);
}

void head_parse(const struct buf *raw, struct head *ret)
{
	const char *at = buf_str(raw), *end = at + raw->len;
	char *value[HEAD_FIELDS];
	struct head h = { 0 };

	at = head_begin(at, end);
	if (!head_is_there(at, end)) {
		read_bare(raw, &h);
		*ret = h;
		return;
	}
	h.maybe_patch = has_sign(at, end);
	head_values(at, end, value);
	h.message_id = head_first_id(value[HEAD_MESSAGE_ID]);
	if (!h.message_id)
		h.message_id = head_made_id(raw);
	h.in_reply_to = head_first_id(value[HEAD_IN_REPLY_TO]);
	head_ids(value[HEAD_REFERENCES], &h.references);
	mail_address(value[HEAD_FROM] ?: "", &h.from_name, &h.from_email);
	subject_parse(value[HEAD_SUBJECT] ?: "", &h.subject);
	if (value[HEAD_DATE])
		h.date = mail_date_parse(value[HEAD_DATE]);
	h.raw_subject = take_ptr(value[HEAD_SUBJECT]);
	for (int i = 0; i < HEAD_FIELDS; i++)
		free(value[i]);
	*ret = h;
}

void head_release(struct head *h)
{
	free(h->message_id);
	free(h->in_reply_to);
	strv_release(&h->references);
	free(h->from_name);
	free(h->from_email);
	free(h->raw_subject);
	subject_release(&h->subject);
	*h = (struct head){ 0 };
}
