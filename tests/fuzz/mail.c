// SPDX-License-Identifier: GPL-3.0-or-later
/* MIME, threads and trailers: a mailbox to a series, and the series to a mailbox. */
#include <stdlib.h>
#include <string.h>

#include "mail/archive.h"
#include "mail/assemble.h"
#include "mail/box.h"
#include "mail/text.h"
#include "mail/write.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void read_url(const struct buf *in)
{
	_cleanup_free_ char *base = NULL, *id = NULL;

	if (archive_split(buf_str(in), &base, &id))
		free(archive_escape(id));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	_cleanup_box_ struct box *box = box_new();
	_cleanup_series_ struct series *s = NULL;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&in, data, size);
	read_url(&in);
	if (box_split(box, &in, &e) < 0 ||
	    assemble_mails(box, &(struct assemble_opts){ 0 }, &s, &e) < 0)
		return 0;
	if (!s->nr_patches || !s->title || !s->message_id)
		abort();
	for (size_t i = 0; i < s->nr_patches; i++)
		if (!text_is_utf8(s->patches[i].message, strlen(s->patches[i].message)))
			abort();
	series_to_mbox(s, &out);
	return 0;
}
