// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A series back to mails. */
#include "core/base/buf.h"
#include "core/series/series.h"

/*
 * Append the patches as mboxrd: what `git am --patch-format=mboxrd` makes commits of that
 * have author, date and message of the series, added trailers included.
 */
void series_to_mbox(const struct series *s, struct buf *ret);
