// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The header of one mail, cheap enough to be read of every mail in a large mailbox: the
 * same values as mail_parse() gives, at a fraction of the cost.
 */
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/strv.h"
#include "mail/mailinfo.h"
#include "mail/subject.h"

struct head {
	char *message_id;  /* never NULL, made from the bytes when the mail has none */
	char *in_reply_to; /* may be NULL */
	struct strv references;
	char *from_name, *from_email;
	char *raw_subject; /* decoded, prefixes and all; NULL when there is none */
	struct subject subject;
	struct mail_date date;
	bool maybe_patch; /* false: mail_has_patch() is false too */
};

/* Any bytes are accepted; the header is read up to 1 MiB. */
void head_parse(const struct buf *raw, struct head *ret);

void head_release(struct head *h);
#define _cleanup_head_ _cleanup_(head_release)

/* What head_parse() and mail_parse() share. */

enum head_field {
	HEAD_MESSAGE_ID,
	HEAD_IN_REPLY_TO,
	HEAD_REFERENCES,
	HEAD_FROM,
	HEAD_SUBJECT,
	HEAD_DATE,
	HEAD_DAMAGE, /* our own, see web-source.h */
	HEAD_FIELDS
};

/*
 * The first occurrence of each field, decoded as by mail_header_decode(); NULL when
 * absent, owned by the caller. A line that is no field is skipped, as GMime does.
 */
void head_values(const char *at, const char *end, char *ret[HEAD_FIELDS]);

/* Where the header begins: blank lines and separators left by a saved mail are skipped.
 */
const char *head_begin(const char *at, const char *end);

/* Whether the line at that place is a header field; else the text is a bare patch. */
bool head_is_there(const char *at, const char *end);

/* The first message-id in a decoded value, without brackets; NULL when there is none. */
_must_check_ char *head_first_id(const char *value);

/* All ids in brackets, the first 1000. */
void head_ids(const char *value, struct strv *ret);

/* An id for a mail that has none, the same for the same text. Owned by the caller. */
_must_check_ char *head_made_id(const struct buf *raw);
