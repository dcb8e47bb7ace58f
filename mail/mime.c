// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>

#include "core/base/alloc.h"
#include "mail/head.h"
#include "mail/text.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeParser, g_object_unref)

#define MAX_DEPTH 16
#define MAX_PARTS 256

struct parts {
	struct mail_part *v;
	size_t nr;
	bool flowed;
};

/* Text in base64 has CR LF by the standard; where only some lines have it, it is content.
 */
static void unix_lines(struct buf *b)
{
	size_t crlf = 0, lf = 0, n = 0;

	for (size_t i = 0; i < b->len; i++) {
		if (b->data[i] != '\n')
			continue;
		lf++;
		crlf += i && b->data[i - 1] == '\r';
	}
	if (!lf || crlf != lf)
		return;
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] != '\r' || i + 1 == b->len || b->data[i + 1] != '\n')
			b->data[n++] = b->data[i];
	b->data[n] = '\0';
	b->len = n;
}

/* RFC 3676: soft line breaks joined, stuffing blanks removed, "-- " kept. */
static void unflow(struct buf *b, bool delsp)
{
	_cleanup_buf_ struct buf out = BUF_INIT;
	const char *at = buf_str(b), *end = at + b->len;
	struct line l;
	bool open = false;

	while (line_next(&at, end, &l)) {
		bool signature = line_is(&l, "-- ");
		bool soft;

		if (open && signature)
			buf_addc(&out, '\n');
		if (!signature && l.len && l.p[0] == ' ') {
			l.p++;
			l.len--;
		}
		soft = !signature && l.len && l.p[l.len - 1] == ' ';
		buf_add(&out, l.p, l.len - (soft && delsp));
		if (!soft)
			buf_addc(&out, '\n');
		open = soft;
	}
	if (open)
		buf_addc(&out, '\n');
	buf_release(b);
	*b = out;
	out = (struct buf)BUF_INIT;
}

static bool is_patch_name(const char *name)
{
	size_t n = name ? strlen(name) : 0;

	return n > 5 && (!strcasecmp(name + n - 5, ".diff") ||
			 (n > 6 && !strcasecmp(name + n - 6, ".patch")));
}

/* Parts that can hold message or patch; HTML, signatures and pictures cannot. */
static bool is_wanted(GMimePart *part, GMimeContentType *type)
{
	static const char *const subtypes[] = { "plain", "x-patch", "x-diff", "diff",
						"patch" };
	const char *media = g_mime_content_type_get_media_type(type);
	const char *sub = g_mime_content_type_get_media_subtype(type);

	if (is_patch_name(g_mime_part_get_filename(part)))
		return true;
	if (!media || strcasecmp(media, "text"))
		return false;
	for (size_t i = 0; sub && i < ARRAY_SIZE(subtypes); i++)
		if (!strcasecmp(sub, subtypes[i]))
			return true;
	return false;
}

static void add_part(struct parts *ps, GMimePart *part)
{
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(part));
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	g_autoptr(GMimeStream) mem = NULL;
	const char *format, *delsp;
	struct mail_part *p;
	GByteArray *bytes;

	if (!content || ps->nr >= MAX_PARTS || (type && !is_wanted(part, type)))
		return;
	mem = g_mime_stream_mem_new();
	g_mime_data_wrapper_write_to_stream(content, mem);
	bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(mem));
	p = array_push(ps->v, ps->nr);
	*p = (struct mail_part){ 0 };
	buf_add(&p->text, bytes->data, bytes->len);
	p->charset =
		xstrdup(type ? g_mime_content_type_get_parameter(type, "charset") : NULL);
	unix_lines(&p->text);
	format = type ? g_mime_content_type_get_parameter(type, "format") : NULL;
	delsp = type ? g_mime_content_type_get_parameter(type, "delsp") : NULL;
	if (!format || strcasecmp(format, "flowed"))
		return;
	ps->flowed = true;
	unflow(&p->text, delsp && !strcasecmp(delsp, "yes"));
}

/* Of alternatives the first with text counts; of a signed mail the part that is signed.
 */
static void walk(struct parts *ps, GMimeObject *o, int depth)
{
	GMimeMultipart *m;
	size_t before = ps->nr;
	int n;

	if (GMIME_IS_PART(o)) {
		add_part(ps, GMIME_PART(o));
		return;
	}
	if (!GMIME_IS_MULTIPART(o) || depth >= MAX_DEPTH)
		return;
	m = GMIME_MULTIPART(o);
	n = g_mime_multipart_get_count(m);
	if (GMIME_IS_MULTIPART_SIGNED(o) && n > 1)
		n = 1;
	for (int i = 0; i < n; i++) {
		walk(ps, g_mime_multipart_get_part(m, i), depth + 1);
		if (ps->nr > before &&
		    g_mime_content_type_is_type(g_mime_object_get_content_type(o),
						"multipart", "alternative"))
			break;
	}
}

static GMimeMessage *parse_bytes(const char *p, size_t len)
{
	g_autoptr(GMimeStream) mem = g_mime_stream_mem_new_with_buffer(p, len);
	g_autoptr(GMimeParser) parser = g_mime_parser_new_with_stream(mem);

	return g_mime_parser_construct_message(parser, NULL);
}

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

static void read_bare(const char *at, const char *end, struct mail *m)
{
	_cleanup_buf_ struct buf store = BUF_INIT;
	struct mail_headers h = { 0 };
	struct mail_part part = { 0 };

	bare_headers(&at, end, &h, &store);
	buf_add(&part.text, at, (size_t)(end - at));
	text_to_utf8(at, (size_t)(end - at), NULL, &m->text);
	mailinfo_read(&h, &part, 1, &m->info);
	subject_parse(h.subject ? h.subject : "", &m->subject);
	m->from_name = xstrdup(m->info.author_name);
	m->from_email = xstrdup(m->info.author_email);
	m->date = m->info.date;
	m->bare = true;
	buf_release(&part.text);
}

/* A file of git format-patch sent as attachment is a mail of its own and knows its
 * author. */
static bool read_attached(const struct parts *ps, struct mail *m)
{
	for (size_t i = 0; i < ps->nr; i++) {
		const char *at = buf_str(&ps->v[i].text), *end = at + ps->v[i].text.len;
		struct line l = { .p = at, .len = (size_t)(end - at) };
		_cleanup_mail_ struct mail inner = { 0 };

		if (!line_starts(&l, "From ") && !line_starts(&l, "From: "))
			continue;
		if (i == 0 && m->info.diff.len)
			continue; /* in-body From of the mail itself */
		mail_parse(&ps->v[i].text, &inner);
		if (!mail_has_patch(&inner) || inner.bare)
			continue;
		mailinfo_release(&m->info);
		m->info = inner.info;
		inner.info = (struct mailinfo){ 0 };
		return true;
	}
	return false;
}

/* GMime may have made nothing of a mail whose header never ends; then msg is NULL. */
static void read_text(GMimeMessage *msg, const struct mail_headers *h, struct mail *m)
{
	struct parts ps = { 0 };
	GMimeObject *root = msg ? g_mime_message_get_mime_part(msg) : NULL;

	if (root)
		walk(&ps, root, 0);
	m->flowed = ps.flowed;
	for (size_t i = 0; i < ps.nr; i++) {
		const char *at = buf_str(&ps.v[i].text), *end = at + ps.v[i].text.len;
		struct line l;

		while (line_next(&at, end, &l)) {
			text_to_utf8(l.p, l.len, ps.v[i].charset, &m->text);
			buf_addc(&m->text, '\n');
		}
	}
	mailinfo_read(h, ps.v, ps.nr, &m->info);
	if (ps.nr > 1)
		read_attached(&ps, m);
	for (size_t i = 0; i < ps.nr; i++) {
		buf_release(&ps.v[i].text);
		free(ps.v[i].charset);
	}
	free(ps.v);
}

static void read_mail(const char *at, const char *end, struct mail *m)
{
	GMimeMessage *msg = parse_bytes(at, (size_t)(end - at));
	char *value[HEAD_FIELDS];
	struct mail_headers h;

	head_values(at, end, value);
	h = (struct mail_headers){ value[HEAD_FROM], value[HEAD_SUBJECT],
				   value[HEAD_DATE] };
	m->damage = take_ptr(value[HEAD_DAMAGE]);
	m->message_id = head_first_id(value[HEAD_MESSAGE_ID]);
	m->in_reply_to = head_first_id(value[HEAD_IN_REPLY_TO]);
	head_ids(value[HEAD_REFERENCES], &m->references);
	mail_address(h.from ? h.from : "", &m->from_name, &m->from_email);
	subject_parse(h.subject ? h.subject : "", &m->subject);
	if (h.date)
		m->date = mail_date_parse(h.date);
	read_text(msg, &h, m);
	if (msg)
		g_object_unref(msg);
	for (int i = 0; i < HEAD_FIELDS; i++)
		free(value[i]);
}

void mail_parse(const struct buf *raw, struct mail *ret)
{
	const char *at = buf_str(raw), *end = at + raw->len;
	struct mail m = { 0 };

	g_mime_init();
	at = head_begin(at, end);
	if (head_is_there(at, end))
		read_mail(at, end, &m);
	else
		read_bare(at, end, &m);
	if (!m.message_id)
		m.message_id = head_made_id(raw);
	*ret = m;
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
	free(m->from_name);
	free(m->from_email);
	subject_release(&m->subject);
	buf_release(&m->text);
	mailinfo_release(&m->info);
	*m = (struct mail){ 0 };
}
