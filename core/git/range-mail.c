// SPDX-License-Identifier: GPL-3.0-or-later
/* Patches as mailed as the texts range-diff compares: no tree is needed. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/path-quote.h"
#include "core/git/range-internal.h"

/* What stands behind the second "@@" of the line before the hunk's body. */
static void add_heading(const struct range_file *f, const struct hunk *h, struct buf *b)
{
	const char *end = h->body - 1, *start, *p;

	start = end;
	while (start[-1] != '\n' && strncmp(start, "@@ ", 3) != 0)
		start--;
	p = memmem(start + 2, (size_t)(end - start - 2), "@@", 2);
	p = p ? p + 2 : end;
	range_hunk(f, p, (size_t)(end - p), b);
}

static void add_hunk(const struct range_file *f, const struct hunk *h, struct buf *b)
{
	const char *p = h->body, *end = p + h->len;

	add_heading(f, h, b);
	while (p < end) {
		size_t len = diff_line_len(p, end), n = len - (p[len - 1] == '\n');

		if (!n) /* a mailer ate the blank of an empty context line */
			buf_adds(b, " \n");
		else if (*p == '\\')
			buf_adds(b, " \\ No newline at end of file\n");
		else
			range_line(*p, p + 1, n - 1, b);
		p += len;
	}
}

static void add_file(const struct file_diff *d, struct buf *b)
{
	struct range_file f = {
		.old_name = d->old_name ? d->old_name : d->new_name,
		.new_name = d->new_name ? d->new_name : d->old_name,
		.old_mode = d->old_mode,
		.new_mode = d->new_mode,
		.is_new = d->is_new > 0,
		.is_delete = d->is_delete > 0,
		.is_rename = d->is_rename,
	};

	range_file(&f, b);
	for (size_t i = 0; i < d->nr_hunks; i++)
		add_hunk(&f, &d->hunks[i], b);
	if (!d->is_binary)
		return;
	buf_adds(b, " Binary files ");
	path_quote(f.is_new ? "/dev/null" : f.old_name, b);
	buf_adds(b, " and ");
	path_quote(f.is_delete ? "/dev/null" : f.new_name, b);
	buf_adds(b, " differ\n");
}

static void add_diff(const struct patch *p, struct buf *b)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_diff_ struct diff *d = NULL;

	if (diff_parse(buf_str(&p->diff), p->diff.len, &d, &e) < 0) {
		/* Damaged: its bytes are all there is to compare. */
		buf_addf(b, "\n%s", buf_str(&p->diff));
		return;
	}
	for (size_t i = 0; i < d->nr; i++)
		add_file(&d->files[i], b);
}

void range_from_series(const struct series *s, struct range *ret)
{
	*ret = (struct range){ .mailed = true };
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];
		const char *message = p->message ? p->message : "";
		struct buf b = BUF_INIT;
		struct range_patch *to;
		size_t head;

		range_head(p->author_name ? p->author_name : "",
			   p->author_email ? p->author_email : "", message, &b);
		head = b.len;
		add_diff(p, &b);
		to = range_add(ret, &b, b.len > head ? head + 1 : 0);
		to->subject = range_subject(message);
	}
}
