// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Cells to aligned text. Column widths are counted in bytes: give ASCII. */
#include "core/base/buf.h"
#include "core/base/strv.h"

/*
 * Append cells, row-major in rows of nr columns, the first row being the heading: with
 * rules around as in commit messages, or bare with two blanks between the columns.
 */
void grid_ruled(const struct strv *cells, size_t nr, struct buf *ret);
void grid_bare(const struct strv *cells, size_t nr, struct buf *ret);

/* Append s, nothing when NULL, without what could steer a terminal or break a line:
 * control bytes become '?'.
 */
void text_add_clean(struct buf *ret, const char *s);

/* A fraction as "+17.36%", "-1.02%", "+0.00%"; "n/a" when not finite. Owned by caller. */
_must_check_ char *text_percent(double fraction);
