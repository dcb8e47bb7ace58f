// SPDX-License-Identifier: GPL-3.0-or-later
/* Splitting mailboxes, and that what is written is read back. */
#include <stdlib.h>
#include <string.h>

#include "mail/gunzip.h"
#include "mail/mbox.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void again(const struct buf *mail)
{
	_cleanup_mbox_ struct mbox m = MBOX_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	mbox_add(&out, buf_str(mail), mail->len);
	if (mbox_split(&out, &m, &e) < 0 || m.nr != 1)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_mbox_ struct mbox m = MBOX_INIT;
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&in, data, size);
	if (mbox_split(&in, &m, &e) == 0)
		for (size_t i = 0; i < m.nr; i++)
			again(&m.mails[i]);
	err_release(&e);
	if (gunzip_is_gzip(&in))
		(void)!gunzip(&in, 1 << 20, &out, &e);
	return 0;
}
