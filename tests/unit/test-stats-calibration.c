// SPDX-License-Identifier: GPL-3.0-or-later
/* Variance components: by hand, by simulation, and into the store and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats/calibration.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/run.h"

static void add(struct samples *s, unsigned int boot, double value)
{
	struct sample *n = samples_add(s);

	n->token = xasprintf("t%u", boot);
	n->benchmark = xstrdup("cpuid_rate");
	n->l0 = xstrdup("npt");
	n->l1 = xstrdup("npt");
	n->unit = xstrdup("/s");
	n->clock = xstrdup("virtual");
	n->path = xstrdup("kexec");
	n->value = value;
	n->proven = true;
}

static int calibrate(const struct samples *layouts, size_t nr, struct calibration *ret,
		     struct err *e)
{
	return calibration_of(bench_find("cpuid_rate"), cell_at(NULL, 0), layouts, nr,
			      ret, e);
}

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.12g is not %.12g", got, want);
}

/* Logs by hand: boots at 0 and 2, runs 1 around; the other layout 10 higher. */
static void test_by_hand(void **state)
{
	struct samples layouts[2] = { SAMPLES_INIT, SAMPLES_INIT };
	struct calibration c;
	struct err e = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 2; i++)
		for (unsigned int boot = 0; boot < 2; boot++)
			for (int run = -1; run <= 1; run += 2)
				add(&layouts[i], boot, exp(10.0 * i + 2.0 * boot + run));
	assert_int_equal(calibrate(layouts, 2, &c, &e), 0);
	assert_int_equal(c.layouts, 2);
	assert_int_equal(c.boots, 4);
	assert_int_equal(c.runs, 8);
	assert_int_equal(c.run_df, 4);
	assert_int_equal(c.boot_df, 2);
	assert_int_equal(c.build_df, 1);
	near(c.run_sd, sqrt(8.0 / 4), 1e-12);
	near(c.boot_sd, sqrt(4.0 / 2), 1e-12);
	near(c.build_sd, sqrt(50 - 2.0 / 2), 1e-12);
	near(log(c.value), 6, 1e-12);
	/* One layout: nothing is known of builds. */
	assert_int_equal(calibrate(layouts, 1, &c, &e), 0);
	assert_int_equal(c.build_df, 0);
	near(c.build_sd, 0, 0);
	for (size_t i = 0; i < 2; i++)
		samples_release(&layouts[i]);
}

static void test_bad(void **state)
{
	struct samples layouts[2] = { SAMPLES_INIT, SAMPLES_INIT };
	struct calibration c = { .boots = 77 };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(calibrate(layouts, 0, &c, &e), -ERR_UNDECIDED);
	err_release(&e);
	add(&layouts[0], 0, 100);
	add(&layouts[0], 0, 110);
	add(&layouts[1], 1, 100);
	assert_int_equal(calibrate(layouts, 2, &c, &e), -ERR_UNDECIDED);
	assert_non_null(strstr(e.frame[0], "2 boots of 2 builds"));
	err_release(&e);
	add(&layouts[1], 2, NAN);
	assert_int_equal(calibrate(layouts, 2, &c, &e), -ERR_USAGE);
	err_release(&e);
	assert_int_equal(c.boots, 77);
	layouts[1].v[1].value = 100; /* all equal: boots no better than their runs */
	assert_int_equal(calibrate(layouts, 2, &c, &e), 0);
	assert_true(c.boot_sd > 0 && c.boot_df == 1 && c.run_df == 1);
	layouts[0].v[1].value = 100;
	assert_int_equal(calibrate(layouts, 2, &c, &e), 0);
	assert_true(c.run_sd == 0 && c.boot_sd == 0 && c.build_sd == 0);
	for (size_t i = 0; i < 2; i++)
		samples_release(&layouts[i]);
}

/* 400 calibrations of 3 x 5 x 10: the components come back without bias. */
static void test_world(void **state)
{
	enum { TRIALS = 400, LAYOUTS = 3, BOOTS = 5, RUNS = 10 };
	struct samples layouts[LAYOUTS] = { SAMPLES_INIT, SAMPLES_INIT, SAMPLES_INIT };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double run = 0, boot = 0, build = 0;
	struct err e = { 0 };

	(void)state;
	gsl_rng_set(rng, 20250205);
	for (size_t i = 0; i < LAYOUTS; i++)
		for (unsigned int k = 0; k < BOOTS * RUNS; k++)
			add(&layouts[i], k / RUNS, 1);
	for (int t = 0; t < TRIALS; t++) {
		struct calibration c;

		for (size_t i = 0; i < LAYOUTS; i++) {
			double y = 10 + gsl_ran_gaussian(rng, 0.02), b = 0;

			for (size_t k = 0; k < BOOTS * RUNS; k++) {
				if (k % RUNS == 0)
					b = y + gsl_ran_gaussian(rng, 0.01);
				layouts[i].v[k].value =
					exp(b + gsl_ran_gaussian(rng, 0.03));
			}
		}
		assert_int_equal(calibrate(layouts, LAYOUTS, &c, &e), 0);
		run += c.run_sd * c.run_sd / TRIALS;
		boot += c.boot_sd * c.boot_sd / TRIALS;
		build += c.build_sd * c.build_sd / TRIALS;
	}
	near(sqrt(run), 0.03, 0.0003);
	near(sqrt(boot), sqrt(1e-4 + 9e-4 / RUNS), 0.0015); /* the floor lifts some */
	near(sqrt(build), 0.02, 0.002);
	for (size_t i = 0; i < LAYOUTS; i++)
		samples_release(&layouts[i]);
	gsl_rng_free(rng);
}

static const struct measured npt = { "qemu", "tcg", "kexec", "cpuid_rate",
				     "npt",  "npt", "--x" };

static void add_samples(struct store *store, struct run *run, const char *token,
			const char *build, const char *held)
{
	struct oid tree = { "2222222222222222222222222222222222222222" };
	struct boot_record boot = { .tree = tree,
				    .target = (char *)"qemu",
				    .accel = (char *)"tcg",
				    .path = (char *)"kexec",
				    .token = (char *)token,
				    .build_id = (char *)build,
				    .status = (char *)"ok",
				    .proven = true };
	struct sample s = { .token = (char *)token,
			    .tree = tree,
			    .benchmark = (char *)"cpuid_rate",
			    .value = 5,
			    .proven = true };
	struct err e = { 0 };

	assert_int_equal(store_add_boot(store, run_id(run), &boot, &e), 0);
	assert_int_equal(store_add_sample(store, run_id(run), &s, &e), 0);
	s.ordinal = 1;
	s.proven = false;
	assert_int_equal(store_add_sample(store, run_id(run), &s, &e), 0);
	if (held)
		assert_int_equal(store_add_held(store, token, held, &e), 0);
}

static void check_like(struct store *store, struct run *run)
{
	struct oid tree = { "2222222222222222222222222222222222222222" };
	struct boots_like like = {
		&tree, "b1", "qemu", "tcg", "kexec", "cpuid_rate", "h1"
	};
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	struct err e = { 0 };

	add_samples(store, run, "t1", "b1", "h1");
	add_samples(store, run, "t2", "b2", "h1"); /* another binary of the tree */
	add_samples(store, run, "t3", "b1", "h2"); /* another L1 */
	add_samples(store, run, "t4", "b1", NULL); /* nobody knows */
	add_samples(store, run, "t5", "b1", "h1");
	assert_int_equal(store_samples_like(store, &like, &s, &e), 0);
	assert_int_equal(s.nr, 2);
	assert_string_equal(s.v[0].token, "t1");
	assert_string_equal(s.v[1].token, "t5");
	like.path = "firmware";
	assert_int_equal(store_samples_like(store, &like, &s, &e), 0);
	assert_int_equal(s.nr, 2);
}

static void test_store(void **state)
{
	char *home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	struct calibration in = { 3,   15, 150, 18531, .0001, .0002, .00005,
				  135, 12, 2,	7.5,   99,    NULL };
	struct calibration out = { 0 };
	struct measured other = npt;
	struct strv argv = STRV_INIT;
	struct store *store;
	struct err e = { 0 };
	struct run *run;

	(void)state;
	assert_non_null(mkdtemp(home));
	setenv("KILN_HOME", home, 1);
	strv_add(&argv, "bench");
	assert_int_equal(store_open(&store, &e), 0);
	assert_int_equal(run_create(store, "bench", &argv, &run, &e), 0);
	assert_int_equal(store_calibration(store, &npt, &out, &e), 0);
	assert_int_equal(store_add_calibration(store, run_id(run), &npt, &in, &e), 0);
	in.boot_sd = 1; /* the same again is a no-op */
	assert_int_equal(store_add_calibration(store, run_id(run), &npt, &in, &e), 0);
	assert_int_equal(store_calibration(store, &npt, &out, &e), 1);
	assert_string_equal(out.run, run_id(run));
	assert_true(out.boot_sd == .0002 && out.build_sd == .00005 && out.value == 18531);
	assert_true(out.boot_df == 12 && out.boots == 15 && out.seconds == 7.5);
	calibration_release(&out);
	other.params = "--y";
	assert_int_equal(store_calibration(store, &other, &out, &e), 0);
	check_like(store, run);
	run_free(run);
	store_free(store);
	strv_release(&argv);
	assert_int_equal(fs_remove_tree(home, &e), 0);
	free(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_world),
		cmocka_unit_test(test_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
