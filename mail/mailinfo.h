// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The text of a mail to author, title, commit message and diff, by the rules of git
 * mailinfo: in-body From, Subject and Date at the top count, the message ends at "---" or
 * at the first line of a diff, and scissors are ordinary text unless asked for.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"

/* A point in time as mails write it. */
struct mail_date {
	bool known;
	int64_t epoch;
	int tz; /* minutes east of UTC */
};

struct mailinfo {
	char *author_name, *author_email;
	char *subject; /* title, cleaned as git am does */
	struct mail_date date;
	struct buf message; /* UTF-8, below the title, not yet stripped */
	struct buf diff;    /* from the first line of the first file diff on */
	bool embedded;	    /* it is that of a format-patch mail inside the text */
};

/* Values of the mail's own headers, decoded; any may be NULL. Borrowed. */
struct mail_headers {
	const char *from, *subject, *date;
};

/* One text part: bytes with transfer encoding undone, LF line ends. */
struct mail_part {
	struct buf text;
	char *charset; /* NULL when not given */
};

/* Read the parts in their order; never fails, what is not there stays empty. */
void mailinfo_read(const struct mail_headers *h, const struct mail_part *parts, size_t nr,
		   bool scissors, struct mailinfo *ret);

/* "Name <address>", "address (Name)" and worse to its two halves; both set, maybe empty.
 */
void mail_address(const char *from, char **ret_name, char **ret_email);

/* Whether a list put "NAME via LIST <list>" in the place of the author. */
bool sender_is_list(const char *name);

/*
 * Who sent a mail whose From a list rewrote: X-Original-From, else the person Reply-To
 * names. NULL when From is intact or nothing tells; any argument may be NULL. Owned.
 */
_must_check_ char *sender_behind_list(const char *from, const char *original_from,
				      const char *reply_to);

/* RFC 5322 dates and "2024-05-01 12:00:00 +0200"; unknown when the year is not in
 * 1970..9999. */
struct mail_date mail_date_parse(const char *s);

/* RFC 2047 words of an unfolded or folded header value decoded. Owned by the caller. */
_must_check_ char *mail_header_decode(const char *raw);

/*
 * The commit message git am makes of title and text: blanks at line ends and blank lines
 * at both ends removed, several blank lines made one, one line feed at the end.
 */
_must_check_ char *mailinfo_message(const struct mailinfo *mi);

void mailinfo_release(struct mailinfo *mi);
#define _cleanup_mailinfo_ _cleanup_(mailinfo_release)
