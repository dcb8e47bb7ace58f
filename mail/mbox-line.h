// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lines of a mailbox that mean something, for the files of mail/mbox*.c. */
#include "mail/mbox.h"
#include "mail/text.h"

/*
 * git mailsplit's rule: "From " begins a mail only where a time of day and a year above
 * 90 follow; prose that starts with the word does not have them.
 */
bool mbox_is_separator(const struct line *l);

/* ">From ", ">>From ", ... */
bool mbox_is_quoted(const struct line *l);

/* The quoting a separator stands for, when its writer is known; else *ret_known false. */
enum mbox_quoting mbox_writer(const struct line *separator, bool *ret_known);
