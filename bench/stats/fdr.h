// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stddef.h>

/*
 * p values of one table to adjusted ones, in place: of the rows with an adjusted p of at
 * most q, a share of at most q is expected to be false (Benjamini and Hochberg, J. R.
 * Stat. Soc. B 57, 1995).
 */
void fdr_adjust(double *p, size_t nr);
