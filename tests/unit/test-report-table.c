// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of commit messages, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bench/report/report.h"

static struct comparison row(size_t cell, double base, double patched)
{
	return (struct comparison){
		.cell = cell_at(NULL, cell),
		.benchmark = "cpuid_rate",
		.unit = "/s",
		.base = { .value = base, .boots = 2, .runs = 10 },
		.patched = { .value = patched, .boots = 2, .runs = 10 },
		.change = patched / base - 1,
		.ci_lo = patched / base - 1.004,
		.ci_hi = patched / base - 0.996,
		.confidence = 0.95,
		.p_adj = 0.00001,
		.verdict = VERDICT_FASTER,
	};
}

static void prints(const struct comparison *rows, size_t nr, bool virtual_clock,
		   const char *want)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_adds(&b, "before\n");
	report_table(rows, nr, virtual_clock, &b);
	assert_string_equal(buf_str(&b) + strlen("before\n"), want);
}

/* The published figures, in the published form. */
static void test_published(void **state)
{
	struct comparison rows[] = { row(0, 256621, 301113), row(1, 180017, 203347),
				     row(2, 177006, 189150) };

	(void)state;
	prints(rows, 3, false,
	       "+--------+--------+-------------------+----------------------+\n"
	       "| L0     | L1     | cpuid_rate (base) | cpuid_rate (patched) |\n"
	       "+========+========+===================+======================+\n"
	       "| NPT    | NPT    | 256621            | 301113 (+17.34%)     |\n"
	       "| NPT    | Shadow | 180017            | 203347 (+12.96%)     |\n"
	       "| Shadow | Shadow | 177006            | 189150 (+6.86%)      |\n"
	       "+--------+--------+-------------------+----------------------+\n"
	       "\n"
	       "cell           95% interval        boots  runs   p_adj    verdict\n"
	       "NPT/NPT        [+16.94%, +17.74%]  2+2    10+10  <0.0001  faster\n"
	       "NPT/Shadow     [+12.56%, +13.36%]  2+2    10+10  <0.0001  faster\n"
	       "Shadow/Shadow  [+6.46%, +7.26%]    2+2    10+10  <0.0001  faster\n"
	       "\n"
	       "time, by the host's clock (KVM)\n");
}

static void test_undecided(void **state)
{
	struct comparison rows[] = { row(0, 18530.5, 18530.6), row(1, 512.34, 3.14159),
				     row(2, 17000, 16999) };

	(void)state;
	rows[0].verdict = VERDICT_SAME;
	rows[0].p_adj = 0.83107;
	rows[1].verdict = VERDICT_UNDECIDED;
	rows[1].patched.boots = 1;
	rows[1].patched.runs = 3;
	rows[1].p_adj = 1;
	rows[1].ci_lo = -1;
	rows[1].ci_hi = INFINITY;
	rows[2].patched = (struct side){ 0 };
	rows[2].change = 0;
	rows[2].ci_lo = -1;
	rows[2].ci_hi = INFINITY;
	rows[2].p_adj = 1;
	rows[2].verdict = VERDICT_UNDECIDED;
	rows[2].needs_boots = 2;
	prints(rows, 3, true,
	       "+--------+--------+-------------------+----------------------+\n"
	       "| L0     | L1     | cpuid_rate (base) | cpuid_rate (patched) |\n"
	       "+========+========+===================+======================+\n"
	       "| NPT    | NPT    | 18530             | 18531 (+0.00%)       |\n"
	       "| NPT    | Shadow | 512.3             | 3.142 (-99.39%)      |\n"
	       "| Shadow | Shadow | 17000             | n/a                  |\n"
	       "+--------+--------+-------------------+----------------------+\n"
	       "\n"
	       "cell           95% interval      boots  runs   p_adj   verdict\n"
	       "NPT/NPT        [-0.40%, +0.40%]  2+2    10+10  0.8311  same\n"
	       "NPT/Shadow     unknown           2+1    10+3   1.0000  undecided\n"
	       "Shadow/Shadow  unknown           2+0    10+0   1.0000  undecided\n"
	       "Shadow/Shadow: about 2 boots a side would decide\n"
	       "\n"
	       "path length, not time: emulated (TCG, -icount); no statement about "
	       "hardware\n");
}

static void test_two_benchmarks(void **state)
{
	struct comparison rows[] = { row(0, 100, 101), row(0, 5, 5) };

	(void)state;
	rows[1].benchmark = "exits";
	rows[1].confidence = 0.99;
	prints(rows, 2, false,
	       "+-----+-----+-------------------+----------------------+\n"
	       "| L0  | L1  | cpuid_rate (base) | cpuid_rate (patched) |\n"
	       "+=====+=====+===================+======================+\n"
	       "| NPT | NPT | 100               | 101 (+1.00%)         |\n"
	       "+-----+-----+-------------------+----------------------+\n"
	       "\n"
	       "cell     95% interval      boots  runs   p_adj    verdict\n"
	       "NPT/NPT  [+0.60%, +1.40%]  2+2    10+10  <0.0001  faster\n"
	       "\n"
	       "+-----+-----+--------------+-----------------+\n"
	       "| L0  | L1  | exits (base) | exits (patched) |\n"
	       "+=====+=====+==============+=================+\n"
	       "| NPT | NPT | 5            | 5 (+0.00%)      |\n"
	       "+-----+-----+--------------+-----------------+\n"
	       "\n"
	       "cell     99% interval      boots  runs   p_adj    verdict\n"
	       "NPT/NPT  [-0.40%, +0.40%]  2+2    10+10  <0.0001  faster\n"
	       "\n"
	       "time, by the host's clock (KVM)\n");
}

static void test_nothing(void **state)
{
	(void)state;
	prints(NULL, 0, true, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_two_benchmarks),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
