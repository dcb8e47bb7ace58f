// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* For tests: a series from the text of a mailbox. */
#include "mail/assemble.h"
#include "mail/box.h"

static inline int assemble_bytes(const struct buf *mbox, const struct assemble_opts *o,
				 struct series **ret, struct err *e)
{
	_cleanup_box_ struct box *box = box_new();
	int r = box_split(box, mbox, e);

	return r < 0 ? r : assemble_mails(box, o, ret, e);
}
