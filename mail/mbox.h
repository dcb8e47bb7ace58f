// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Mailbox files. Four kinds share the "From " line between mails and differ in what is
 * done to such lines inside them: mboxo puts '>' before "From ", mboxrd before any
 * ">*From ", mboxcl counts bytes in Content-Length and quotes as mboxo, mboxcl2 counts
 * and does not quote. Which kind a mail is in is told by evidence; see mbox_scan().
 */
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct spool;

#define MBOX_MAX_MAILS 100000

/* What is to be undone in a mail's lines. */
enum mbox_quoting {
	MBOX_PLAIN,	/* nothing */
	MBOX_RD,	/* one '>' of ">From ", ">>From ", ... */
	MBOX_O,		/* the '>' of ">From " */
	MBOX_SEPARATOR, /* the same, only where a separator would be left */
};

/* Where a mail lies in its mailbox; the separator is outside of it. */
struct mbox_place {
	uint64_t at, len;
	enum mbox_quoting quoting;
};

struct mbox_places {
	struct mbox_place *v; /* in the order of the file, free() */
	size_t nr;
};

/*
 * Find the mails, in one pass and little memory. A mail begins behind "From " with a time
 * of day and a year above 90 (the rule of git mailsplit); text without such a first line
 * is one bare mail or patch. The evidence for a mail: a Content-Length that ends just
 * before the next separator is believed, and if any such mail of the file has a bare
 * "From " line inside, the file is mboxcl2. Without it the separators of git format-patch
 * (quotes nothing) and of public-inbox (names the kind) tell. Else it is mboxrd, but
 * where a mail shows that its writer left "From " lines in prose alone, only quoted
 * separators are undone. The mail in which Pine keeps its own data is left out. Input of
 * blanks alone gives no mail. ERR_TOO_BIG above MBOX_MAX_MAILS, ERR_IO.
 */
_must_check_ int mbox_scan(const struct spool *in, struct mbox_places *ret,
			   struct err *e);

/* Raw bytes of a mail to what was mailed, in place: LF line ends, quoting undone. */
void mbox_unquote(struct buf *mail, enum mbox_quoting quoting);

/* Append one mail (LF line ends) to a mailbox in mboxrd form. */
void mbox_add(struct buf *mbox, const char *mail, size_t len);
