// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A series for people: what it is, its patches and their reviews, what is odd. */
#include "core/series/series.h"

/* "2, 5-7" of ascending numbers; owned by the caller. */
_must_check_ char *number_ranges(const int *v, size_t nr);

/* Print the series to standard output. */
void series_summary(const struct series *s);
