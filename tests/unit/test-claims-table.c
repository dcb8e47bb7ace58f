// SPDX-License-Identifier: GPL-3.0-or-later
/* Claims in tables, drawn in every way mails draw them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims/claims.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"

static struct claims parse(const char *text)
{
	struct claims c = CLAIMS_INIT;

	claims_parse(text, &c);
	return c;
}

/* One claim in a line: what the table tests compare. */
static char *line_of(const struct claim *c)
{
	_cleanup_free_ char *change = claim_change_text(c);
	struct buf b = BUF_INIT;

	buf_addf(&b, "%u %s", c->line, *c->metric ? c->metric : "-");
	if (*c->label)
		buf_addf(&b, " {%s}", c->label);
	if (c->cell)
		buf_addf(&b, " %s", c->cell->name);
	if (c->has_base)
		buf_addf(&b, " %.12g", c->base);
	if (c->has_patched)
		buf_addf(&b, " -> %.12g", c->patched);
	buf_addf(&b, "%s%s %s", *c->unit ? " " : "", c->unit, *change ? change : "?");
	if (c->has_recomputed)
		buf_addf(&b, " = %+.2f%%", 100 * c->recomputed);
	if (claim_is_wrong(c))
		buf_adds(&b, " WRONG");
	return buf_take(&b);
}

static void expect(const char *text, const char *const *want, unsigned int misfits)
{
	_cleanup_claims_ struct claims c = parse(text);
	size_t i;

	for (i = 0; want[i]; i++) {
		_cleanup_free_ char *got = NULL;

		assert_true(i < c.nr);
		got = line_of(&c.v[i]);
		assert_string_equal(got, want[i]);
	}
	assert_int_equal(c.nr, i);
	assert_int_equal(c.misfits, misfits);
}

#define EXPECT(text, misfits, ...) \
	expect(text, (const char *const[]){ __VA_ARGS__, NULL }, misfits)
#define SILENT(text) expect(text, (const char *const[]){ NULL }, 0)

/* C140: the percentages of a grid table, recomputed. */
static void test_c140_grid(void **state)
{
	(void)state;
	EXPECT("Words about it:\n"
	       "\n"
	       "+--------+--------+-------------------+----------------------+\n"
	       "| L0     | L1     | cpuid_rate (base) | cpuid_rate (patched) |\n"
	       "+========+========+===================+======================+\n"
	       "| NPT    | NPT    | 1000000           | 1250000 (+25.0%)     |\n"
	       "| EPT    | Shadow | 800000            | 880000 (+10%)        |\n"
	       "| Shadow | NPT    | 800000            | 880000 (+11%)        |\n"
	       "+--------+--------+-------------------+----------------------+\n",
	       0, "6 cpuid_rate {NPT, NPT} npt/npt 1000000 -> 1250000 +25.0% = +25.00%",
	       "7 cpuid_rate {EPT, Shadow} npt/shadow 800000 -> 880000 +10% = +10.00%",
	       "8 cpuid_rate {Shadow, NPT} 800000 -> 880000 +11% = +10.00% WRONG");
}

static void test_merged_cells(void **state)
{
	(void)state;
	EXPECT("+--------+--------+---------------------+\n"
	       "| L0     | L1     |    exit_rate        |\n"
	       "|        |        +----------+----------+\n"
	       "|        |        | base     | patched  |\n"
	       "+========+========+==========+==========+\n"
	       "| NPT    | NPT    | 1,000    | 1,100    |\n"
	       "|        +--------+----------+----------+\n"
	       "|        | Shadow | 2,000    | 2,100    |\n"
	       "+--------+--------+----------+----------+\n"
	       "| Shadow | Shadow |         n/a         |\n"
	       "+--------+--------+---------------------+\n",
	       0, "6 exit_rate {NPT, NPT} npt/npt 1000 -> 1100 ? = +10.00%",
	       "8 exit_rate {NPT, Shadow} npt/shadow 2000 -> 2100 ? = +5.00%");
}

static void test_pipes_with_and_without_rule(void **state)
{
	(void)state;
	EXPECT("| test | before | after  | diff |\n"
	       "|------|-------:|-------:|-----:|\n"
	       "| map  | 100 ms | 90 ms  | -10% |\n",
	       0, "3 map 100 -> 90 ms -10% = -10.00%");
	EXPECT("| test | before | after  | diff |\n"
	       "| map  | 100 ms | 90 ms  | -12% |\n",
	       0, "2 map 100 -> 90 ms -12% = -10.00% WRONG");
	EXPECT("Metric   | vanilla | patched\n"
	       "lat (us) | 12.5    | 10.0 (-20%)\n",
	       0, "2 lat (us) 12.5 -> 10 us -20% = -20.00%");
}

/* As an archive leaves it: no leading blanks, runs of blanks made one. */
static void test_damaged_by_archive(void **state)
{
	(void)state;
	EXPECT("text text\n"
	       "Metric | Current upstream | Revert [1] | Difference %\n"
	       "=====================================================\n"
	       "spins-count (10) | 3000000000 | 3150000000 | +05.00%\n"
	       "exits | 500000 | 150000 | -70.00%\n"
	       "N=1\n"
	       "more text\n",
	       0, "4 spins-count (10) 3000000000 -> 3150000000 +5.00% = +5.00%",
	       "5 exits 500000 -> 150000 -70.00% = -70.00%");
}

static void test_missing_column(void **state)
{
	(void)state;
	EXPECT("| test | base | patched | diff |\n"
	       "|------|------|---------|------|\n"
	       "| a    | 100  | 110     | +10% |\n"
	       "| b    | 110     | +10% |\n"
	       "| c    | 200  | 210     | +5%  |\n",
	       1, "3 a 100 -> 110 +10% = +10.00%", "5 c 200 -> 210 +5% = +5.00%");
}

static void test_aligned_columns(void **state)
{
	(void)state;
	EXPECT("                 before      after       diff\n"
	       "pipe test        1.234 s     1.100 s     -10.8%\n"
	       "socket test      2.5 s       2.0 s       -25%\n",
	       0, "2 pipe test 1.234 -> 1.1 s -10.8% = -10.86%",
	       "3 socket test 2.5 -> 2 s -25% = -20.00% WRONG");
	/* blanks in front lost: the headings are counted from the right */
	EXPECT("before      after       diff\n"
	       "pipe test        1.234 s     1.100 s     -10.8%\n",
	       0, "2 pipe test 1.234 -> 1.1 s -10.8% = -10.86%");
	EXPECT("Test        v6.8      v6.8+series   Delta\n"
	       "read        1000      1100          10%\n",
	       0, "2 read 1000 -> 1100 +10% = +10.00%");
}

static void test_percent_in_brackets_beside_each_value(void **state)
{
	(void)state;
	EXPECT("                         6.1.0-rc2             6.1.0-rc2\n"
	       "                           vanilla            mine-v1r6\n"
	       "Hmean     1     1200.00 (   0.00%)    1260.00 *   5.00%*\n"
	       "Amean     2       10.00 (   0.00%)       9.00 (  10.00%)\n",
	       0, "3 Hmean 1200 -> 1260 +5.00% = +5.00%",
	       "4 Amean 10 -> 9 +10.00% = -10.00%");
}

static void test_robot_table(void **state)
{
	(void)state;
	EXPECT("         %stddev     %change         %stddev\n"
	       "             \\          |                \\\n"
	       " 1.300e+08            -3.0%  1.261e+08        some-test.16.processes\n"
	       "      1000 \xc2\xb1 90%    +250.0%       3500 \xc2\xb1 17%  "
	       "some-vmstat.x\n"
	       "      0.57            +0.0        0.62 \xc2\xb1  3%  some-profile.foo\n",
	       0, "3 some-test.16.processes 130000000 -> 126100000 -3.0% = -3.00%",
	       "4 some-vmstat.x 1000 -> 3500 +250.0% = +250.00%");
}

static void test_sides_are_rows(void **state)
{
	(void)state;
	EXPECT("|         | throughput (MB/s) | latency (us) |\n"
	       "|---------|-------------------|--------------|\n"
	       "| base    | 100               | 5            |\n"
	       "| patched | 110 (+10%)        | 4            |\n",
	       0, "4 throughput (MB/s) 100 -> 110 MB/s +10% = +10.00%",
	       "4 latency (us) 5 -> 4 us ? = -20.00%");
}

static void test_several_metrics_and_tables(void **state)
{
	(void)state;
	EXPECT("| n | foo (base) | foo (new) | bar (base) | bar (new) |\n"
	       "|---|---|---|---|---|\n"
	       "| 1 | 10K | 12K | 1.5M | 1.2M (-20%) |\n"
	       "\n"
	       "| t | old | new |\n"
	       "|---|---|---|\n"
	       "| x | 1 | 2 |\n",
	       0, "3 foo 10000 -> 12000 ? = +20.00%",
	       "3 bar 1500000 -> 1200000 -20% = -20.00%", "7 x 1 -> 2 ? = +100.00%");
}

static void test_pairs_of_lines(void **state)
{
	(void)state;
	EXPECT("fio, random reads:\n"
	       "  Before:  1000 MB/s\n"
	       "  After:   1053 MB/s (+5.3%)\n",
	       0, "3 fio, random reads 1000 -> 1053 MB/s +5.3% = +5.30%");
	SILENT("Before: 1 entry\nAfter: 2 entries\n");
}

static void test_separators_and_scales(void **state)
{
	(void)state;
	EXPECT("| t | base | patched | change |\n"
	       "|---|---|---|---|\n"
	       "| a | 1,000,000 | 1,173,000 | 17,3% |\n"
	       "| b | 1'000'000 | 1'173'000 | +017.3 % |\n"
	       "| c | 1.2 ms | 900 us | -25% |\n"
	       "| d | 1.20 GB/s | 900 us | -25% |\n"
	       "| e | 2.5G | 3G | ~20% |\n"
	       "| f | 1000 | 827 | \xe2\x88\x92"
	       "17.3% |\n",
	       0, "3 a 1000000 -> 1173000 +17.3% = +17.30%",
	       "4 b 1000000 -> 1173000 +17.3% = +17.30%",
	       "5 c 1200 -> 900 us -25% = -25.00%", "6 d 1.2 -> 900 us -25%",
	       "7 e 2500000000 -> 3000000000 ~+20% = +20.00%",
	       "8 f 1000 -> 827 -17.3% = -17.30%");
}

static enum claim_arithmetic judged(const char *row)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_claims_ struct claims c = CLAIMS_INIT;

	buf_addf(&b, "| t | base | patched | change |\n|---|---|---|---|\n%s\n", row);
	claims_parse(buf_str(&b), &c);
	assert_int_equal(c.nr, 1);
	return c.v[0].arithmetic;
}

static void test_percent_of_percent(void **state)
{
	(void)state;
	assert_int_equal(judged("| miss rate | 42% | 45% | +3% |"), CLAIM_AS_POINTS);
	assert_int_equal(judged("| miss rate | 40% | 44% | +10% |"), CLAIM_RIGHT);
	assert_int_equal(judged("| miss rate | 40.0% | 44.0% | +12% |"), CLAIM_WRONG);
}

/* Rounded or cut off is right, beyond that it is not. */
static void test_arithmetic(void **state)
{
	(void)state;
	assert_int_equal(judged("| x | 1000 | 1173.4 | 17.3% |"), CLAIM_RIGHT);
	assert_int_equal(judged("| x | 1000 | 1173.9 | 17.3% |"), CLAIM_RIGHT);
	assert_int_equal(judged("| x | 1000.0 | 1175.9 | 17.3% |"), CLAIM_WRONG);
	/* the values are rounded as well: 25 is anything from 24.5 to 25.5 */
	assert_int_equal(judged("| x | 25 | 28 | 14.0% |"), CLAIM_RIGHT);
	assert_int_equal(judged("| x | 25.00 | 28.00 | 14.0% |"), CLAIM_WRONG);
	assert_int_equal(judged("| x | 1000 | 800 | -25% |"), CLAIM_OF_PATCHED);
	assert_int_equal(judged("| throughput | 1000 | 800 | +20% |"), CLAIM_WRONG_SIGN);
	assert_int_equal(judged("| latency | 1000 | 800 | +20% |"), CLAIM_AS_GAIN);
	assert_int_equal(judged("| x | 1000 | 800 | 20% |"), CLAIM_AS_GAIN);
	assert_int_equal(judged("| x | 0 | 800 | 20% |"), CLAIM_UNCHECKED);
}

static void test_runs(void **state)
{
	_cleanup_claims_ struct claims a = parse("| t | base | patched |\n|---|---|---|\n"
						 "| x | 10 | 12 |\n\nN=1\n");
	_cleanup_claims_ struct claims b =
		parse("Average of 5 runs:\n\n| t | base | patched |\n| x | 10 | 12 |\n");
	_cleanup_claims_ struct claims c = parse(
		"| t | runs | base | patched |\n|-|-|-|---|\n| x | 7 | 10 | 12 |\n");

	(void)state;
	assert_int_equal(a.v[0].runs, 1);
	assert_int_equal(b.v[0].runs, 5);
	assert_int_equal(c.v[0].runs, 7);
	assert_true(c.v[0].has_recomputed);
}

/* A number whose direction nobody says is never a regression. */
static void test_direction(void **state)
{
	_cleanup_claims_ struct claims none =
		parse("| t | base | patched |\n| x | 10 | 8 |\n");
	_cleanup_claims_ struct claims said = parse(
		"Score [Higher the better]\n| t | base | patched |\n| x | 10 | 8 |\n");
	_cleanup_claims_ struct claims low =
		parse("(lower is better)\n\n| t | base | patched |\n| x | 10 | 8 |\n");
	_cleanup_claims_ struct claims known =
		parse("| t | base | patched |\n| cpuid-rate | 10 | 8 |\n");

	(void)state;
	assert_int_equal(claim_sense(&none.v[0]), 0);
	assert_int_equal(claim_sense(&said.v[0]), -1);
	assert_int_equal(claim_sense(&low.v[0]), 1);
	assert_int_equal(claim_sense(&known.v[0]), -1);
	assert_string_equal(known.v[0].benchmark->name, "cpuid_rate");
}

static void test_names_known_elsewhere(void **state)
{
	_cleanup_claims_ struct claims c =
		parse("| t | base | patched |\n| arithoh-count | 10 | 8 |\n");

	(void)state;
	assert_string_equal(c.v[0].benchmark->name, "spin_rate");
	assert_true(c.v[0].stand_in);
	assert_null(c.v[0].elsewhere);
}

static void test_no_claims(void **state)
{
	(void)state;
	SILENT(" arch/x86/kvm/svm/nested.c | 17 +++++++++--------\n"
	       " arch/x86/kvm/svm/sev.c    |   2 +-\n"
	       " rename foo.c => bar.c (99%)\n"
	       " 4 files changed, 13 insertions(+), 8 deletions(-)\n");
	SILENT("+--------+      +--------+\n"
	       "| base   | ---> | new 5  |\n"
	       "+--------+      +--------+\n");
	SILENT("| Bit | Name | Old | New |\n"
	       "|-----|------|-----|-----|\n"
	       "| 7:0 | FOO  | 0x1 | 0x2 |\n");
	SILENT("  12.34 |   mov %rax,%rbx\n"
	       "   5.00 |   lock cmpxchg\n"
	       "   5.00%  [kernel]  [k] foo\n");
	SILENT("# Baseline  Delta Abs  Shared Object      Symbol\n"
	       "    12.34%     +1.05%  [kernel.kallsyms]  [k] foo\n");
	SILENT("Function                 old     new   delta\n"
	       "foo                      100     116     +16\n"
	       "Total: Before=1234, After=1250, chg +0.01%\n");
	SILENT("Idle state |  Nr samples |  Min    | Max    | Median | Stddev|\n"
	       "==============================================================\n"
	       "one        |   60        |  512    | 1024   |  900   | 40.25 |\n");
	SILENT("> | t | base | patched |\n> | x | 10 | 8 |\n");
	SILENT("diff --git a/x b/x\n| t | base | patched |\n| x | 10 | 8 |\n");
	SILENT("");
}

/* Nothing here may take time that grows faster than the text. */
static void test_hostile(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 30000; i++)
		buf_adds(&b, "| | base | patched | | | | | | | | | |\n");
	for (int i = 0; i < 30000; i++)
		buf_adds(&b,
			 "((((((((((((((((((((((((((( 5% of 5%  99999999999999999999\n");
	for (int i = 0; i < 300000; i++)
		buf_adds(&b, "from 5% to ");
	_cleanup_claims_ struct claims c = parse(buf_str(&b));
	assert_true(c.nr <= 4000);
	_cleanup_claims_ struct claims d = parse(
		"| base | patched |\n| 1e99 | 1e-99 |\n| 1e99 | inf |\n| nan | 1 |\n"
		"| 99999999999999999999999999999999999999999999999999 | 1 |\n");
	for (size_t i = 0; i < d.nr; i++)
		assert_true(!d.v[i].has_recomputed || isfinite(d.v[i].recomputed));
}

/* The mails this program was conceived from, read where they lie. */
static char *seed(const char *name)
{
	const char *dir = getenv("KILN_SEEDS"), *source = getenv("KILN_SOURCE");
	_cleanup_free_ char *path =
		dir ? xasprintf("%s/%s", dir, name)
		    : xasprintf("%s/../shared/seeds/%s", source ? source : ".", name);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	if (fs_read(path, 1 << 20, &b, &e) < 0) {
		print_message("%s is not there\n", path);
		return NULL;
	}
	return buf_take(&b);
}

static void three_cells(const char *name)
{
	_cleanup_free_ char *text = seed(name);
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	static const double want[] = { 0.1734, 0.1296, 0.0686 };

	if (!text)
		skip();
	claims_parse(text, &c);
	assert_int_equal(c.nr, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(fabs(c.v[i].recomputed - want[i]) < 0.00005);
		assert_ptr_equal(c.v[i].cell, cell_at(NULL, i));
		assert_string_equal(c.v[i].benchmark->name, "cpuid_rate");
		assert_int_equal(c.v[i].arithmetic, CLAIM_RIGHT);
		assert_string_equal(c.v[i].machine, "Milan");
		assert_int_equal(c.v[i].runs, 0);
	}
}

static void test_c140_seed_000(void **state)
{
	(void)state;
	three_cells("000_7261fc38713effd2.txt");
}

static void test_c140_seed_004(void **state)
{
	(void)state;
	three_cells("004_d00c359370827848.txt");
}

static void test_c087_seed_003(void **state)
{
	_cleanup_free_ char *text = seed("003_bae5023e6e3f0f7b.txt");
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	static const double want[] = { 0.0488, -0.7032, 0.0018 };

	(void)state;
	if (!text)
		skip();
	claims_parse(text, &c);
	assert_int_equal(c.nr, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_true(fabs(c.v[i].recomputed - want[i]) < 0.00005);
		assert_int_equal(c.v[i].arithmetic, CLAIM_RIGHT);
		assert_int_equal(c.v[i].runs, 1);
		assert_int_equal(claim_sense(&c.v[i]), i ? 0 : 1);
		assert_int_equal(!c.v[i].elsewhere, !i);
	}
	assert_string_equal(c.v[0].benchmark->name, "spin_rate");
	assert_int_equal(c.v[3].shape, CLAIM_PROSE);
	assert_true(c.v[3].change_approx && c.v[3].change == 0.04);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c140_grid),
		cmocka_unit_test(test_merged_cells),
		cmocka_unit_test(test_pipes_with_and_without_rule),
		cmocka_unit_test(test_damaged_by_archive),
		cmocka_unit_test(test_missing_column),
		cmocka_unit_test(test_aligned_columns),
		cmocka_unit_test(test_percent_in_brackets_beside_each_value),
		cmocka_unit_test(test_robot_table),
		cmocka_unit_test(test_sides_are_rows),
		cmocka_unit_test(test_several_metrics_and_tables),
		cmocka_unit_test(test_pairs_of_lines),
		cmocka_unit_test(test_separators_and_scales),
		cmocka_unit_test(test_percent_of_percent),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_names_known_elsewhere),
		cmocka_unit_test(test_no_claims),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_c140_seed_000),
		cmocka_unit_test(test_c140_seed_004),
		cmocka_unit_test(test_c087_seed_003),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
