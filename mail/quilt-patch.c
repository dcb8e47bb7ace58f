// SPDX-License-Identifier: GPL-3.0-or-later
/* One patch of a quilt series: what stands above the diff, and names with -pN. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "mail/assemble.h"
#include "mail/box.h"
#include "mail/head.h"
#include "mail/mailinfo.h"
#include "mail/quilt.h"
#include "mail/text.h"

/* What the text above the diff says. */
struct top {
	char *title, *author, *date;
	struct buf body;
};

static void top_release(struct top *h)
{
	free(h->title);
	free(h->author);
	free(h->date);
	buf_release(&h->body);
}

static bool starts_diff(const struct line *l)
{
	return line_starts(l, "diff ") || line_starts(l, "Index: ") ||
	       line_starts(l, "--- ");
}

/* A mail as git and quilt make them: its first line is one of its headers. */
static bool is_mail(const struct buf *text)
{
	const char *at = buf_str(text);
	struct line l;

	return line_next(&at, at + text->len, &l) &&
	       (line_starts(&l, "From ") || line_starts(&l, "From:") ||
		line_starts(&l, "Date:") || line_starts(&l, "Message-I"));
}

/* Fields of DEP-3 that become something else than text of the message. */
static char **field(struct top *h, const struct line *l, size_t *ret_skip)
{
	const struct {
		const char *name;
		char **to;
	} fields[] = {
		{ "Description:", &h->title }, { "Subject:", &h->title },
		{ "Author:", &h->author },     { "From:", &h->author },
		{ "Last-Update:", &h->date },  { "Date:", &h->date },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (line_starts_nocase(l, fields[i].name) && !*fields[i].to) {
			*ret_skip = strlen(fields[i].name);
			return fields[i].to;
		}
	return NULL;
}

/* A day alone has no time a mail's date could be read from. */
static char *whole_date(char *s)
{
	_cleanup_free_ char *owned = text_trim(s);

	if (strlen(owned) == 10 && owned[4] == '-' && owned[7] == '-')
		return xasprintf("%s 00:00:00 +0000", owned);
	return take_ptr(owned);
}

static void add_text(struct top *h, const char *p, size_t n)
{
	buf_add(&h->body, p, n);
	buf_addc(&h->body, '\n');
}

/* Lines below a field belong to it; DEP-3 indents them and writes blank ones as " .". */
static void add_continued(struct top *h, const struct line *l)
{
	if (l->len == 2 && l->p[1] == '.')
		add_text(h, "", 0);
	else
		add_text(h, l->p + 1, l->len - 1);
}

static void head_line(struct top *h, const struct line *l, bool fields, bool *in_field)
{
	size_t skip = 0;
	char **to = fields ? field(h, l, &skip) : NULL;

	if (to) {
		*to = text_trim(xstrndup(l->p + skip, l->len - skip));
		*in_field = true;
		return;
	}
	if (fields && *in_field && l->len && isspace((unsigned char)*l->p)) {
		add_continued(h, l);
		return;
	}
	*in_field = false;
	if (!fields && !h->title && !line_is_blank(l))
		h->title = text_trim(xstrndup(l->p, l->len));
	else
		add_text(h, l->p, l->len);
}

/* "Word:" at the very top makes it fields, anything else free text. */
static bool has_fields(const char *at, const char *end)
{
	struct top none = { 0 };
	struct line l;
	size_t skip;

	while (line_next(&at, end, &l))
		if (!line_is_blank(&l) && l.p[0] != '#')
			return field(&none, &l, &skip) ||
			       line_starts_nocase(&l, "Origin:") ||
			       line_starts_nocase(&l, "Bug") ||
			       line_starts_nocase(&l, "Forwarded:");
	return false;
}

/* Split the text at its diff; what is above goes into h, *ret_diff is where it begins. */
static void top_read(const struct buf *text, struct top *h, const char **ret_diff)
{
	const char *at = buf_str(text), *end = at + text->len, *from = at;
	bool fields = has_fields(at, end), in_field = false;
	struct line l;

	while (line_next(&at, end, &l) && !starts_diff(&l)) {
		from = at;
		if (!line_is(&l, "---"))
			head_line(h, &l, fields, &in_field);
	}
	*ret_diff = from;
}

static char *title_of_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	size_t n = strlen(base);

	if (n > 6 && !strcmp(base + n - 6, ".patch"))
		n -= 6;
	else if (n > 5 && !strcmp(base + n - 5, ".diff"))
		n -= 5;
	return xstrndup(base, n);
}

static void take_mailinfo(struct mailinfo *mi, struct patch *p)
{
	if (mi->author_email && *mi->author_email) {
		p->author_name =
			xstrdup(*mi->author_name ? mi->author_name : mi->author_email);
		p->author_email = xstrdup(mi->author_email);
	}
	if (mi->date.known) {
		p->date = mi->date.epoch;
		p->date_tz = mi->date.tz;
	}
	p->subject = xstrdup(mi->subject);
	p->message = mailinfo_message(mi);
}

static void read_text(const struct buf *text, const struct quilt_entry *entry,
		      struct patch *p)
{
	struct top h = { .body = BUF_INIT };
	struct mailinfo mi = { 0 };
	struct mail_part part = { 0 };
	const char *diff;

	top_read(text, &h, &diff);
	if (!h.title || !*h.title) {
		free(h.title);
		h.title = title_of_name(entry->name);
	}
	if (h.date)
		h.date = whole_date(h.date);
	buf_add(&part.text, buf_str(&h.body), h.body.len);
	mailinfo_read(&(struct mail_headers){ h.author, h.title, h.date }, &part, 1,
		      false, &mi);
	take_mailinfo(&mi, p);
	buf_add(&p->diff, diff, (size_t)(buf_str(text) + text->len - diff));
	mailinfo_release(&mi);
	buf_release(&part.text);
	top_release(&h);
}

/* Take over what the mail reader made of it; false when that was no patch. */
static bool read_mail(const struct buf *text, struct patch *p)
{
	struct assemble_opts o = { .no_trailers = true };
	_cleanup_series_ struct series *s = NULL;
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_box_ struct box *box = box_new();
	_cleanup_free_ char *made = head_made_id(text);
	struct patch *from;

	if (box_add(box, buf_str(text), text->len, &ignored) < 0 ||
	    assemble_mails(box, &o, &s, &ignored) < 0 || s->nr_patches != 1)
		return false;
	from = &s->patches[0];
	if (strcmp(from->message_id, made))
		p->message_id = take_ptr(from->message_id);
	p->subject = take_ptr(from->subject);
	p->message = take_ptr(from->message);
	if (from->author_email && *from->author_email) {
		p->author_name = take_ptr(from->author_name);
		p->author_email = take_ptr(from->author_email);
	}
	p->date = from->date;
	p->date_tz = from->date_tz;
	p->diff = from->diff;
	from->diff = (struct buf)BUF_INIT;
	return true;
}

/* A name with its leading folders as -p1 wants them. */
static void add_name(struct buf *b, const char *side, const char *p, size_t n, int strip)
{
	if (n >= 9 && !memcmp(p, "/dev/null", 9)) {
		buf_add(b, p, n);
		return;
	}
	for (int i = 0; i < strip; i++) {
		const char *slash = memchr(p, '/', n);

		if (!slash)
			break;
		n -= (size_t)(slash + 1 - p);
		p = slash + 1;
	}
	buf_adds(b, side);
	buf_add(b, p, n);
}

/* "diff --git A B": both names are equal behind their folders unless it is a rename, and
 * then the lines below name them. So only names without blanks are worth the work. */
static void add_git_line(struct buf *b, const struct line *l, int strip)
{
	const char *names = l->p + 11, *end = l->p + l->len;
	const char *mid = memchr(names, ' ', (size_t)(end - names));

	buf_adds(b, "diff --git ");
	if (!mid || memchr(mid + 1, ' ', (size_t)(end - mid - 1))) {
		mid = names + (end - names) / 2; /* "x y x y": the blank in the middle */
		if (mid >= end || *mid != ' ') {
			buf_add(b, names, (size_t)(end - names));
			return;
		}
	}
	add_name(b, "a/", names, (size_t)(mid - names), strip);
	buf_addc(b, ' ');
	add_name(b, "b/", mid + 1, (size_t)(end - mid - 1), strip);
}

/* Lines a hunk still owes, so that a removed "-- x" is not taken for a name. */
struct owed {
	unsigned long old, new;
};

static void hunk_starts(const struct line *l, struct owed *o)
{
	const char *p = l->p + 4, *end = l->p + l->len;
	unsigned long pos;

	*o = (struct owed){ 1, 1 };
	if (!diff_number(&p, end, &pos))
		return;
	if (p < end && *p == ',' && (p++, !diff_number(&p, end, &o->old)))
		return;
	p = memchr(p, '+', (size_t)(end - p));
	if (!p++ || !diff_number(&p, end, &pos))
		return;
	if (p < end && *p == ',' && (p++, !diff_number(&p, end, &o->new)))
		return;
}

static void hunk_line(const struct line *l, struct owed *o)
{
	char c = l->len ? *l->p : ' ';

	if ((c == ' ' || c == '-') && o->old)
		o->old--;
	if ((c == ' ' || c == '+') && o->new)
		o->new --;
}

static void restrip(const struct buf *diff, int strip, struct buf *ret)
{
	const char *at = buf_str(diff), *end = at + diff->len;
	struct owed owed = { 0 };
	struct line l;

	while (line_next(&at, end, &l)) {
		bool inside = owed.old || owed.new;

		if (inside)
			hunk_line(&l, &owed);
		else if (line_starts(&l, "@@ -"))
			hunk_starts(&l, &owed);
		if (!inside && l.len > 11 && line_starts(&l, "diff --git "))
			add_git_line(ret, &l, strip);
		else if (!inside &&
			 (line_starts(&l, "--- ") || line_starts(&l, "+++ "))) {
			buf_add(ret, l.p, 4);
			add_name(ret, *l.p == '-' ? "a/" : "b/", l.p + 4, l.len - 4,
				 strip);
		} else {
			buf_add(ret, l.p, l.len);
		}
		if (l.ended)
			buf_addc(ret, '\n');
	}
}

void quilt_patch_read(const struct buf *text, const struct quilt_entry *entry,
		      struct patch *p)
{
	struct buf diff = BUF_INIT;

	if (!is_mail(text) || !read_mail(text, p))
		read_text(text, entry, p);
	if (entry->strip == 1)
		return;
	restrip(&p->diff, entry->strip, &diff);
	buf_release(&p->diff);
	p->diff = diff;
}
