// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The mails of a source, in order, read one at a time: a mailbox of any size never sits
 * in memory, only where its mails lie. A mailbox file is read in place.
 */
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* What a pipe or a packed file may unpack to, unless the caller says otherwise. */
#define BOX_MAX_BYTES ((size_t)1 << 30)

/* A single mail above this is refused by box_mail(). */
#define BOX_MAX_MAIL ((size_t)64 << 20)

struct box;

/* An empty box. */
_must_check_ struct box *box_new(void);

/*
 * Append the mails of a mailbox, .eml or .patch file, maybe packed, or of a folder of
 * folder_list(); "-" is standard input. max is for packed and piped input, 0 =
 * BOX_MAX_BYTES. Errors of mbox_scan(), unpack_fd() and folder_list().
 */
_must_check_ int box_read(struct box *b, const char *path, size_t max, struct err *e);

/* Append the mails of a mailbox (or one bare mail) held in memory; the bytes are copied.
 */
_must_check_ int box_split(struct box *b, const struct buf *mbox, struct err *e);

/* Append one mail as it is: LF line ends, no separator, nothing quoted. */
_must_check_ int box_add(struct box *b, const void *mail, size_t len, struct err *e);

/* Move all mails of another box behind those of b; the other one is empty then. */
void box_join(struct box *b, struct box *other);

size_t box_nr(const struct box *b);

/*
 * Mail i into ret, which is emptied first: LF line ends, mbox quoting undone, no
 * separator line. ERR_TOO_BIG, ERR_IO.
 */
_must_check_ int box_mail(const struct box *b, size_t i, struct buf *ret, struct err *e);

/* Write all mails as mboxrd file, replacing it atomically; box_read() gives them back. */
_must_check_ int box_save(const struct box *b, const char *path, struct err *e);

void box_free(struct box *b);
DEFINE_FREEP(box_free, struct box *)
#define _cleanup_box_ _cleanup_(box_freep)
