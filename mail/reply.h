// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The header of a reply to a mail. */
#include "core/base/buf.h"
#include "core/base/err.h"

/*
 * Append header and blank line: To is who wrote the mail (Reply-To where it has one), Cc
 * who else got it, Subject with one "Re:", In-Reply-To and References. Encoded as mails
 * want it, no line break or control of the mail gets into it. Message-ID and Date are
 * left to the mail program. ERR_NOT_MAIL when the mail has no Message-ID to reply to.
 */
_must_check_ int reply_head(const struct buf *mail, const char *from, struct buf *ret,
			    struct err *e);
