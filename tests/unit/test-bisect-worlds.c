// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The engine in simulated worlds, small: each bound is one that a right engine keeps by a
 * wide margin, and seeds are fixed. tests/bench/simulate.sh has the figures in full.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/bisect/graph.h"
#include "core/bisect/simulate.h"
#include "core/bisect/world.h"

static struct sim_result run(const char *text)
{
	_cleanup_err_ struct err e = { 0 };
	struct sim_result r = { 0 };
	struct sim_spec s;

	assert_int_equal(sim_parse(text, &s, &e), 0);
	assert_int_equal(sim_run(&s, &r, &e), 0);
	return r;
}

static void five_percent(void **state)
{
	struct sim_result r = run("trials=20 effect=5% run-sd=1%");

	(void)state;
	assert_true(r.right >= .95 && r.right_declared >= .95);
	assert_true(r.boots <= 26 && r.builds <= 15);
	r = run("trials=20 effect=5% run-sd=3% gaussian=1");
	assert_true(r.right >= .95 && r.right_declared >= .95);
	assert_true(r.boots <= 35);
}

static void three_percent(void **state)
{
	struct sim_result r = run("trials=20 effect=3% run-sd=1% gaussian=1");

	(void)state;
	assert_true(r.right >= .9 && r.right_declared >= .95);
	assert_true(r.boots <= 60);
}

static void no_change_names_nobody(void **state)
{
	struct sim_result r = run("trials=25 changes=0 max-boots=40");

	(void)state;
	assert_true(r.declared == 0);
	assert_true(r.no_change >= .6);
}

static void two_changes(void **state)
{
	struct sim_result r = run("trials=12 n=300 changes=2 effect=-5% gaussian=1");

	(void)state;
	assert_true(r.right == 1);
	assert_true(r.second >= .6);
}

static void merges(void **state)
{
	struct sim_result r = run("trials=15 dag=13% effect=5% gaussian=1");

	(void)state;
	assert_true(r.right >= .93);
	r = run("trials=15 dag=13% effect=5% first-parent=1 gaussian=1");
	assert_true(r.right >= .93);
}

static void untestable_and_outliers(void **state)
{
	struct sim_result r = run("trials=15 untestable=20% effect=5% gaussian=1");

	(void)state;
	assert_true(r.right >= .93);
	r = run("trials=15 outliers=5% effect=5%");
	assert_true(r.right >= .93);
}

static void verified_in_fresh_layouts(void **state)
{
	struct sim_result r =
		run("trials=8 n=200 build-sd=1% effect=6% verify=1 gaussian=1");

	(void)state;
	assert_true(r.declared >= .5 && r.right_declared == 1);
	assert_true(fabs(r.verified - r.declared) < 1e-9);
}

static void predicates(void **state)
{
	struct sim_result r = run("trials=30 flaky=100%");

	(void)state;
	assert_true(r.right == 1 && r.boots <= 20);
	r = run("trials=15 n=200 flaky=50% flaky-old=0");
	assert_true(r.right >= .93 && r.right_declared >= .93);
	r = run("trials=10 flaky=100% changes=0 max-boots=60");
	assert_true(r.declared == 0);
}

static void prior_saves_boots(void **state)
{
	struct sim_result plain = run("trials=20 effect=5% gaussian=1");
	struct sim_result prior = run("trials=20 effect=5% gaussian=1 prior=20");

	(void)state;
	assert_true(prior.right >= .95);
	assert_true(prior.builds < plain.builds);
}

static void engine_beats_the_baselines(void **state)
{
	struct sim_result engine = run("trials=20 effect=3% run-sd=3% gaussian=1");
	struct sim_result git1 = run("trials=60 effect=3% run-sd=3% baseline=git1");
	struct sim_result git5 = run("trials=60 effect=3% run-sd=3% baseline=git5");
	struct sim_result bayes =
		run("trials=20 effect=3% run-sd=3% baseline=bayes stop=95%");

	(void)state;
	assert_true(git1.right < .2 && git5.right < .4);
	assert_true(git1.declared == 1 && git1.boots < 18 && git5.runs > 60);
	assert_true(engine.right >= .9 && engine.right > git5.right);
	assert_true(bayes.right >= .5 && bayes.hours > 0);
}

/* Trials do not depend on who plays them. */
static void any_number_of_workers(void **state)
{
	struct sim_result one = run("trials=10 n=200 jobs=1 gaussian=1");
	struct sim_result four = run("trials=10 n=200 jobs=4 gaussian=1");

	(void)state;
	assert_memory_equal(&one, &four, sizeof(one));
}

static void spec_is_read_back(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *a = NULL, *b = NULL;
	struct sim_spec s;

	(void)state;
	assert_int_equal(sim_parse("n=50,effect=-5%,  dag=13%,verify=1 baseline=git5 "
				   "trials=7 seed=3",
				   &s, &e),
			 0);
	a = sim_text(&s);
	assert_int_equal(sim_parse(a, &s, &e), 0);
	b = sim_text(&s);
	assert_string_equal(a, b);
	assert_non_null(strstr(a, "effect=-0.05"));
	assert_non_null(strstr(a, "baseline=git5"));
}

static void bad_specs(void **state)
{
	static const char *const bad[] = {
		"n",	   "n=1",	"n=x",		 "n=2.5",	 "effect=-1",
		"speed=3", "dag=80%",	"trials=0",	 "n=1e9",	 "boot=nan",
		"stop=1%", "changes=3", "n=2 changes=2", "baseline=cvs", "=",
		"%"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		struct sim_spec s;

		if (sim_parse(bad[i], &s, &e) >= 0)
			fail_msg("'%s' was taken", bad[i]);
		assert_int_equal(e.code, ERR_USAGE);
	}
}

/* The quick shares of a history with merges against counting ancestors one by one. */
static void shares_count_ancestors(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct sim_spec s;
	struct world w;
	double mass[300], share[300];
	size_t merges = 0, off = 0;

	(void)state;
	assert_int_equal(sim_parse("n=300 dag=13%", &s, &e), 0);
	assert_int_equal(world_init(&w, &s, 1, &e), 0);
	for (size_t k = 0; k < 300; k++)
		mass[k] = 1;
	graph_shares(&w.graph, mass, share);
	for (size_t k = 0; k < 300; k++) {
		size_t n = 0, room, nr;

		graph_ancestors(&w.graph, k, w.room);
		for (size_t i = 0; i < 300; i++)
			n += bits_has(w.room, i);
		graph_parents(&w.graph, k, &room, &nr);
		merges += nr > 1;
		off += fabs(share[k] - (double)n) > 1e-6;
	}
	assert_in_range(merges, 20, 70);
	assert_in_range(off, 0, 30);
	assert_true(fabs(share[299] - 300) < 1e-6);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_percent),
		cmocka_unit_test(three_percent),
		cmocka_unit_test(no_change_names_nobody),
		cmocka_unit_test(two_changes),
		cmocka_unit_test(merges),
		cmocka_unit_test(untestable_and_outliers),
		cmocka_unit_test(verified_in_fresh_layouts),
		cmocka_unit_test(predicates),
		cmocka_unit_test(prior_saves_boots),
		cmocka_unit_test(engine_beats_the_baselines),
		cmocka_unit_test(any_number_of_workers),
		cmocka_unit_test(spec_is_read_back),
		cmocka_unit_test(bad_specs),
		cmocka_unit_test(shares_count_ancestors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
