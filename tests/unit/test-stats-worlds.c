// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The promises of a comparison, in worlds whose truth is known. Fixed seeds: a share is
 * the same in every run, and its bound leaves room for two standard errors where the
 * promise is met with equality. The larger run is tests/bench/stats-worlds.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/base.h"
#include "stats-world.h"

static struct stats_world world(size_t boots, size_t runs)
{
	return (struct stats_world){ .boot_sd = 0.01,
				     .run_sd = 0.01,
				     .boots = boots,
				     .runs = runs,
				     .o = { .same_within = 1e-9, .confidence = 0.95 },
				     .trials = 700,
				     .seed = 20250205 };
}

static void at_most(double got, double want, const char *what, size_t boots, size_t runs)
{
	if (!(got <= want))
		fail_msg("%s: %.4f with %zu boots of %zu runs, not %.4f", what, got,
			 boots, runs, want);
}

/* One look: Welch below 4 boots, ranks above, calibrated, whatever runs there are. */
static void test_alike(void **state)
{
	static const size_t boots[] = { 2, 3, 4, 8 }, runs[] = { 1, 20 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(runs); k++) {
			struct stats_world w = world(boots[i], runs[k]);
			double v = 1e-4 + 1e-4 / (double)w.runs;
			struct stats_tally t = stats_world_run(&w);

			at_most(t.differs, 0.05 + 0.016, "false alarms", w.boots, w.runs);
			at_most(1 - t.covers, 0.066, "misses", w.boots, w.runs);
			w.o.noise = (struct known_noise){ .boot_sd = sqrt(v) };
			t = stats_world_run(&w);
			at_most(t.differs, 0.05, "false alarms, told", w.boots, w.runs);
			at_most(1 - t.covers, 0.05, "misses, told", w.boots, w.runs);
			w.o.noise.boot_df = 4; /* by five boots, each time anew */
			w.drawn = true;
			t = stats_world_run(&w);
			at_most(t.differs, 0.05, "false alarms, calibrated", w.boots,
				w.runs);
		}
	}
}

/* A look after every pair: a p of any look that is small enough is an alarm. */
static void test_any_look(void **state)
{
	static const size_t runs[] = { 1, 20 };

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(runs); k++) {
		struct stats_world w = world(20, runs[k]);
		double v = 1e-4 + 1e-4 / (double)w.runs;
		struct stats_tally t;

		w.o.sequential = true;
		t = stats_world_run(&w);
		at_most(t.differs, 0.05, "false alarms", w.boots, w.runs);
		at_most(1 - t.covers, 0.05, "misses", w.boots, w.runs);
		w.o.noise = (struct known_noise){ .boot_sd = sqrt(v) };
		t = stats_world_run(&w);
		at_most(t.differs, 0.05, "false alarms, told", w.boots, w.runs);
	}
}

/* More boots show more, and what they show has the right sign. */
static void test_power(void **state)
{
	static const size_t boots[] = { 3, 5, 10 };
	static const double least[] = { 0.5, 0.9, 0.999 };
	double last = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		struct stats_world w = world(boots[i], 5);
		struct stats_tally t;

		w.effect = 0.03;
		t = stats_world_run(&w);
		assert_true(t.differs >= least[i] && t.differs >= last);
		assert_true(t.wrong == 0 && t.covers >= 0.93);
		last = t.differs;
	}
}

static void test_sequence_power(void **state)
{
	struct stats_world w = world(20, 5);
	struct stats_tally t;

	(void)state;
	w.o.sequential = true;
	w.effect = -0.03;
	t = stats_world_run(&w);
	assert_true(t.differs >= 0.99 && t.wrong == 0);
	w.effect = 0;
	w.o.same_within = 0.02;
	t = stats_world_run(&w);
	assert_true(t.same > 0.5);
	at_most(t.differs, 0.05, "false alarms", w.boots, w.runs);
}

/* 5 % of runs slowed by 10 % on average: sure of less, wrong no more often. */
static void test_outliers(void **state)
{
	static const size_t boots[] = { 2, 4, 6 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		struct stats_world w = world(boots[i], 5);
		struct stats_tally t;

		w.outliers = 0.05;
		t = stats_world_run(&w);
		at_most(t.differs, 0.05 + 0.016, "false alarms", w.boots, w.runs);
		w.effect = 0.05;
		t = stats_world_run(&w);
		assert_true(t.wrong < 0.01);
	}
}

/* A target that repeats to the digit: nothing is sure without a calibration, and no
 * interval is narrower than one allows. */
static void test_no_variance(void **state)
{
	struct stats_world w = world(2, 5);
	struct stats_tally t;

	(void)state;
	w.boot_sd = w.run_sd = 0;
	w.effect = 0.002;
	assert_true(stats_world_run(&w).differs == 0);
	w.o.noise = (struct known_noise){ 0.0002, 4, 0, 0 };
	t = stats_world_run(&w);
	assert_true(t.differs > 0.999 && t.wrong == 0);
	w.o.noise.boot_sd = 0.002;
	assert_true(stats_world_run(&w).differs == 0);
	w.effect = 0;
	w.o.noise.boot_sd = 0.0002;
	w.o.same_within = 0.002;
	assert_true(stats_world_run(&w).same > 0.999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alike),	 cmocka_unit_test(test_any_look),
		cmocka_unit_test(test_power),	 cmocka_unit_test(test_sequence_power),
		cmocka_unit_test(test_outliers), cmocka_unit_test(test_no_variance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
