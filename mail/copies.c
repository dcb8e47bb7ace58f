// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/copies.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/patch.h"
#include "core/series/series.h"
#include "mail/box.h"
#include "mail/mime.h"
#include "mail/text.h"

/* The patch-id: what a footer behind the diff does not change. NULL when there is none. */
static char *id_of(const struct mail *m)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (diff_parse(buf_str(&m->info.diff), m->info.diff.len, &d, &e) < 0)
		return NULL;
	return diff_patch_id(d);
}

static bool patches_differ(const struct mail *a, const struct mail *b)
{
	_cleanup_free_ char *x = id_of(a), *y = id_of(b);

	if (x && y)
		return strcmp(x, y) != 0;
	if (x || y)
		return true;
	return a->info.diff.len != b->info.diff.len ||
	       memcmp(buf_str(&a->info.diff), buf_str(&b->info.diff), a->info.diff.len);
}

struct copies copies_compare(const struct box *box, size_t a, size_t b,
			     const struct mail_opts *o)
{
	_cleanup_buf_ struct buf raw_a = BUF_INIT, raw_b = BUF_INIT;
	_cleanup_mail_ struct mail x = { 0 }, y = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct copies c = { 0 };
	bool via_x, via_y;

	if (box_mail(box, a, &raw_a, &e) < 0 || box_mail(box, b, &raw_b, &e) < 0)
		return c;
	if (raw_a.len == raw_b.len &&
	    !memcmp(buf_str(&raw_a), buf_str(&raw_b), raw_a.len))
		return c;
	mail_parse(&raw_a, o, &x);
	mail_parse(&raw_b, o, &y);
	if (mail_has_patch(&x) != mail_has_patch(&y)) {
		c.second_is_better = mail_has_patch(&y);
		return c;
	}
	c.patches_differ = mail_has_patch(&x) && patches_differ(&x, &y);
	via_x = sender_is_list(x.from_name);
	via_y = sender_is_list(y.from_name);
	if (via_x != via_y)
		c.second_is_better = via_x;
	else
		c.second_is_better = !c.patches_differ && y.text.len < x.text.len;
	return c;
}

void copies_note(const struct strv *disputed, struct series *s)
{
	for (size_t i = 0; i < s->nr_patches; i++)
		if (strv_has(disputed, s->patches[i].message_id))
			series_note(s, NOTE_WARNING, s->patches[i].message_id,
				    "patch %d came several times with different "
				    "diffs; one copy was taken",
				    s->patches[i].number);
}
