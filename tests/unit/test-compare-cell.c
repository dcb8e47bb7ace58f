// SPDX-License-Identifier: GPL-3.0-or-later
/* Samples to a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats/compare.h"
#include "core/base/alloc.h"

static const struct compare_opts opts = { .same_within = 0.002,
					  .noise = { .boot_sd = 0.0005 },
					  .confidence = 0.95 };

static struct sample *add(struct samples *s, const char *token, double value)
{
	struct sample *n = samples_add(s);

	n->token = xstrdup(token);
	n->benchmark = xstrdup("cpuid_rate");
	n->l0 = xstrdup("npt");
	n->l1 = xstrdup("npt");
	n->unit = xstrdup("/s");
	n->clock = xstrdup("virtual");
	n->path = xstrdup("kexec");
	n->value = value;
	n->proven = true;
	return n;
}

/* Boots of three runs each; runs of one boot are a unit apart around its value. */
static void boots(struct samples *s, const double *value, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *token = xasprintf("t%zu", i);

		for (int k = -1; k <= 1; k++)
			add(s, token, value[i] + k);
	}
}

static void set(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

static struct comparison compare(const struct samples *base,
				 const struct samples *patched,
				 const struct compare_opts *o)
{
	_cleanup_err_ struct err e = { 0 };
	struct comparison c;

	assert_int_equal(compare_cell(bench_find("cpuid_rate"), cell_at(NULL, 0), base,
				      patched, o, &c, &e),
			 0);
	return c;
}

static struct comparison two_and_two(double b1, double b2, double p1, double p2)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;

	boots(&base, (double[]){ b1, b2 }, 2);
	boots(&patched, (double[]){ p1, p2 }, 2);
	return compare(&base, &patched, &opts);
}

static void test_verdicts(void **state)
{
	struct comparison c = two_and_two(18531, 18530, 18346, 18345);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_true(fabs(c.change + .009983541) < 1e-9 && c.ci_hi < -.009);
	assert_true(fabs(c.base.value - 18530.5) < .001);
	assert_int_equal(c.base.boots, 2);
	assert_int_equal(c.base.runs, 6);
	assert_int_equal(c.needs_boots, 0);
	assert_string_equal(c.benchmark, "cpuid_rate");
	assert_string_equal(c.unit, "/s");
	assert_ptr_equal(c.cell, cell_at(NULL, 0));
	c = two_and_two(18531, 18530, 18716, 18717);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	c = two_and_two(18531, 18530, 18529, 18533);
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(c.ci_lo < 0 && c.ci_hi > 0);
	c = two_and_two(18531, 18530, 18551, 18555); /* small, but not zero */
	assert_int_equal(c.verdict, VERDICT_FASTER);
	assert_true(c.p < .05 && c.ci_lo > 0 && c.ci_hi > .002);
	c = two_and_two(18500, 18600, 18400, 18520); /* noisy */
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_true(c.needs_boots > 2 && c.needs_boots < 60);
	assert_true(c.p > .05 && c.ci_lo < 0 && c.ci_hi > 0);
}

/* A change that is certain and yet too small to matter is "same". */
static void test_too_small(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct compare_opts sharp = opts;
	struct comparison c;

	(void)state;
	sharp.noise.boot_sd = 0.0001;
	boots(&base, (double[]){ 18531, 18530 }, 2);
	boots(&patched, (double[]){ 18549, 18550 }, 2);
	c = compare(&base, &patched, &sharp);
	assert_true(c.p < .01 && c.ci_lo > 0 && c.ci_hi < .002);
	assert_int_equal(c.verdict, VERDICT_SAME);
	sharp.same_within = 0;
	assert_int_equal(compare(&base, &patched, &sharp).verdict, VERDICT_FASTER);
}

/* Ten runs a boot are one boot: more runs must not make boots that differ agree. */
static void test_boot_is_the_unit(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct comparison c;

	(void)state;
	for (int i = 0; i < 10; i++) { /* interleaved, as a campaign records them */
		add(&base, "b1", 100 + i % 2);
		add(&patched, "p1", 104 + i % 2);
		add(&base, "b2", 110 + i % 2);
		add(&patched, "p2", 112 + i % 2);
	}
	c = compare(&base, &patched, &opts);
	assert_int_equal(c.base.boots, 2);
	assert_int_equal(c.base.runs, 20);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_true(c.ci_lo < -.1 && c.ci_hi > .1);
}

/* A boot counts once however many runs it has. */
static void test_unequal_runs(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct comparison c;

	(void)state;
	add(&base, "b1", 100);
	for (int i = 0; i < 99; i++)
		add(&base, "b2", 400);
	add(&patched, "p1", 200);
	add(&patched, "p2", 200);
	c = compare(&base, &patched, &opts);
	assert_true(fabs(c.base.value - 200) < 1e-9 && fabs(c.change) < 1e-12);
	assert_int_equal(c.base.runs, 100);
}

static void test_left_out(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct comparison c;

	(void)state;
	boots(&base, (double[]){ 18531, 18530 }, 2);
	boots(&patched, (double[]){ 18529, 18533 }, 2);
	add(&patched, "t9", 9000)->proven = false;
	set(&add(&patched, "t9", 9000)->l1, "shadow");
	set(&add(&patched, "t9", 9000)->l0, "shadow");
	set(&add(&patched, "t9", 9000)->benchmark, "cpuid_rate2");
	set(&add(&patched, "t9", 0)->benchmark, "other");
	set(&add(&patched, "t9", 0)->token, "");
	patched.v[patched.nr - 1].proven = false;
	free(add(&patched, "t9", 9000)->token); /* proven by what boot? */
	patched.v[patched.nr - 1].token = NULL;
	c = compare(&base, &patched, &opts);
	assert_int_equal(c.patched.boots, 2);
	assert_int_equal(c.patched.runs, 6);
	assert_int_equal(c.verdict, VERDICT_SAME);
}

static void test_few_boots(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	_cleanup_samples_ struct samples none = SAMPLES_INIT;
	struct compare_opts no_floor = opts;
	struct comparison c;

	(void)state;
	no_floor.noise.boot_sd = 0;
	boots(&base, (double[]){ 18531 }, 1);
	boots(&patched, (double[]){ 20000 }, 1);
	c = compare(&base, &patched, &opts);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_int_equal(c.needs_boots, 2);
	assert_true(c.p == 1 && c.ci_lo < c.change && c.change < c.ci_hi);
	assert_true(fabs(log1p(c.ci_hi) - log1p(c.ci_lo) -
			 2 * 1.959963985 * .0005 * sqrt(2)) < 1e-9);
	c = compare(&base, &patched, &no_floor);
	assert_true(c.ci_lo == -1 && isinf(c.ci_hi) && c.p == 1);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_int_equal(c.needs_boots, 2);
	c = compare(&base, &none, &opts);
	assert_true(c.change == 0 && c.patched.value == 0 && isinf(c.ci_hi));
	assert_int_equal(c.patched.boots, 0);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	c = compare(&none, &none, &no_floor);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
}

/* Sides without scatter, equal or not, and no floor to judge them by. */
static void test_no_scatter(void **state)
{
	_cleanup_samples_ struct samples a = SAMPLES_INIT, b = SAMPLES_INIT;
	struct compare_opts no_floor = opts;
	struct comparison c;

	(void)state;
	no_floor.noise.boot_sd = 0;
	boots(&a, (double[]){ 18000, 18000 }, 2);
	boots(&b, (double[]){ 20000, 20000 }, 2);
	c = compare(&a, &b, &no_floor);
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_int_equal(c.needs_boots, 0);
	assert_true(c.p == 1);
	assert_int_equal(compare(&a, &b, &opts).verdict, VERDICT_FASTER);
	c = compare(&a, &a, &opts);
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(c.change == 0 && c.p == 1);
	/* Equal sides are no reason for "same" when the floor allows more. */
	c = compare(&a, &a,
		    &(struct compare_opts){ .same_within = .002,
					    .noise = { .boot_sd = .01 },
					    .confidence = .95 });
	assert_int_equal(c.verdict, VERDICT_UNDECIDED);
	assert_true(c.needs_boots > 100);
}

static void refused(struct samples *base, const struct samples *patched,
		    const struct compare_opts *o, const char *why)
{
	_cleanup_err_ struct err e = { 0 };
	struct comparison c = { .needs_boots = 77 };

	assert_int_equal(compare_cell(bench_find("cpuid_rate"), cell_at(NULL, 0), base,
				      patched, o, &c, &e),
			 -ERR_USAGE);
	assert_int_equal(c.needs_boots, 77);
	assert_non_null(strstr(e.frame[0], why));
	samples_release(base);
	boots(base, (double[]){ 18531, 18530 }, 2);
}

static void test_refused(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;

	(void)state;
	boots(&base, (double[]){ 18531, 18530 }, 2);
	boots(&patched, (double[]){ 18529, 18533 }, 2);
	set(&base.v[3].unit, "cycles");
	refused(&base, &patched, &opts, "'cycles'");
	set(&base.v[3].clock, "host");
	refused(&base, &patched, &opts, "unlike clocks");
	for (size_t i = 0; i < base.nr; i++)
		set(&base.v[i].clock, "host");
	refused(&base, &patched, &opts, "'host' and 'virtual'");
	for (size_t i = 0; i < base.nr; i++)
		set(&base.v[i].clock, "virtual");
	set(&base.v[3].path, "firmware");
	refused(&base, &patched, &opts, "unlike paths, 'kexec' and 'firmware'");
	for (size_t i = 0; i < base.nr; i++)
		set(&base.v[i].path, "firmware");
	refused(&base, &patched, &opts, "'firmware' and 'kexec'");
	for (size_t i = 0; i < base.nr; i++)
		set(&base.v[i].path, "kexec");
	base.v[2].value = 0;
	refused(&base, &patched, &opts, "value 0");
	base.v[2].value = -18531;
	refused(&base, &patched, &opts, "value -18531");
	base.v[2].value = NAN;
	refused(&base, &patched, &opts, "value nan");
	free(base.v[0].clock);
	base.v[0].clock = NULL;
	refused(&base, &patched, &opts, "unlike clocks");
	refused(&base, &patched,
		&(struct compare_opts){
			.same_within = -1, .noise = { .boot_sd = 0 }, .confidence = .95 },
		"-1");
	refused(&base, &patched,
		&(struct compare_opts){
			.same_within = 0, .noise = { .boot_sd = -1 }, .confidence = .95 },
		"-1");
	refused(&base, &patched,
		&(struct compare_opts){ .same_within = 0,
					.noise = { .boot_sd = NAN },
					.confidence = .95 },
		"nan");
	refused(&base, &patched,
		&(struct compare_opts){
			.same_within = 0, .noise = { .boot_sd = 0 }, .confidence = 1 },
		"confidence 1");
	refused(&base, &patched,
		&(struct compare_opts){
			.same_within = 0, .noise = { .boot_sd = 0 }, .confidence = NAN },
		"confidence nan");
}

/* For a benchmark that reports a duration, less is faster. */
static void test_lower_is_better(void **state)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct benchmark b = *bench_find("cpuid_rate");
	_cleanup_err_ struct err e = { 0 };
	struct comparison c;

	(void)state;
	b.higher_is_better = false;
	boots(&base, (double[]){ 18531, 18530 }, 2);
	boots(&patched, (double[]){ 18346, 18345 }, 2);
	assert_int_equal(
		compare_cell(&b, cell_at(NULL, 0), &base, &patched, &opts, &c, &e), 0);
	assert_int_equal(c.verdict, VERDICT_FASTER);
}

static void test_adjust(void **state)
{
	struct comparison rows[3] = {
		{ .p = .04, .verdict = VERDICT_SLOWER, .change = -.01, .sd = .002 },
		{ .p = .2, .verdict = VERDICT_UNDECIDED, .needs_boots = 5 },
		{ .p = .9, .verdict = VERDICT_SAME },
	};

	(void)state;
	rows[0].base.boots = rows[0].patched.boots = 2;
	compare_adjust(rows, 3, &opts);
	assert_true(fabs(rows[0].p_adj - .12) < 1e-12 && rows[0].p == .04);
	assert_int_equal(rows[0].verdict, VERDICT_UNDECIDED);
	assert_true(rows[0].needs_boots > 2 && rows[0].needs_boots < 10);
	assert_int_equal(rows[1].needs_boots, 5);
	assert_int_equal(rows[2].verdict, VERDICT_SAME);
	rows[0].p = .01;
	rows[0].verdict = VERDICT_SLOWER;
	compare_adjust(rows, 3, &opts);
	assert_int_equal(rows[0].verdict, VERDICT_SLOWER);
	compare_adjust(rows, 0, &opts);
	assert_string_equal(verdict_name(rows[0].verdict), "slower");
	assert_string_equal(verdict_name(VERDICT_FASTER), "faster");
	assert_string_equal(verdict_name(VERDICT_SAME), "same");
	assert_string_equal(verdict_name(VERDICT_UNDECIDED), "undecided");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_too_small),
		cmocka_unit_test(test_boot_is_the_unit),
		cmocka_unit_test(test_unequal_runs),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_few_boots),
		cmocka_unit_test(test_no_scatter),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_lower_is_better),
		cmocka_unit_test(test_adjust),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
