// SPDX-License-Identifier: GPL-3.0-or-later
/* Claimed against measured, and how it is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bench/claims/compare.h"
#include "bench/report/report.h"
#include "core/base/alloc.h"

static struct comparison row(size_t cell, enum verdict v, double change)
{
	return (struct comparison){ .cell = cell_at(NULL, cell),
				    .benchmark = "cpuid_rate",
				    .unit = "/s",
				    .base = { .value = 18000, .boots = 4, .runs = 20 },
				    .patched = { .value = 18000, .boots = 4, .runs = 20 },
				    .change = change,
				    .ci_lo = change - 0.01,
				    .ci_hi = change + 0.01,
				    .confidence = 0.95,
				    .verdict = v };
}

/* The check of the one claim of text against one row of npt/npt on a real machine. */
static struct claim_check check(const char *text, enum verdict v, double change,
				bool virtual_clock)
{
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	struct comparison r = row(0, v, change);
	const struct claim_lab lab = { &r, 1, virtual_clock, "AMD EPYC 9354" };
	struct claim_check k;

	claims_parse(text, &c);
	assert_int_equal(c.nr, 1);
	claim_check(&c.v[0], &lab, &k);
	return k;
}

static void is(struct claim_check k, enum claim_verdict v, const char *why)
{
	assert_int_equal(k.verdict, v);
	if (why)
		assert_string_equal(k.why, why);
	else
		assert_null(k.why);
}

#define GAIN "cpuid_rate went from 1000 to 1173 (+17.3%)."

static void test_confirmed(void **state)
{
	(void)state;
	is(check(GAIN, VERDICT_FASTER, 0.168, false), CLAIM_CONFIRMED, NULL);
	is(check("cpuid_rate went from 1000 to 1001.", VERDICT_SAME, 0.001, false),
	   CLAIM_CONFIRMED, "it is no change either");
	is(check("cpuid_rate improves by 17%.", VERDICT_FASTER, 0.168, false),
	   CLAIM_CONFIRMED, NULL);
}

static void test_not_confirmed(void **state)
{
	(void)state;
	is(check(GAIN, VERDICT_FASTER, 0.05, false), CLAIM_NOT_CONFIRMED, "less here");
	is(check(GAIN, VERDICT_FASTER, 0.35, false), CLAIM_NOT_CONFIRMED, "more here");
	is(check(GAIN, VERDICT_SLOWER, -0.05, false), CLAIM_NOT_CONFIRMED,
	   "the other direction here");
	is(check(GAIN, VERDICT_SAME, 0.0001, false), CLAIM_NOT_CONFIRMED,
	   "no change here");
	is(check(GAIN, VERDICT_UNDECIDED, 0.17, false), CLAIM_NOT_CONFIRMED,
	   "undecided here, and the interval holds the claim");
}

static void test_not_comparable(void **state)
{
	(void)state;
	is(check(GAIN, VERDICT_FASTER, 0.17, true), CLAIM_NOT_COMPARABLE,
	   "claimed as time, measured as path length");
	is(check("Under QEMU TCG " GAIN, VERDICT_FASTER, 0.17, false),
	   CLAIM_NOT_COMPARABLE, "claimed as path length, measured as time");
	is(check("Under QEMU TCG " GAIN, VERDICT_FASTER, 0.17, true), CLAIM_CONFIRMED,
	   NULL);
	is(check("N=1: " GAIN, VERDICT_FASTER, 0.17, false), CLAIM_NOT_COMPARABLE,
	   "N=1 says nothing of its own spread");
	is(check("On Milan " GAIN, VERDICT_FASTER, 0.05, false), CLAIM_NOT_COMPARABLE,
	   "differs, but was claimed of another machine");
	is(check("On Milan " GAIN, VERDICT_FASTER, 0.17, false), CLAIM_CONFIRMED, NULL);
	is(check("arithoh improves by 4%.", VERDICT_FASTER, 0.04, false),
	   CLAIM_NOT_COMPARABLE, "not measured");
	is(check("kvm_hv:kvm_guest_exit falls by 70%.", VERDICT_FASTER, 0.04, false),
	   CLAIM_NOT_COMPARABLE,
	   "a total of one run; bench --count counts it by operation");
	is(check("netperf improves by 4%.", VERDICT_FASTER, 0.04, false),
	   CLAIM_NOT_COMPARABLE, "no benchmark of kiln");
	is(check("| L0 | L1 | cpuid_rate (base) | cpuid_rate (new) |\n"
		 "| Shadow | Shadow | 10 | 12 |\n",
		 VERDICT_FASTER, 0.2, false),
	   CLAIM_NOT_COMPARABLE, "not measured");
}

#define TABLE                                                   \
	"| L0     | L1     | cpuid_rate (base) | (patched) |\n" \
	"|--------|--------|-------------------|-----------|\n" \
	"| NPT    | NPT    | 18564   | 18588 (+0.13%)  |\n"     \
	"| NPT    | Shadow | 17685   | 17691 (+0.03%)  |\n"     \
	"| Shadow | Shadow | 17434   | 17472 (+0.22%)  |\n"     \
	"\n"                                                    \
	"Under emulation. arithoh improves by 4%.\n"

static void test_report_golden(void **state)
{
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	struct comparison rows[] = { row(0, VERDICT_SLOWER, -0.036),
				     row(1, VERDICT_FASTER, 0.004) };
	const struct claim_lab lab = { rows, 2, true, NULL };
	_cleanup_free_ struct claim_check *v = NULL;
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t nr;

	(void)state;
	claims_parse(TABLE TABLE, &c); /* cover and patch: each change once */
	v = claims_check(&c, &lab, &nr);
	report_claims(v, nr, &b);
	assert_string_equal(
		buf_str(&b),
		"claim                     claimed  measured  verdict\n"
		"cpuid_rate npt/npt        +0.13%   -3.60%    not confirmed (a)\n"
		"cpuid_rate npt/shadow     +0.03%   +0.40%    confirmed\n"
		"cpuid_rate shadow/shadow  +0.22%   n/a       not comparable (b)\n"
		"spin_rate                 +4.00%   n/a       not comparable (b)\n"
		"(a) the other direction here\n"
		"(b) not measured\n");
}

static void test_report_is_safe(void **state)
{
	_cleanup_claims_ struct claims c = CLAIMS_INIT;
	const struct claim_lab lab = { 0 };
	_cleanup_free_ struct claim_check *v = NULL;
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t nr;

	(void)state;
	claims_parse("| t | base | new |\n"
		     "| arithoh \033[31m\xc2\x9b with a very long name that goes on and "
		     "on | 1 | 2 |\n",
		     &c);
	v = claims_check(&c, &lab, &nr);
	report_claims(v, nr, &b);
	assert_int_equal(nr, 1);
	for (const char *p = buf_str(&b); *p; p++)
		assert_true(*p == '\n' || (*p >= 0x20 && *p < 0x7f));
	for (const char *line = buf_str(&b); *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 76);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_confirmed),
		cmocka_unit_test(test_not_confirmed),
		cmocka_unit_test(test_not_comparable),
		cmocka_unit_test(test_report_golden),
		cmocka_unit_test(test_report_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
