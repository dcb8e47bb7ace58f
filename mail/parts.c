// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>

#include "core/base/alloc.h"
#include "mail/text.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeParser, g_object_unref)

#define MAX_DEPTH 16
#define MAX_PARTS 256

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

/* A header that outlived the parts it announces: what is there is taken for text. */
static void take_body(struct parts *ps, const char *body, const char *end)
{
	struct mail_part *p = array_push(ps->v, ps->nr);

	*p = (struct mail_part){ 0 };
	buf_add(&p->text, body, (size_t)(end - body));
}

/* Where the header ends. */
static const char *body_of(const char *at, const char *end)
{
	struct line l;

	while (line_next(&at, end, &l) && l.len)
		;
	return at;
}

static char *header(GMimeMessage *msg, const char *name)
{
	GMimeHeader *h = g_mime_header_list_get_header(
		g_mime_object_get_header_list(GMIME_OBJECT(msg)), name);
	const char *raw = h ? g_mime_header_get_raw_value(h) : NULL;

	return raw ? mail_header_decode(raw) : NULL;
}

/* GMime may make nothing of a mail whose header never ends. */
/* The stable maintainers tell test machines what a review is of. */
static void read_stable(GMimeMessage *msg, struct parts *ret)
{
	static const char *const names[] = { "Patch",	"Tree",	   "Branch",
					     "Patches", "Version", "Deadline" };
	_cleanup_free_ char *mark = header(msg, "X-stable");
	_cleanup_free_ char *agent = header(msg, "User-Agent");

	ret->stable_review = (mark && !strcasecmp(mark, "review")) ||
			     (agent && !strncmp(agent, "quilt/", 6));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *full = xasprintf("X-KernelTest-%s", names[i]);
		_cleanup_free_ char *value = header(msg, full);

		if (value)
			strv_addf(&ret->kernel_test, "%s: %s", names[i], value);
	}
}

void parts_read(const char *at, const char *end, struct parts *ret)
{
	GMimeMessage *msg;
	GMimeObject *root;

	g_mime_init();
	msg = parse_bytes(at, (size_t)(end - at));
	if (!msg)
		return;
	root = g_mime_message_get_mime_part(msg);
	if (root)
		walk(ret, root, 0);
	if (!ret->nr && root && GMIME_IS_MULTIPART(root) &&
	    !g_mime_multipart_get_count(GMIME_MULTIPART(root)))
		take_body(ret, body_of(at, end), end);
	ret->original_from = header(msg, "X-Original-From");
	ret->reply_to = header(msg, "Reply-To");
	read_stable(msg, ret);
	g_object_unref(msg);
}

void parts_release(struct parts *ps)
{
	for (size_t i = 0; i < ps->nr; i++) {
		buf_release(&ps->v[i].text);
		free(ps->v[i].charset);
	}
	free(ps->v);
	free(ps->original_from);
	free(ps->reply_to);
	strv_release(&ps->kernel_test);
	*ps = (struct parts){ 0 };
}
