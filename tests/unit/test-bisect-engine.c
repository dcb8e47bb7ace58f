// SPDX-License-Identifier: GPL-3.0-or-later
/* The engine in simulated worlds with fixed seeds, and at its edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/bisect/bisect.h"

/* splitmix64: the worlds are the same on every machine. */
static uint64_t rng(uint64_t *s)
{
	uint64_t z = (*s += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static double uniform(uint64_t *s)
{
	return ((double)(rng(s) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *s)
{
	double radius = sqrt(-2 * log(uniform(s)));

	return radius * cos(2 * M_PI * uniform(s));
}

struct world {
	size_t nr, culprit, second;
	double change, change2; /* fraction from culprit on, and from second on */
	double sd;
	bool untestable[64 + 1];
	uint64_t seed;
	unsigned int boots; /* spent */
};

static double world_boot(struct world *w, size_t k)
{
	double y = log(20000);

	if (w->culprit && k >= w->culprit)
		y += log1p(w->change);
	if (w->second && k >= w->second)
		y += log1p(w->change2);
	w->boots++;
	return exp(y + w->sd * normal(&w->seed));
}

static struct bisect_result play(struct world *w, const struct bisect_opts *o)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bisect_ struct bisect *b = NULL;
	struct bisect_result res;
	unsigned int asked = 0;
	size_t k;

	assert_int_equal(bisect_new(w->nr, o, &b, &e), 0);
	while (bisect_next(b, &k)) {
		assert_true(k < w->nr);
		assert_true(++asked < 1000);
		if (w->untestable[k]) {
			double before = bisect_posterior(b, k);

			bisect_untestable(b, k);
			assert_true(fabs(before - bisect_posterior(b, k)) < 1e-12);
		} else {
			assert_int_equal(bisect_measured(b, k, world_boot(w, k), &e), 0);
		}
	}
	bisect_result(b, &res);
	assert_int_not_equal(res.verdict, BISECT_RUNNING);
	assert_true(isfinite(res.ci_lo) && isfinite(res.ci_hi));
	return res;
}

static const struct bisect_opts quiet_target = { .min_effect = 0.002,
						 .min_sd = 0.0005,
						 .confidence = 0.99,
						 .end_boots = 2,
						 .max_boots = 60 };

static struct world world_of(uint64_t seed)
{
	struct world w = { .seed = seed, .sd = 0.0005 };

	w.nr = 8 + rng(&w.seed) % 57;
	w.culprit = 1 + rng(&w.seed) % (w.nr - 1);
	w.change = rng(&w.seed) & 1 ? 0.01 : -0.01;
	return w;
}

static void always_right(void **state)
{
	unsigned int boots = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct world w = world_of(seed);
		struct bisect_result res = play(&w, &quiet_target);

		assert_int_equal(res.verdict, BISECT_FOUND);
		assert_int_equal(res.culprit, w.culprit);
		assert_true(res.confidence >= 0.99);
		assert_false(res.second_change);
		assert_true(fabs(res.change - w.change) < 0.003);
		boots += w.boots;
	}
	/* log2(64) splits, both ends and a confirmation, with little to spare */
	assert_true(boots / 200.0 < 14);
}

static void no_change_no_culprit(void **state)
{
	int refused = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct world w = world_of(seed);
		struct bisect_result res;

		w.culprit = 0;
		res = play(&w, &quiet_target);
		assert_int_not_equal(res.verdict, BISECT_FOUND);
		assert_int_not_equal(res.verdict, BISECT_SET);
		refused += res.verdict == BISECT_NO_CHANGE;
	}
	assert_true(refused >= 195);
}

/* Emulation: no noise at all, so every variance is the floor. */
static void without_noise(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct world w = world_of(seed);
		struct bisect_opts o = quiet_target;
		struct bisect_result res;

		w.sd = 0;
		o.min_sd = 1e-4;
		res = play(&w, &o);
		assert_int_equal(res.verdict, BISECT_FOUND);
		assert_int_equal(res.culprit, w.culprit);
		assert_true(w.boots <= 4 + 6);
		assert_true(res.ci_lo < w.change && w.change < res.ci_hi);
		assert_true(res.ci_hi - res.ci_lo > 2e-4);
	}
}

static void untestable_around_the_culprit(void **state)
{
	int sets = 0, found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct world w = world_of(seed);
		size_t from = w.culprit > 3 ? w.culprit - 3 : 1, first, last;
		struct bisect_result res;

		/* A broken stretch that holds the culprit, never an end. */
		for (size_t k = from; k <= w.culprit + rng(&w.seed) % 3 && k + 1 < w.nr;
		     k++)
			w.untestable[k] = true;
		for (first = w.culprit; w.untestable[first - 1];)
			first--;
		for (last = w.culprit; w.untestable[last];)
			last++;
		res = play(&w, &quiet_target);
		assert_true(res.verdict == BISECT_SET || res.verdict == BISECT_FOUND);
		assert_true(res.set_first <= w.culprit && w.culprit <= res.set_last);
		assert_int_equal(res.set_first, first);
		assert_int_equal(res.set_last, last);
		sets += res.verdict == BISECT_SET;
		found += res.verdict == BISECT_FOUND;
	}
	assert_true(sets > 150);
	assert_int_equal(sets + found, 200);
}

static void untestable_here_and_there(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct world w = world_of(seed);
		struct bisect_result res;

		for (size_t k = 1; k + 1 < w.nr; k++)
			w.untestable[k] = uniform(&w.seed) < 0.2;
		res = play(&w, &quiet_target);
		assert_true(res.verdict == BISECT_SET || res.verdict == BISECT_FOUND);
		assert_true(res.set_first <= w.culprit && w.culprit <= res.set_last);
	}
}

/* Noise a third of the effect, more than the target promised: the answer may be "cannot
 * tell", but what is declared is right. */
static void noisy_is_honest(void **state)
{
	int declared = 0, right = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct world w = world_of(seed);
		struct bisect_opts o = quiet_target;
		struct bisect_result res;

		w.sd = 0.0033;
		o.min_sd = 0.002;
		o.max_boots = 100;
		o.end_boots = 3;
		res = play(&w, &o);
		declared += res.verdict == BISECT_FOUND;
		right += res.verdict == BISECT_FOUND && res.culprit == w.culprit;
		assert_true(w.boots <= o.max_boots);
	}
	assert_true(declared >= 150);
	assert_true(right >= declared * 0.97);
}

/* One boot in the search goes wrong by as much as the change: it is found out. */
static void an_outlier_is_found_out(void **state)
{
	int wrong = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		_cleanup_err_ struct err e = { 0 };
		_cleanup_bisect_ struct bisect *b = NULL;
		struct world w = world_of(seed);
		struct bisect_result res;
		size_t k;

		w.sd = 0.001;
		assert_int_equal(bisect_new(w.nr, &quiet_target, &b, &e), 0);
		while (bisect_next(b, &k)) {
			double value = world_boot(&w, k);

			if (w.boots == 6)
				value *= k >= w.culprit ? 1 - w.change : 1 + w.change;
			assert_int_equal(bisect_measured(b, k, value, &e), 0);
		}
		bisect_result(b, &res);
		wrong += res.verdict == BISECT_FOUND && res.culprit != w.culprit;
	}
	assert_in_range(wrong, 0, 5);
}

static void two_changes_are_said(void **state)
{
	int said = 0, on_one = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct world w = world_of(seed);
		struct bisect_result res;

		w.nr = 40;
		w.culprit = 5 + rng(&w.seed) % 10;
		w.second = 20 + rng(&w.seed) % 15;
		w.change = w.change2 = -0.02;
		res = play(&w, &quiet_target);
		on_one += res.verdict == BISECT_FOUND &&
			  (res.culprit == w.culprit || res.culprit == w.second);
		said += res.second_change;
	}
	assert_int_equal(on_one, 100);
	assert_true(said >= 90);
}

static void budget_ends_it(void **state)
{
	struct world w = world_of(7);
	struct bisect_opts o = quiet_target;
	struct bisect_result res;

	(void)state;
	w.nr = 64;
	w.culprit = 30;
	o.max_boots = 6;
	res = play(&w, &o);
	assert_int_equal(res.verdict, BISECT_UNDECIDED);
	assert_int_equal(w.boots, 6);
	assert_true(res.set_first <= 30 && 30 <= res.set_last);
	assert_true(res.set_last - res.set_first < 40);
}

static void ends_come_first_in_turn(void **state)
{
	const size_t want[] = { 0, 9, 9, 0 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bisect_ struct bisect *b = NULL;
	size_t k;

	(void)state;
	assert_int_equal(bisect_new(10, &quiet_target, &b, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(bisect_next(b, &k));
		assert_int_equal(k, want[i]);
		assert_int_equal(bisect_measured(b, k, k ? 90 : 100, &e), 0);
	}
	assert_true(bisect_next(b, &k));
	assert_in_range(k, 3, 6);
}

static void two_commits(void **state)
{
	struct world w = {
		.nr = 2, .culprit = 1, .change = 0.05, .sd = 0.0005, .seed = 1
	};
	struct bisect_result res = play(&w, &quiet_target);

	(void)state;
	assert_int_equal(res.verdict, BISECT_FOUND);
	assert_int_equal(res.culprit, 1);
	assert_int_equal(w.boots, 4);
}

static void untestable_end(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bisect_ struct bisect *b = NULL;
	struct bisect_result res;
	size_t k;

	(void)state;
	assert_int_equal(bisect_new(10, &quiet_target, &b, &e), 0);
	bisect_untestable(b, 9);
	assert_false(bisect_next(b, &k));
	bisect_result(b, &res);
	assert_int_equal(res.verdict, BISECT_UNDECIDED);
}

static void no_rate_is_refused(void **state)
{
	const double bad[] = { 0, -1, NAN, INFINITY, -INFINITY };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bisect_ struct bisect *b = NULL;
	size_t k;

	(void)state;
	assert_int_equal(bisect_new(10, &quiet_target, &b, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err_release(&e);
		assert_true(bisect_measured(b, 0, bad[i], &e) < 0);
		assert_int_equal(e.code, ERR_USAGE);
	}
	assert_true(bisect_measured(b, 10, 1, &e) < 0);
	assert_true(bisect_next(b, &k));
	assert_int_equal(k, 0);
}

static void bad_options(void **state)
{
	struct bisect_opts o[] = { quiet_target, quiet_target, quiet_target,
				   quiet_target };
	_cleanup_err_ struct err e = { 0 };
	struct bisect *b = NULL;

	(void)state;
	o[0].min_sd = 0;
	o[1].min_effect = NAN;
	o[2].confidence = 1;
	o[3].confidence = 0.3;
	for (size_t i = 0; i < ARRAY_SIZE(o); i++) {
		err_release(&e);
		assert_true(bisect_new(10, &o[i], &b, &e) < 0);
		assert_int_equal(e.code, ERR_USAGE);
	}
	assert_true(bisect_new(1, &quiet_target, &b, &e) < 0);
	assert_null(b);
	assert_string_equal(bisect_verdict_name(BISECT_NO_CHANGE), "no-change");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(always_right),
		cmocka_unit_test(no_change_no_culprit),
		cmocka_unit_test(without_noise),
		cmocka_unit_test(untestable_around_the_culprit),
		cmocka_unit_test(untestable_here_and_there),
		cmocka_unit_test(noisy_is_honest),
		cmocka_unit_test(an_outlier_is_found_out),
		cmocka_unit_test(two_changes_are_said),
		cmocka_unit_test(budget_ends_it),
		cmocka_unit_test(ends_come_first_in_turn),
		cmocka_unit_test(two_commits),
		cmocka_unit_test(untestable_end),
		cmocka_unit_test(no_rate_is_refused),
		cmocka_unit_test(bad_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
