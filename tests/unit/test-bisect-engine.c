// SPDX-License-Identifier: GPL-3.0-or-later
/* What the engine promises whatever the world: properties, its edges, its order of work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/bisect/bisect.h"
#include "core/bisect/random.h"

static struct bisect *new_chain(size_t nr, const struct bisect_opts *o)
{
	const struct bisect_history h = { .nr = nr };
	_cleanup_err_ struct err e = { 0 };
	struct bisect *b = NULL;

	assert_int_equal(bisect_new(&h, o, &b, &e), 0);
	return b;
}

static void tell(struct bisect *b, size_t commit, double log_rate)
{
	const double runs[] = { exp(log_rate + .002), exp(log_rate),
				exp(log_rate - .002) };
	const struct bisect_boot boot = { commit, 0, runs, 3 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(bisect_observe(b, &boot, &e), 0);
}

static double sum_of(const struct bisect *b, size_t nr)
{
	double sum = bisect_no_change(b);

	for (size_t k = 0; k < nr; k++) {
		double p = bisect_posterior(b, k);

		assert_true(p >= 0 && p <= 1);
		sum += p;
	}
	return sum;
}

static const struct {
	size_t commit;
	double y;
} boots[] = { { 0, 10 },     { 40, 9.95 },  { 40, 9.94 }, { 0, 10.01 }, { 20, 9.99 },
	      { 30, 9.952 }, { 25, 9.947 }, { 22, 10.0 }, { 23, 9.96 }, { 24, 9.95 } };

static void order_does_not_matter(void **state)
{
	struct bisect_opts o = bisect_defaults();
	struct bisect *one = new_chain(41, &o), *two = new_chain(41, &o);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		size_t back = (i * 7 + 3) % ARRAY_SIZE(boots);

		tell(one, boots[i].commit, boots[i].y);
		tell(two, boots[back].commit, boots[back].y);
	}
	for (size_t k = 0; k < 41; k++)
		assert_true(fabs(bisect_posterior(one, k) - bisect_posterior(two, k)) <
			    1e-9);
	assert_true(fabs(bisect_no_change(one) - bisect_no_change(two)) < 1e-9);
	bisect_free(one);
	bisect_free(two);
}

static void posterior_sums_to_one(void **state)
{
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = new_chain(41, &o);

	(void)state;
	assert_true(fabs(sum_of(b, 41) - 1) < 1e-9);
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		tell(b, boots[i].commit, boots[i].y);
		assert_true(fabs(sum_of(b, 41) - 1) < 1e-9);
		assert_true(bisect_posterior(b, 0) == 0);
	}
	assert_true(bisect_posterior(b, 41) == 0);
}

/* What says nothing about the change leaves the posterior as it is. */
static void uninformative_changes_nothing(void **state)
{
	const struct bisect_costs dear = { 3000, 12, 7 };
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = new_chain(41, &o);
	_cleanup_err_ struct err e = { 0 };
	double before[41];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++)
		tell(b, boots[i].commit, boots[i].y);
	for (size_t k = 0; k < 41; k++)
		before[k] = bisect_posterior(b, k);
	assert_int_equal(bisect_untestable(b, 10, BISECT_AT_L2, &e), 0);
	assert_int_equal(bisect_untestable(b, 10, BISECT_AT_BOOT, &e), 0);
	assert_int_equal(bisect_built(b, 11, &e), 0);
	assert_int_equal(bisect_set_costs(b, &dear, &e), 0);
	for (size_t k = 0; k < 41; k++)
		assert_true(before[k] == bisect_posterior(b, k));
}

/* Two branches alike, numbered either way round. */
static void equal_commits_may_be_swapped(void **state)
{
	static const size_t start[] = { 0, 0, 1, 2, 3, 4, 6 };
	static const size_t a[] = { 0, 0, 1, 2, 3, 4 };
	const struct bisect_history h = { .nr = 6, .parent_start = start, .parents = a };
	struct bisect_opts o = bisect_defaults();
	struct bisect *b[2] = { NULL, NULL };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(bisect_new(&h, &o, &b[i], &e), 0);
		tell(b[i], 0, 10);
		tell(b[i], 5, 9.9);
		tell(b[i], i ? 4 : 3, 9.9);
		tell(b[i], i ? 3 : 4, 10);
	}
	for (size_t k = 1; k < 6; k++) {
		static const size_t twin[] = { 0, 2, 1, 4, 3, 5 };

		assert_true(fabs(bisect_posterior(b[0], k) -
				 bisect_posterior(b[1], twin[k])) < 1e-12);
	}
	assert_true(bisect_posterior(b[0], 1) > .4 && bisect_posterior(b[0], 3) > .4);
	bisect_free(b[0]);
	bisect_free(b[1]);
}

static void no_rate_is_refused(void **state)
{
	const double bad[] = { 0, -1, NAN, INFINITY, -INFINITY };
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = new_chain(10, &o);
	_cleanup_err_ struct err e = { 0 };
	struct bisect_move m;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const double runs[] = { 1, bad[i] };
		const struct bisect_boot boot = { 0, 0, runs, 2 };

		err_release(&e);
		assert_true(bisect_observe(b, &boot, &e) < 0);
		assert_int_equal(e.code, ERR_USAGE);
	}
	err_release(&e);
	assert_true(bisect_observe(b, &(struct bisect_boot){ 0, 0, bad, 0 }, &e) < 0);
	err_release(&e);
	assert_true(bisect_observe(b, &(struct bisect_boot){ 10, 0, (double[]){ 1 }, 1 },
				   &e) < 0);
	err_release(&e);
	assert_true(bisect_observe_pass(b, 1, 1, 0, &e) < 0);
	err_release(&e);
	assert_true(bisect_untestable(b, 10, BISECT_AT_BUILD, &e) < 0);
	err_release(&e);
	assert_true(bisect_set_costs(b, &(struct bisect_costs){ 1, NAN, 1 }, &e) < 0);
	bisect_next(b, &m);
	assert_int_equal(m.kind, BISECT_MOVE_END);
	assert_int_equal(m.commit, 0);
	assert_true(fabs(sum_of(b, 10) - 1) < 1e-9);
}

/* The largest and the smallest rates there are: no overflow, no NaN. */
static void extreme_rates(void **state)
{
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = new_chain(10, &o);
	const double runs[] = { 1e308, 1e-308 };

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		const struct bisect_boot boot = { i % 2 ? 9 : 0, 0, &runs[i % 2], 1 };
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(bisect_observe(b, &boot, &e), 0);
		assert_true(fabs(sum_of(b, 10) - 1) < 1e-6);
	}
}

static void bad_options(void **state)
{
	const struct bisect_opts good = bisect_defaults();
	struct bisect_opts o[8];
	const struct bisect_history h = { .nr = 10 }, tiny = { .nr = 1 };
	const size_t start[] = { 0, 0, 1, 2 }, later[] = { 0, 2 };
	const struct bisect_history cycle = { .nr = 3,
					      .parent_start = start,
					      .parents = later };
	const double weight[] = { 1, NAN, 1 };
	const struct bisect_history prior = { .nr = 3, .weight = weight };
	_cleanup_err_ struct err e = { 0 };
	struct bisect *b = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(o); i++)
		o[i] = good;
	o[0].min_sd = 0;
	o[1].min_effect = NAN;
	o[2].confidence = 1;
	o[3].confidence = 0.3;
	o[4].end_boots = 0;
	o[5].costs.boot = 0;
	o[6].build_sd = NAN;
	o[7].max_seconds = -1;
	for (size_t i = 0; i < ARRAY_SIZE(o); i++) {
		err_release(&e);
		assert_true(bisect_new(&h, &o[i], &b, &e) < 0);
		assert_int_equal(e.code, ERR_USAGE);
	}
	err_release(&e);
	assert_true(bisect_new(&tiny, &good, &b, &e) < 0);
	err_release(&e);
	assert_true(bisect_new(&cycle, &good, &b, &e) < 0);
	err_release(&e);
	assert_true(bisect_new(&prior, &good, &b, &e) < 0);
	assert_null(b);
	assert_string_equal(bisect_verdict_name(BISECT_NO_CHANGE), "no-change");
}

static void ends_come_first_in_turn(void **state)
{
	const size_t want[] = { 0, 9, 9, 0 };
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = new_chain(10, &o);
	struct bisect_cost_plan plan;
	size_t ahead[3], nr;
	struct bisect_move m;

	(void)state;
	bisect_plan(b, .05, &plan);
	assert_true(plan.boots >= 4 + 3 && plan.boots < 60);
	assert_true(plan.builds >= 5 && plan.seconds > plan.builds * o.costs.build);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		bisect_next(b, &m);
		assert_int_equal(m.kind, BISECT_MOVE_END);
		assert_int_equal(m.commit, want[i]);
		assert_int_equal(m.runs, o.end_runs);
		tell(b, m.commit, m.commit ? 9.9 : 10);
	}
	bisect_next(b, &m);
	assert_int_equal(m.kind, BISECT_MOVE_COMMIT);
	assert_in_range(m.commit, 3, 6);
	nr = bisect_ahead(b, ahead, ARRAY_SIZE(ahead));
	assert_in_range(nr, 1, 3);
	assert_int_equal(ahead[0], m.commit);
}

/* A kernel at hand is booted before a better placed one that has to be built. */
static void built_is_cheaper(void **state)
{
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct bisect_move m;

	(void)state;
	o.costs.build = 3000;
	b = new_chain(101, &o);
	assert_int_equal(bisect_built(b, 40, &e), 0);
	for (int i = 0; i < 3; i++) {
		tell(b, 0, 10);
		tell(b, 100, 9.8);
	}
	bisect_next(b, &m);
	assert_int_equal(m.commit, 40);
}

static void budget_ends_it(void **state)
{
	struct bisect_opts o = bisect_defaults();
	_cleanup_bisect_ struct bisect *b = NULL;
	struct bisect_result r;
	struct bisect_move m;

	(void)state;
	o.max_boots = 6;
	b = new_chain(65, &o);
	for (int i = 0; i < 6; i++) {
		bisect_next(b, &m);
		assert_int_not_equal(m.kind, BISECT_MOVE_DONE);
		tell(b, m.commit, m.commit >= 30 ? 9.8 : 10);
	}
	bisect_next(b, &m);
	bisect_result(b, &r);
	assert_int_equal(m.kind, BISECT_MOVE_DONE);
	assert_int_equal(r.verdict, BISECT_UNDECIDED);
	assert_int_equal(r.boots, 6);
	assert_true(r.set_first <= 30 && 30 <= r.set_last);
	assert_true(r.nr_set < 45);
}

/* The state in one line, and the same again after everything was told once more. */
static void replay_is_the_same(void **state)
{
	struct bisect_opts o = bisect_defaults();
	struct bisect *one = new_chain(41, &o), *two = new_chain(41, &o);
	_cleanup_buf_ struct buf a = BUF_INIT, b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++)
		tell(one, boots[i].commit, boots[i].y);
	for (size_t i = ARRAY_SIZE(boots); i-- > 0;)
		tell(two, boots[i].commit, boots[i].y);
	bisect_dump(one, &a);
	bisect_dump(two, &b);
	assert_string_equal(buf_str(&a), buf_str(&b));
	assert_null(strchr(buf_str(&a), '\n'));
	bisect_free(one);
	bisect_free(two);
}

/* A silent target, as an emulator is: nothing but the ends and log2 n boots. */
static void without_noise(void **state)
{
	struct bisect_opts o = bisect_defaults();

	(void)state;
	o.min_sd = 5e-4;
	o.build_sd = 1.5e-4;
	for (size_t culprit = 1; culprit < 17; culprit++) {
		_cleanup_bisect_ struct bisect *b = new_chain(17, &o);
		struct bisect_result r;
		struct bisect_move m;

		for (bisect_next(b, &m); m.kind != BISECT_MOVE_DONE; bisect_next(b, &m)) {
			const double rate = m.commit >= culprit ? 19800 : 20000;
			const double runs[] = { rate, rate, rate };
			const struct bisect_boot boot = { m.commit, 0, runs, 3 };
			_cleanup_err_ struct err e = { 0 };

			assert_int_equal(bisect_observe(b, &boot, &e), 0);
		}
		bisect_result(b, &r);
		assert_int_equal(r.verdict, BISECT_FOUND);
		assert_int_equal(r.culprit, culprit);
		assert_true(r.boots <= 4 + 5);
		assert_true(r.ci_lo < -.01 && -.01 < r.ci_hi &&
			    fabs(r.step + .01) < 1e-3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(posterior_sums_to_one),
		cmocka_unit_test(uninformative_changes_nothing),
		cmocka_unit_test(equal_commits_may_be_swapped),
		cmocka_unit_test(no_rate_is_refused),
		cmocka_unit_test(extreme_rates),
		cmocka_unit_test(bad_options),
		cmocka_unit_test(ends_come_first_in_turn),
		cmocka_unit_test(built_is_cheaper),
		cmocka_unit_test(budget_ends_it),
		cmocka_unit_test(replay_is_the_same),
		cmocka_unit_test(without_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
