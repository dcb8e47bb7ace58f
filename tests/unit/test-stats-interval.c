// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Intervals against figures computed apart from this code (python3: statistics, normal
 * quantiles, the t distribution by numeric integration), and their promises by
 * simulation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>

#include "bench/stats/interval.h"
#include "core/base/base.h"

static struct interval logs(const double *a, size_t na, const double *b, size_t nb,
			    double min_sd)
{
	double la[8], lb[8];
	struct interval r;

	for (size_t i = 0; i < na; i++)
		la[i] = log(a[i]);
	for (size_t i = 0; i < nb; i++)
		lb[i] = log(b[i]);
	interval_of(&(struct boot_means){ la, na }, &(struct boot_means){ lb, nb },
		    &(struct known_noise){ .boot_sd = min_sd }, 0.95, &r);
	return r;
}

#define LOGS(a, b, min_sd) logs(a, ARRAY_SIZE(a), b, ARRAY_SIZE(b), min_sd)

static void near(double got, double want, double within)
{
	if (fabs(got - want) > within)
		fail_msg("%.12g is not %.12g", got, want);
}

/* change, lo, hi as fractions; p; sd */
static void check(const struct interval *r, const double want[5])
{
	assert_true(r->tested);
	near(expm1(r->diff), want[0], 1e-9);
	near(expm1(r->diff - r->half), want[1], 1e-8);
	near(expm1(r->diff + r->half), want[2], 1e-8);
	near(r->p / want[3], 1, 1e-6);
	near(r->sd, want[4], 1e-9);
}

static void test_figures(void **state)
{
	/* The tree's golden pair: +17.4 %, as the field published it. */
	static const double base[] = { 256100, 257000, 256621, 255800, 256900 };
	static const double patched[] = { 300500, 301113, 302000, 299800, 301700 };
	static const double three[] = { 100, 101, 102 }, two[] = { 95, 99 };
	struct interval r = LOGS(base, patched, 0);

	(void)state;
	check(&r, (double[]){ .173647465, .169206553, .178105244, 2.27718595e-12,
			      .00253870194 });
	r = LOGS(base, patched, 0.01); /* the floor is wider */
	check(&r, (double[]){ .173647465, .159188846, .188286426, 1.14184759e-13, .01 });
	r = LOGS(three, two, 0); /* unlike numbers, 1.16 degrees of freedom */
	check(&r, (double[]){ -.039776748, -.212868551, .171378293, .282060721,
			      .0186776555 });
}

/* What emulation gives: two boots a side that agree to 0.02 %, floor 0.05 %. */
static void test_emulated(void **state)
{
	static const double base[] = { 18531, 18530 }, same[] = { 18529, 18533 };
	static const double one_percent[] = { 18346, 18345 };
	static const double equal[] = { 18000, 18000 }, faster[] = { 18180, 18190 };
	struct interval r = LOGS(base, one_percent, 0.0005);

	(void)state;
	check(&r,
	      (double[]){ -.009983541, -.010953264, -.009012867, 1.46097416e-5, .0005 });
	r = LOGS(base, same, 0.0005);
	check(&r, (double[]){ .000026977, -.000952551, .001007466, .956972263, .0005 });
	r = LOGS(equal, faster, 0.0005); /* one side without any scatter */
	check(&r, (double[]){ .010277740, .009083265, .011473628, 7.22257502e-4, .0005 });
	r = LOGS(equal, equal, 0.0005);
	assert_true(r.tested && r.diff == 0 && r.p == 1);
	near(r.half, 1.959963985 * .0005, 1e-12);
}

static void test_degenerate(void **state)
{
	static const double one[] = { 100 }, two[] = { 100, 100 }, other[] = { 110, 110 };
	static const double apart[] = { 90, 100, 110 };
	struct interval r = LOGS(two, other, 0); /* noise not seen is not zero */

	(void)state;
	assert_true(!r.tested && isinf(r.half) && r.p == 1);
	near(r.diff, log(1.1), 1e-12);
	r = LOGS(one, other, 0);
	assert_true(!r.tested && isinf(r.half) && r.p == 1 && r.sd == 0);
	r = LOGS(one, other, 0.0005);
	assert_true(!r.tested && r.p == 1);
	near(r.half, 1.959963985 * .0005 * sqrt(1.5), 1e-12);
	r = LOGS(one, apart, 0.0005); /* scatter seen counts, floor or not */
	assert_true(!r.tested && r.half > 0.1);
	r = logs(one, 0, two, 2, 0.0005);
	assert_true(!r.tested && isinf(r.half) && r.diff == 0 && r.p == 1);
	r = logs(one, 0, two, 0, 0);
	assert_true(!r.tested && isinf(r.half));
}

/* Rounding is no scatter: equal values averaged over unlike numbers of runs. */
static void test_rounding(void **state)
{
	double a[] = { 9.8, nextafter(9.8, 10) }, b[] = { nextafter(9.8, 9), 9.8 };
	struct interval r;

	(void)state;
	interval_of(&(struct boot_means){ a, 2 }, &(struct boot_means){ b, 2 },
		    &(struct known_noise){ 0 }, 0.95, &r);
	assert_true(!r.tested && r.p == 1);
}

/* Share of trials without a difference whose interval misses zero. */
static double false_alarms(gsl_rng *rng, size_t n, double sd, double floor_sd)
{
	enum { TRIALS = 20000 };
	int alarms = 0;

	for (int t = 0; t < TRIALS; t++) {
		double a[8], b[8];
		struct interval r;

		for (size_t i = 0; i < n; i++) {
			a[i] = 9.8 + gsl_ran_gaussian(rng, sd);
			b[i] = 9.8 + gsl_ran_gaussian(rng, sd);
		}
		interval_of(&(struct boot_means){ a, n }, &(struct boot_means){ b, n },
			    &(struct known_noise){ .boot_sd = floor_sd }, 0.95, &r);
		assert_int_equal(fabs(r.diff) > r.half, r.p < 0.05);
		alarms += fabs(r.diff) > r.half;
	}
	return (double)alarms / TRIALS;
}

/* The standard error of a share of 5 % over 20000 trials is 0.15 %. */
static void test_coverage(void **state)
{
	static const double scale[] = { 1, 1.25, 1.5, 2, 3, 6, 20 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, 20250205);
	for (size_t n = 2; n <= 4; n++) {
		for (size_t k = 0; k < ARRAY_SIZE(scale); k++) {
			double f = false_alarms(rng, n, 0.0005 * scale[k], 0.0005);

			if (f > 0.05)
				fail_msg("%zu boots, scatter %g floors: %.4f", n,
					 scale[k], f);
		}
		assert_true(false_alarms(rng, n, 0.0005, 0.0005) > 0.005);
		assert_true(false_alarms(rng, n, 0.01, 0) < 0.05);
	}
	/* The figures the header gives. */
	near(false_alarms(rng, 2, 0.0005, 0.0005), 0.014, 0.004);
	near(false_alarms(rng, 2, 0.001, 0.0005), 0.037, 0.005);
	gsl_rng_free(rng);
}

/* A change of 1 % at the scatter of emulation is always seen, with two boots a side. */
static void test_power(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, 7);
	for (int t = 0; t < 2000; t++) {
		double a[2], b[2];
		struct interval r;

		for (int i = 0; i < 2; i++) {
			a[i] = gsl_ran_gaussian(rng, 0.0002);
			b[i] = log(0.99) + gsl_ran_gaussian(rng, 0.0002);
		}
		interval_of(&(struct boot_means){ a, 2 }, &(struct boot_means){ b, 2 },
			    &(struct known_noise){ .boot_sd = 0.0005 }, 0.95, &r);
		assert_true(r.diff + r.half < 0 && r.p * 3 < 0.05);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),	   cmocka_unit_test(test_emulated),
		cmocka_unit_test(test_degenerate), cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_coverage),   cmocka_unit_test(test_power),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
