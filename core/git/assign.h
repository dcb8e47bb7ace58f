// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The linear assignment problem, by the method of R. Jonker and A. Volgenant, "A shortest
 * augmenting path algorithm for dense and sparse linear assignment problems", Computing
 * 38 (1987): column reduction, reduction transfer, augmenting row reduction twice, then
 * shortest augmenting paths. The scans run in git's order, so that of several cheapest
 * assignments the one of git range-diff is found.
 */
#include <stdbool.h>

/* What a pair costs that must not be chosen; sums of two stay inside an int. */
#define ASSIGN_COST_MAX (1 << 16)

/*
 * Give each of n columns a row of its own so that the sum of the costs is least.
 * cost[column + n * row]; ret[column] is its row. Time grows with the cube of n at worst.
 *
 * With as_git a path ends at the column looked at last rather than at the free one that
 * was found, which is what git does (2.18 to 2.39 and later): a column may then be left
 * with -1, and two may share a row. Byte-equal output needs it, a best pairing does not.
 */
void assign_rows(int n, const int *cost, bool as_git, int *ret);
