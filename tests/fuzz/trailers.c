// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes as the text of a reply, its sender in the first line, to judged trailers. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/identity.h"
#include "mail/text.h"
#include "mail/trailers.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(const struct trailer *t)
{
	if (!t->key || !t->value || !text_is_utf8(t->value, strlen(t->value)) ||
	    strpbrk(t->value, "\n\r\033") || (t->ext && strpbrk(t->ext, "\n\r\033")))
		abort();
	if ((t->state == TRAILER_ADDED) != !t->reason)
		abort();
	if (t->reason && strpbrk(t->reason, "\n\r\033"))
		abort();
	/* Nothing is more equal to a trailer than itself. */
	if (!trailer_is_same(t, t))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_mail_ struct mail m = { 0 };
	struct trailer_list l = { 0 };
	struct trailer_rules rules = { .to_cover = size & 1 };

	buf_adds(&raw, "Message-ID: <r>\nFrom: ");
	buf_add(&raw, data, size);
	mail_parse(&raw, &(struct mail_opts){ 0 }, &m);
	trailers_of_reply(&m, &rules, &l);
	for (size_t i = 0; i < l.nr; i++)
		check(&l.v[i]);
	trailer_list_release(&l);
	return 0;
}
