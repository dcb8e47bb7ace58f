// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A series back to mails and to patch files. */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/series/series.h"

/*
 * Append one patch as a mail: headers in ASCII, text in UTF-8, quoted-printable where
 * carriage returns or long lines must survive. The diff keeps the bytes it has.
 */
void patch_to_mail(const struct series *s, const struct patch *p, struct buf *ret);

/* Append one patch as quilt and git quiltimport read it: author, date and title as header
 * lines in UTF-8, the message, the diff. */
void patch_to_quilt(const struct patch *p, struct buf *ret);

/*
 * Append the patches as mboxrd: what `git am --patch-format=mboxrd` makes commits of that
 * have author, date and message of the series, added trailers included.
 */
void series_to_mbox(const struct series *s, struct buf *ret);

/*
 * Write a folder that is not there yet, or empty: a maildir whose mails git am takes in
 * order, or a quilt queue (the patch files and "series"). ERR_USAGE when something is in
 * it. A failure may leave a part of it.
 */
_must_check_ int series_to_maildir(const struct series *s, const char *dir,
				   struct err *e);
_must_check_ int series_to_quilt(const struct series *s, const char *dir, struct err *e);
