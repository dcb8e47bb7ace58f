// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Mailboxes to mails. Reads mboxrd and mboxo, what `git format-patch --stdout` writes,
 * and one bare mail or patch without any separator line.
 */
#include <stddef.h>

#include "core/base/base.h"
#include "core/base/buf.h"
#include "core/base/err.h"

struct mbox {
	struct buf *mails; /* LF line ends, quoting of From lines undone */
	size_t nr;
};

#define MBOX_INIT \
	{         \
		0 \
	}

/*
 * Split. ">From " lines lose one '>' exactly once, except in mails whose separator is the
 * one of git format-patch, which quotes nothing. ERR_TOO_BIG above 10000 mails. An input
 * of blanks alone gives no mail.
 */
_must_check_ int mbox_split(const struct buf *in, struct mbox *ret, struct err *e);

/* Append one mail (LF line ends) to a mailbox in mboxrd form. */
void mbox_add(struct buf *mbox, const char *mail, size_t len);

void mbox_release(struct mbox *m);
#define _cleanup_mbox_ _cleanup_(mbox_release)
