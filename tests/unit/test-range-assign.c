// SPDX-License-Identifier: GPL-3.0-or-later
/* The cheapest assignment against trying all of them. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/base.h"
#include "core/git/assign.h"

#define MOST 7

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525U + 1013904223U;
	return *seed >> 8;
}

/* The least sum over all ways to give the columns from col on rows not in used. */
static int try_all(int n, const int *cost, int col, unsigned int used)
{
	int best = INT_MAX;

	if (col == n)
		return 0;
	for (int row = 0; row < n; row++) {
		int sum;

		if (used & 1U << row)
			continue;
		sum = cost[col + n * row] + try_all(n, cost, col + 1, used | 1U << row);
		if (sum < best)
			best = sum;
	}
	return best;
}

/* The sum of an assignment, or -1 when it is none. */
static int sum_of(int n, const int *cost, const int *row_of)
{
	unsigned int used = 0;
	int sum = 0;

	for (int col = 0; col < n; col++) {
		int row = row_of[col];

		if (row < 0 || row >= n || used & 1U << row)
			return -1;
		used |= 1U << row;
		sum += cost[col + n * row];
	}
	return sum;
}

static void random_matrix(uint32_t *seed, int n, int *cost)
{
	static const uint32_t ranges[] = { 2, 10, 60, 1000 };
	uint32_t range = ranges[next(seed) % ARRAY_SIZE(ranges)];

	for (int i = 0; i < n * n; i++)
		cost[i] = next(seed) % 8 ? (int)(next(seed) % range) : ASSIGN_COST_MAX;
}

static void finds_the_least_sum(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int t = 0; t < 4000; t++) {
		int n = 1 + t % MOST, cost[MOST * MOST], row_of[MOST];

		random_matrix(&seed, n, cost);
		assign_rows(n, cost, false, row_of);
		assert_int_equal(sum_of(n, cost, row_of), try_all(n, cost, 0, 0));
	}
}

static void takes_the_only_way(void **state)
{
	static const int cost[] = { 9, 1, 9, 9, 9, 1, 1, 9, 9 };
	int row_of[3];

	(void)state;
	for (int as_git = 0; as_git < 2; as_git++) {
		assign_rows(3, cost, as_git, row_of);
		assert_int_equal(row_of[0], 2);
		assert_int_equal(row_of[1], 0);
		assert_int_equal(row_of[2], 1);
	}
}

static void one_and_none(void **state)
{
	static const int cost[] = { 5 };
	int row = -1;

	(void)state;
	assign_rows(0, cost, true, &row);
	assert_int_equal(row, -1);
	assign_rows(1, cost, true, &row);
	assert_int_equal(row, 0);
}

/* What git leaves out it leaves out here; what it does assign is never worse. */
static void as_git_is_the_least_sum_or_incomplete(void **state)
{
	uint32_t seed = 2;
	int complete = 0;

	(void)state;
	for (int t = 0; t < 2000; t++) {
		int n = 2 + t % (MOST - 1), cost[MOST * MOST], row_of[MOST], sum;

		random_matrix(&seed, n, cost);
		assign_rows(n, cost, true, row_of);
		sum = sum_of(n, cost, row_of);
		if (sum < 0)
			continue;
		complete++;
		assert_true(sum >= try_all(n, cost, 0, 0));
	}
	assert_true(complete > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_least_sum),
		cmocka_unit_test(takes_the_only_way),
		cmocka_unit_test(one_and_none),
		cmocka_unit_test(as_git_is_the_least_sum_or_incomplete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
