// SPDX-License-Identifier: GPL-3.0-or-later
/* Claims in sentences. */
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

static struct claims parse(const char *text)
{
	struct claims c = CLAIMS_INIT;

	claims_parse(text, &c);
	return c;
}

/* The text makes one claim: of metric, worth effect (NAN: no usable one), in a sense. */
static void one(const char *text, const char *metric, double effect, int sense)
{
	_cleanup_claims_ struct claims c = parse(text);
	double got = NAN, half;

	assert_int_equal(c.nr, 1);
	assert_string_equal(c.v[0].metric, metric);
	claim_effect(&c.v[0], &got, &half);
	if (isnan(effect))
		assert_true(isnan(got));
	else
		assert_true(fabs(got - effect) < 0.0001);
	assert_int_equal(claim_sense(&c.v[0]), sense);
}

static void silent(const char *text)
{
	_cleanup_claims_ struct claims c = parse(text);

	if (c.nr)
		print_message("'%s': metric '%s'\n", text, c.v[0].metric);
	assert_int_equal(c.nr, 0);
}

static void test_improves_by(void **state)
{
	(void)state;
	/* what is better is not said, so neither is the sign */
	one("This improves nested boot time by 4%.", "nested boot time", NAN, 1);
	one("This improves the latency of\na hypercall by 4%.", "latency of a hypercall",
	    -0.04, 1);
	one("Throughput improved by 12.5 percent.", "Throughput", 0.125, 1);
	one("That regresses IPI latency by 7%.", "IPI latency", 0.07, -1);
	one("It reduces the number of exits by 70.3%.", "number of exits", -0.703, 0);
	one("the throughput drops by 8%.", "throughput", -0.08, -1);
}

static void test_percent_noun(void **state)
{
	(void)state;
	one("an overall ~4% improvement of netperf throughput.", "netperf throughput",
	    0.04, 1);
	one("noticed a -3.2% regression of some-test.ops on:", "some-test.ops", -0.032,
	    -1);
	one("caused a ~6% performance drop.", "performance", -0.06, 0);
	one("the number of wakeups is 12.5% lesser than\nbefore", "number of wakeups",
	    -0.125, 0);
	one("an improvement of 5% in throughput", "throughput", 0.05, 1);
}

static void test_from_to(void **state)
{
	(void)state;
	one("The latency rose from ~12ms to ~30ms.", "latency", 1.5, -1);
	one("cpuid_rate went from 200000 to 230000 (+15%).", "cpuid_rate", 0.15, 1);
	one("cpuid_rate: 200000 -> 230000 (+15.0%)", "cpuid_rate", 0.15, 1);
	one("It reduces the number of exits by 75%, from 400 to 100.", "number of exits",
	    -0.75, 0);
}

static void test_ratio(void **state)
{
	(void)state;
	one("hackbench is 1.5x faster.", "hackbench", 0.5, 1);
	one("It gives a 2x speedup of fork().", "fork()", 1.0, 1);
	one("That reduces exits by 4x.", "exits", -0.75, 0);
}

static void test_arithmetic_of_sentences(void **state)
{
	_cleanup_claims_ struct claims wrong =
		parse("The throughput went from 1000 to 1200 ops/s, a 25% improvement.");
	_cleanup_claims_ struct claims speed =
		parse("It runs 25% faster: runtime goes from 100 s to 80 s.");
	_cleanup_claims_ struct claims sign =
		parse("The runtime drops by 10% from 100 s to 110 s.");

	(void)state;
	assert_int_equal(wrong.nr, 1);
	assert_int_equal(wrong.v[0].arithmetic, CLAIM_WRONG);
	assert_int_equal(speed.nr, 1);
	assert_int_equal(speed.v[0].arithmetic, CLAIM_SPEED);
	assert_int_equal(sign.nr, 1);
	assert_int_equal(sign.v[0].arithmetic, CLAIM_WRONG_SIGN);
}

static void test_circumstances(void **state)
{
	_cleanup_claims_ struct claims up =
		parse("Up to 30% faster page faults (average of 5 runs).");
	_cleanup_claims_ struct claims lab =
		parse("Line\n\nOn a Genoa box exits get 5% faster.  Under QEMU TCG too.");

	(void)state;
	assert_true(up.v[0].change_approx);
	assert_int_equal(up.v[0].runs, 5);
	assert_int_equal(lab.v[0].line, 3);
	assert_true(lab.v[0].emulated);
}

static void test_no_claims(void **state)
{
	(void)state;
	silent("Bump the version from 5 to 8.");
	silent("Increase the buffer from 16 to 32 entries.");
	silent("Raise the timeout from 1s to 5s.");
	silent("98% of machines have it.");
	silent("It is not 100% alike, but 80% of the time nobody minds.");
	silent("There is no regression above 1%.");
	silent("That beats 2x atomic_inc().");
	silent("There are nearly 3x the number of threads.");
	silent("Rename foo.txt to foo.yaml for board5.");
	silent("Reduces overhead to 10%.");
	silent("The rate is an integer from 0 to 7.");
	silent("Exits went from 0 to 1 request.");
	silent("Changes since v1:\n - improved throughput by 5%\n");
	silent("v2 -> v3:\n- faster by 10%\n");
	silent("Fixes: 0123456789ab (\"x86: improve 5% of it\")");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_improves_by),
		cmocka_unit_test(test_percent_noun),
		cmocka_unit_test(test_from_to),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_arithmetic_of_sentences),
		cmocka_unit_test(test_circumstances),
		cmocka_unit_test(test_no_claims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
