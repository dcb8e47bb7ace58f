// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Parts of report_text() that live in files of their own. r->bisect is not NULL. */
#include "bench/report/report.h"

/* Append the line or two that say what the bisection found. */
void report_bisect_outcome(const struct report *r, struct buf *ret);

/* Append what is known of the commit found: its step, its Fixes: line, the checks. */
void report_bisect_step(const struct report *r, struct buf *ret);

/* Append how it was found. */
void report_bisect_method(const struct report *r, struct buf *ret);

/* Append the section that says what the answer rests on. */
void report_bisect_text(const struct report *r, struct buf *ret);
