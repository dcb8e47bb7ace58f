// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mailinfo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/subject.h"
#include "mail/text.h"

enum inbody { INBODY_FROM, INBODY_SUBJECT, INBODY_DATE, NR_INBODY };

static const char *const inbody_names[NR_INBODY] = { "From:", "Subject:", "Date:" };

/* Where in the mail the reader is. */
struct reader {
	enum { AT_TOP, IN_MESSAGE, IN_DIFF } stage;
	char *inbody[NR_INBODY];
	char *embedded[NR_INBODY]; /* headers of a mail inside the text */
	bool in_embedded;	   /* while these are read */
	bool scissors;		   /* a scissors line starts all over */
	struct buf pending;	   /* an in-body header that may be continued */
	struct buf message, diff;
};

/* The pending in-body header is whole: keep its decoded value. */
static void flush_pending(struct reader *r)
{
	for (int i = 0; r->pending.len && i < NR_INBODY; i++) {
		struct line l = { .p = r->pending.data, .len = r->pending.len };

		if (line_starts_nocase(&l, inbody_names[i]) && !r->inbody[i])
			r->inbody[i] = mail_header_decode(l.p + strlen(inbody_names[i]));
	}
	buf_clear(&r->pending);
}

static bool is_inbody_header(const struct reader *r, const struct line *l)
{
	for (int i = 0; i < NR_INBODY; i++)
		if (line_starts_nocase(l, inbody_names[i]) && !r->inbody[i])
			return true;
	return false;
}

/* "From 0123... Mon Sep 17 00:00:00 2001" of an embedded git format-patch mail. */
static bool is_embedded_separator(const struct line *l)
{
	size_t skip = line_starts(l, ">") ? 1 : 0;
	struct line rest = { .p = l->p + skip, .len = l->len - skip };

	return line_starts(&rest, "From ") && rest.len > 46 &&
	       parse_is_hex(rest.p + 5, 40) && rest.p[45] == ' ';
}

static void forget(char **values)
{
	for (int i = 0; i < NR_INBODY; i++) {
		free(values[i]);
		values[i] = NULL;
	}
}

/*
 * Notes about a patch hold it whole, as git format-patch wrote it, below their own text:
 * from here on it is that mail which is read.
 */
static void start_embedded(struct reader *r)
{
	forget(r->inbody);
	forget(r->embedded);
	buf_clear(&r->pending);
	buf_clear(&r->message);
	r->in_embedded = true;
	r->stage = AT_TOP;
}

/* A blank line behind headers: in-body ones may follow those of an embedded mail. */
static void end_headers(struct reader *r)
{
	flush_pending(r);
	if (!r->in_embedded) {
		r->stage = IN_MESSAGE;
		return;
	}
	r->in_embedded = false;
	memcpy(r->embedded, r->inbody, sizeof(r->inbody));
	memset(r->inbody, 0, sizeof(r->inbody));
}

/*
 * git-mailinfo(1): a line of perforation ("-" and the blanks between) and scissors (">8",
 * "8<", ">%", "%<"), at least eight characters, of which more than a third is
 * perforation, and not mostly gaps.
 */
static bool is_scissors(const struct line *l)
{
	static const char *const marks[] = { ">8", "8<", ">%", "%<" };
	size_t perforation = 0, gap = 0, scissors = 0, first = l->len, last = 0;
	bool inside = false;

	for (size_t i = 0; i < l->len; i++) {
		bool mark = false;

		if (isspace((unsigned char)l->p[i])) {
			perforation += inside;
			gap += inside;
			continue;
		}
		first = first == l->len ? i : first;
		for (size_t k = 0; k < ARRAY_SIZE(marks) && i + 1 < l->len; k++)
			mark |= !memcmp(l->p + i, marks[k], 2);
		last = i;
		inside = mark || l->p[i] == '-';
		perforation += mark ? 2 : inside;
		scissors += mark;
		i += mark;
	}
	perforation += inside && l->ended; /* git counts the line feed */
	gap += inside && l->ended;
	return scissors && last - first + 1 >= 8 && last - first + 1 < perforation * 3 &&
	       gap * 2 < perforation;
}

static bool is_cut(const struct reader *r, const struct line *l, const char *charset)
{
	_cleanup_buf_ struct buf utf8 = BUF_INIT;

	if (!r->scissors)
		return false;
	text_to_utf8(l->p, l->len, charset, &utf8);
	return is_scissors(&(struct line){
		.p = buf_str(&utf8), .len = utf8.len, .ended = l->ended });
}

/* Whether the line at the top of the text is a header that stands in the body. */
static bool take_inbody(struct reader *r, const struct line *l, const char *charset)
{
	if (r->pending.len && l->len && (l->p[0] == ' ' || l->p[0] == '\t') &&
	    !is_cut(r, l, charset)) {
		text_to_utf8(l->p, l->len, charset, &r->pending);
		return true;
	}
	flush_pending(r);
	if (is_embedded_separator(l))
		return true;
	if (line_starts(l, "[PATCH]") && l->len > 7 && isspace((unsigned char)l->p[7])) {
		free(r->inbody[INBODY_SUBJECT]);
		r->inbody[INBODY_SUBJECT] = xstrndup(l->p, l->len);
		return true;
	}
	if (!is_inbody_header(r, l))
		return false;
	text_to_utf8(l->p, l->len, charset, &r->pending);
	return true;
}

/* The line that ends the commit message. */
static bool is_patch_break(const struct line *l)
{
	if (line_starts(l, "diff -") || line_starts(l, "Index: "))
		return true;
	if (!line_starts(l, "---"))
		return false;
	if (l->len > 4 && l->p[3] == ' ' && !isspace((unsigned char)l->p[4]))
		return true;
	return line_is_blank(&(struct line){ .p = l->p + 3, .len = l->len - 3 }) &&
	       (l->ended || l->len > 3);
}

static void read_line(struct reader *r, const struct line *l, const char *charset)
{
	if (r->stage == AT_TOP) {
		if (!l->len) {
			if (r->pending.len)
				end_headers(r);
			return;
		}
		if (take_inbody(r, l, charset))
			return;
		r->stage = IN_MESSAGE;
	}
	if (r->stage == IN_MESSAGE && is_embedded_separator(l)) {
		start_embedded(r);
		return;
	}
	if (r->stage == IN_MESSAGE && is_cut(r, l, charset)) {
		forget(r->inbody);
		buf_clear(&r->message);
		r->stage = AT_TOP;
		return;
	}
	if (r->stage == IN_MESSAGE && is_patch_break(l))
		r->stage = IN_DIFF;
	if (r->stage == IN_DIFF) {
		buf_add(&r->diff, l->p, l->len);
		if (l->ended)
			buf_addc(&r->diff, '\n');
		return;
	}
	text_to_utf8(l->p, l->len, charset, &r->message);
	buf_addc(&r->message, '\n');
}

/* Whether a file diff begins here; notes may look much like it ("--- a/x" in prose). */
static bool is_diff_start(const struct line *l, const char *at, const char *end)
{
	struct line next;

	if (line_starts(l, "diff --git "))
		return true;
	if (line_starts(l, "diff -") || line_starts(l, "Index: ")) {
		for (int i = 0; i < 4 && line_next(&at, end, &next); i++)
			if (line_starts(&next, "--- ") || line_starts(&next, "*** "))
				return true;
		return false;
	}
	return line_starts(l, "--- ") && line_next(&at, end, &next) &&
	       line_starts(&next, "+++ ");
}

/* Drop the "---" line, the notes and the diffstat in front of the first file diff. */
static void trim_diff(struct buf *patch, struct buf *ret)
{
	const char *at = buf_str(patch), *end = at + patch->len;
	struct line l;

	while (line_next(&at, end, &l)) {
		if (!is_diff_start(&l, at, end))
			continue;
		buf_add(ret, l.p, (size_t)(end - l.p));
		return;
	}
}

/* In-body headers count only where a patch follows, as in git mailinfo. */
static const char *choose(const struct reader *r, enum inbody i, const char *header)
{
	if (!r->diff.len)
		return header;
	if (r->inbody[i])
		return r->inbody[i];
	return r->embedded[i] ? r->embedded[i] : header;
}

static void finish(struct reader *r, const struct mail_headers *h, struct mailinfo *ret)
{
	const char *from = choose(r, INBODY_FROM, h->from);
	const char *subject = choose(r, INBODY_SUBJECT, h->subject);
	const char *date = choose(r, INBODY_DATE, h->date);

	mail_address(from ? from : "", &ret->author_name, &ret->author_email);
	ret->subject = subject_title(subject ? subject : "");
	if (date)
		ret->date = mail_date_parse(date);
	ret->embedded = r->diff.len &&
			(r->embedded[INBODY_FROM] || r->embedded[INBODY_SUBJECT]);
	trim_diff(&r->diff, &ret->diff);
	ret->message = r->message;
	r->message = (struct buf)BUF_INIT;
}

void mailinfo_read(const struct mail_headers *h, const struct mail_part *parts, size_t nr,
		   bool scissors, struct mailinfo *ret)
{
	struct reader r = { .scissors = scissors };

	*ret = (struct mailinfo){ 0 };
	for (size_t i = 0; i < nr; i++) {
		const char *at = buf_str(&parts[i].text), *end = at + parts[i].text.len;
		struct line l;

		if (r.diff.len && r.diff.data[r.diff.len - 1] != '\n')
			buf_addc(&r.diff, '\n');
		while (line_next(&at, end, &l))
			read_line(&r, &l, parts[i].charset);
	}
	flush_pending(&r);
	finish(&r, h, ret);
	forget(r.inbody);
	forget(r.embedded);
	buf_release(&r.pending);
	buf_release(&r.message);
	buf_release(&r.diff);
}

char *mailinfo_message(const struct mailinfo *mi)
{
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	bool blank = false;
	const char *at, *end;
	struct line l;

	buf_addf(&in, "%s\n\n", mi->subject);
	buf_add(&in, buf_str(&mi->message), mi->message.len);
	at = buf_str(&in);
	end = at + in.len;
	while (line_next(&at, end, &l)) {
		while (l.len && isspace((unsigned char)l.p[l.len - 1]))
			l.len--;
		if (!l.len) {
			blank = true;
			continue;
		}
		if (blank && out.len)
			buf_addc(&out, '\n');
		blank = false;
		buf_add(&out, l.p, l.len);
		buf_addc(&out, '\n');
	}
	return buf_take(&out);
}

void mailinfo_release(struct mailinfo *mi)
{
	free(mi->author_name);
	free(mi->author_email);
	free(mi->subject);
	buf_release(&mi->message);
	buf_release(&mi->diff);
	*mi = (struct mailinfo){ 0 };
}
