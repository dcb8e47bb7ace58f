// SPDX-License-Identifier: GPL-3.0-or-later
/* Splitting mailboxes, reading their headers, and that what is written is read back. */
#include <stdlib.h>
#include <string.h>

#include "mail/box.h"
#include "mail/gunzip.h"
#include "mail/head.h"
#include "mail/mbox.h"
#include "mail/mime.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void again(const struct buf *mail)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_buf_ struct buf out = BUF_INIT, back = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	mbox_add(&out, buf_str(mail), mail->len);
	if (box_split(box, &out, &e) < 0 || box_nr(box) != 1 ||
	    box_mail(box, 0, &back, &e) < 0)
		abort();
}

/* A header read alone has the values of the mail read whole. */
static void compare(const struct buf *raw)
{
	_cleanup_mail_ struct mail m = { 0 };
	_cleanup_head_ struct head h = { 0 };

	mail_parse(raw, &(struct mail_opts){ 0 }, &m);
	head_parse(raw, &h);
	if (strcmp(m.message_id, h.message_id) || (mail_has_patch(&m) && !h.maybe_patch))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_buf_ struct buf in = BUF_INIT, mail = BUF_INIT, out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&in, data, size);
	if (box_split(box, &in, &e) == 0)
		for (size_t i = 0; i < box_nr(box); i++) {
			if (box_mail(box, i, &mail, &e) < 0)
				abort();
			again(&mail);
			compare(&mail);
		}
	err_release(&e);
	if (gunzip_is_gzip(&in))
		(void)!gunzip(&in, 1 << 20, &out, &e);
	return 0;
}
