// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a server sent: mails, or something in their place. Pure functions. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct lookup;

bool answer_is_html(const struct buf *body);

/* ERR_BOT_CHECK for the pages with which servers keep robots off (Anubis and kin). */
_must_check_ int answer_check_bot(const struct buf *body, struct err *e);

/*
 * The mails of an answer of public-inbox to l, unpacked up to max bytes and appended to
 * ret. ERR_UNKNOWN_MESSAGE_ID, ERR_NO_RESULTS; ERR_UNKNOWN_INBOX where a search found
 * nothing and the server does not say that it looked; ERR_HTTP, ERR_NOT_MAIL,
 * ERR_BOT_CHECK, ERR_TRUNCATED, ERR_CORRUPT, ERR_DECOMPRESSION_BOMB.
 */
_must_check_ int answer_mails(long status, const struct buf *body, const struct lookup *l,
			      size_t max, struct buf *ret, struct err *e);
