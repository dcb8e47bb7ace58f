// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Cases in which a tool or a person got a bisection wrong, by their number in the list of
 * cases ("D1" ...): what the engine answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/bisect.h"
#include "core/bisect/random.h"

#define MOST 64

/* A history with a level for each commit; nan: it cannot be tested. */
struct scene {
	struct bisect_history history;
	struct bisect_opts o;
	double level[MOST]; /* logs */
	double sd;
	uint64_t seed;
	struct bisect *b;
	struct bisect_result r;
	unsigned int told[MOST];
};

static struct scene scene(size_t nr)
{
	struct scene s = { .history = { .nr = nr }, .o = bisect_defaults(), .sd = .002 };

	s.seed = 1;
	s.o.max_boots = 120;
	return s;
}

static void change(struct scene *s, size_t from, double by)
{
	for (size_t k = from; k < s->history.nr; k++)
		s->level[k] += log1p(by);
}

static void boot(struct scene *s, const struct bisect_move *m)
{
	_cleanup_free_ double *runs = xcalloc(m->runs, sizeof(*runs));
	const struct bisect_boot boot = { m->commit, m->layout, runs, m->runs };
	double y = s->level[m->commit] + s->sd * random_normal(&s->seed);
	_cleanup_err_ struct err e = { 0 };

	if (isnan(s->level[m->commit])) {
		assert_int_equal(bisect_untestable(s->b, m->commit, BISECT_AT_BOOT, &e),
				 0);
		return;
	}
	for (unsigned int i = 0; i < m->runs; i++)
		runs[i] = exp(10 + y + s->sd / 2 * random_normal(&s->seed));
	s->told[m->commit]++;
	assert_int_equal(bisect_observe(s->b, &boot, &e), 0);
}

static void begin(struct scene *s)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(bisect_new(&s->history, &s->o, &s->b, &e), 0);
}

static void go_on(struct scene *s)
{
	struct bisect_move m;

	for (bisect_next(s->b, &m); m.kind != BISECT_MOVE_DONE; bisect_next(s->b, &m))
		boot(s, &m);
	bisect_result(s->b, &s->r);
}

static void play(struct scene *s)
{
	begin(s);
	go_on(s);
}

static void found(const struct scene *s, size_t culprit)
{
	assert_int_equal(s->r.verdict, BISECT_FOUND);
	assert_int_equal(s->r.culprit, culprit);
	assert_int_equal(s->r.nr_set, 1);
	assert_true(s->r.confidence >= s->o.confidence);
}

static void set_is(const struct scene *s, size_t first, size_t last)
{
	assert_int_equal(s->r.verdict, BISECT_SET);
	assert_int_equal(s->r.set_first, first);
	assert_int_equal(s->r.set_last, last);
	assert_int_equal(s->r.nr_set, last - first + 1);
}

static void d1_culprit_does_not_build(void **state)
{
	struct scene s = scene(17);

	(void)state;
	change(&s, 9, -.05);
	s.level[9] = NAN;
	play(&s);
	set_is(&s, 9, 10);
	assert_int_equal(s.r.parent, 8);
	bisect_free(s.b);
}

/* A hang (timeout's 124) or a kill (137) elsewhere is no answer, and does not stop. */
static void d2_d3_hang_elsewhere(void **state)
{
	struct scene s = scene(17);

	(void)state;
	change(&s, 12, -.05);
	s.level[8] = NAN;
	play(&s);
	found(&s, 12);
	bisect_free(s.b);
}

/* One of the two, and the other one said; also two that cost only together (D41). */
static void d4_d41_two_changes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct scene s = scene(17);
		size_t other;

		s.seed = seed;
		s.sd = .01;
		change(&s, 5, -.1);
		change(&s, 12, -.1);
		play(&s);
		assert_true(s.r.verdict == BISECT_FOUND);
		assert_true(s.r.culprit == 5 || s.r.culprit == 12);
		other = s.r.culprit == 5 ? 12 : 5;
		assert_true(s.r.second_change);
		assert_true(s.r.second_first <= other && other <= s.r.second_last);
		assert_true(s.r.second_step < -.05);
		bisect_free(s.b);
	}
}

/* Neither evidence against the commit nor for it; it may still be the culprit. */
static void d5_d6_untestable_keeps_its_prior(void **state)
{
	struct scene s = scene(17);
	_cleanup_err_ struct err e = { 0 };
	double before;

	(void)state;
	change(&s, 8, -.05);
	begin(&s);
	before = bisect_posterior(s.b, 8);
	for (enum bisect_stage at = BISECT_AT_BUILD; at <= BISECT_AT_TIMEOUT; at++)
		assert_int_equal(bisect_untestable(s.b, 8, at, &e), 0);
	assert_true(bisect_posterior(s.b, 8) == before);
	s.level[8] = NAN;
	go_on(&s);
	set_is(&s, 8, 9);
	assert_true(bisect_posterior(s.b, 8) > .4);
	bisect_free(s.b);
}

/*
 *	0 - 1 - 2 - 5 - 6 - 9	main line, 5 and 9 merges
 *	 \- 3 - 4 -/   /
 *	  \- 7 - 8 ---/		8 is merged by 9
 */
static const size_t dag_start[] = { 0, 0, 1, 2, 3, 4, 6, 7, 8, 9, 11 };
static const size_t dag_parents[] = { 0, 1, 0, 3, 2, 4, 5, 0, 7, 6, 8 };

static struct scene dag_scene(size_t culprit, const bool *has)
{
	struct scene s = scene(10);

	s.history.parent_start = dag_start;
	s.history.parents = dag_parents;
	for (size_t k = 0; k < 10; k++)
		s.level[k] = has[k] ? -.05 : 0;
	assert_true(has[culprit]);
	return s;
}

/* By date 3 comes after 2, but does not have it: a line by date would mislead. */
static void d7_history_is_no_line(void **state)
{
	static const bool has[][10] = {
		[2] = { [2] = 1, [5] = 1, [6] = 1, [9] = 1 },
		[3] = { [3] = 1, [4] = 1, [5] = 1, [6] = 1, [9] = 1 },
		[5] = { [5] = 1, [6] = 1, [9] = 1 },
		[7] = { [7] = 1, [8] = 1, [9] = 1 },
		[9] = { [9] = 1 },
	};

	(void)state;
	for (size_t k = 1; k < 10; k++) {
		for (int first_parent = 0; k < ARRAY_SIZE(has) && first_parent < 2;
		     first_parent++) {
			struct scene s;

			if (!has[k][k])
				continue;
			s = dag_scene(k, has[k]);
			s.history.first_parent = first_parent;
			play(&s);
			found(&s, k);
			bisect_free(s.b);
		}
	}
}

/* With --first-parent a side branch is booted only when its merge has been found. */
static void first_parent_descends_when_it_must(void **state)
{
	static const bool at_6[10] = { [6] = 1, [9] = 1 };
	static const bool at_8[10] = { [8] = 1, [9] = 1 };
	struct scene s = dag_scene(6, at_6);

	(void)state;
	s.history.first_parent = true;
	play(&s);
	found(&s, 6);
	assert_int_equal(s.told[3] + s.told[4] + s.told[7] + s.told[8], 0);
	bisect_free(s.b);
	s = dag_scene(8, at_8);
	s.history.first_parent = true;
	play(&s);
	found(&s, 8);
	assert_int_equal(s.told[3] + s.told[4], 0);
	bisect_free(s.b);
}

static void d9_parent_is_measured(void **state)
{
	double weight[17];

	(void)state;
	for (size_t culprit = 1; culprit < 17; culprit++) {
		struct scene s = scene(17);

		for (size_t k = 0; k < 17; k++)
			weight[k] = k == culprit ? 1e6 : 1;
		s.history.weight = weight;
		change(&s, culprit, -.05);
		play(&s);
		found(&s, culprit);
		assert_int_equal(s.r.parent, culprit - 1);
		assert_true(s.told[culprit] && s.told[culprit - 1]);
		bisect_free(s.b);
	}
}

/* A commit once falsely named: a small prior, and still found when it is the one. */
static void d14_wrong_prior_costs_boots_only(void **state)
{
	double weight[33];

	(void)state;
	for (size_t k = 0; k < 33; k++)
		weight[k] = k == 20 ? 0 : 50;
	for (size_t culprit = 19; culprit <= 21; culprit++) {
		struct scene s = scene(33);

		s.history.weight = weight;
		change(&s, culprit, -.05);
		play(&s);
		found(&s, culprit);
		bisect_free(s.b);
	}
}

/* What changed on a branch that forked before the good end is an answer, no crash. */
static void d13_d15_change_on_the_other_branch(void **state)
{
	/* 1 has no parent here: it forked off before the good end; 3 merges 2 and 0 */
	static const size_t start[] = { 0, 0, 0, 1, 3 }, parents[] = { 1, 0, 2 };
	struct scene s = scene(4);

	(void)state;
	s.history.parent_start = start;
	s.history.parents = parents;
	s.level[1] = s.level[2] = s.level[3] = -.05;
	play(&s);
	found(&s, 1);
	bisect_free(s.b);
}

/* Ten thousand runs of one boot are one boot. */
static void d16_runs_are_no_boots(void **state)
{
	struct bisect_opts o = bisect_defaults();
	const struct bisect_history h = { .nr = 3 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_bisect_ struct bisect *b = NULL;
	double *runs = xcalloc(10000, sizeof(*runs));
	uint64_t seed = 1;

	(void)state;
	assert_int_equal(bisect_new(&h, &o, &b, &e), 0);
	for (size_t k = 0; k < 3; k++) {
		const struct bisect_boot one = { k, 0, runs, 10000 };

		for (size_t i = 0; i < 10000; i++)
			runs[i] = exp(10 + (k == 1 ? .01 : 0) +
				      .001 * random_normal(&seed));
		assert_int_equal(bisect_observe(b, &one, &e), 0);
	}
	for (size_t k = 1; k < 3; k++)
		assert_true(bisect_posterior(b, k) < .9);
	assert_true(bisect_no_change(b) > .1);
	free(runs);
}

static void d10_d17_broken_range(void **state)
{
	struct scene s = scene(64);

	(void)state;
	change(&s, 24, -.05);
	for (size_t k = 10; k < 40; k++)
		s.level[k] = NAN;
	play(&s);
	set_is(&s, 10, 40);
	assert_true(s.r.boots < 30);
	bisect_free(s.b);
}

/* The last of several culprits improved the number: asked for a loss, it is not it. */
static void d18_in_the_asked_direction(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct scene s = scene(33);

		s.seed = seed;
		s.o.direction = -1;
		change(&s, 8, -.06);
		change(&s, 28, .04);
		play(&s);
		found(&s, 8);
		assert_true(s.r.step < 0);
		bisect_free(s.b);
	}
}

/* No change is an answer, with one status and no name. */
static void d19_d48_no_change(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct scene s = scene(33);

		s.seed = seed;
		play(&s);
		assert_true(s.r.verdict == BISECT_NO_CHANGE ||
			    s.r.verdict == BISECT_UNDECIDED);
		assert_int_equal(s.r.verdict, BISECT_NO_CHANGE);
		assert_int_equal(s.r.nr_set, 0);
		assert_false(s.r.second_change);
		assert_true(s.r.ci_lo < 0 && s.r.ci_hi > 0);
		bisect_free(s.b);
	}
}

/* A boot that says the opposite of the truth, ten sd off: nearly always found out. */
static void d11_d20_wrong_boot_is_found_out(void **state)
{
	size_t right = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct scene s = scene(33);
		struct bisect_move m;

		s.seed = seed;
		s.sd = .005;
		change(&s, 7 + seed * 2, -.05);
		begin(&s);
		for (int i = 0; i < 5 + (int)(seed % 4); i++) {
			bisect_next(s.b, &m);
			if (m.kind == BISECT_MOVE_COMMIT && i >= 4 + (int)(seed % 4)) {
				double y = s.level[m.commit];

				s.level[m.commit] = y < -.01 ? 0 : -.05;
				boot(&s, &m);
				s.level[m.commit] = y;
			} else {
				boot(&s, &m);
			}
		}
		go_on(&s);
		right += s.r.verdict == BISECT_FOUND && s.r.culprit == 7 + seed * 2;
		bisect_free(s.b);
	}
	assert_true(right >= 9);
}

/* 1.00, 1.04, 1.08: below a threshold of 5 % each, 8 % together, and two changes. */
static void d25_small_steps_add_up(void **state)
{
	struct scene s = scene(3);

	(void)state;
	s.o.max_boots = 30;
	change(&s, 1, .04);
	change(&s, 2, .04);
	play(&s);
	assert_true(s.r.verdict == BISECT_UNDECIDED || s.r.verdict == BISECT_FOUND);
	assert_true(s.r.second_change);
	assert_true(fabs(s.r.change - .08) < .01);
	bisect_free(s.b);
}

/* Patches 1 to 12 only prepare, 13 makes the change. */
static void d42_last_patch_of_a_series(void **state)
{
	struct scene s = scene(14);

	(void)state;
	change(&s, 13, .173);
	play(&s);
	found(&s, 13);
	assert_true(fabs(s.r.step - .173) < .02);
	bisect_free(s.b);
}

/* Fresh layouts of culprit and parent disagree with the bisection: nothing is named. */
static void d39_layout_is_no_change(void **state)
{
	struct scene s = scene(9);
	unsigned int verified = 0;
	struct bisect_move m;

	(void)state;
	s.o.verify = true;
	change(&s, 5, -.03);
	begin(&s);
	for (bisect_next(s.b, &m); m.kind != BISECT_MOVE_DONE; bisect_next(s.b, &m)) {
		double y = s.level[m.commit];

		if (m.kind == BISECT_MOVE_VERIFY) {
			assert_true(m.layout >= 1);
			s.level[m.commit] = 0;
			verified++;
		}
		boot(&s, &m);
		s.level[m.commit] = y;
	}
	bisect_result(s.b, &s.r);
	assert_true(verified >= 2);
	assert_int_not_equal(s.r.verdict, BISECT_FOUND);
	assert_false(s.r.verified);
	bisect_free(s.b);

	s = scene(9);
	s.o.verify = true;
	change(&s, 5, -.03);
	play(&s);
	found(&s, 5);
	assert_true(s.r.verified);
	assert_true(fabs(s.r.verified_step + .03) < .01);
	bisect_free(s.b);
}

/* D12: a predicate that fails one time in five is asked as often as it needs. */
static void d12_flaky_predicate(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		const struct bisect_history h = { .nr = 33 };
		struct bisect_opts o = bisect_defaults();
		_cleanup_err_ struct err e = { 0 };
		_cleanup_bisect_ struct bisect *b = NULL;
		size_t culprit = 3 * seed;
		struct bisect_result r;
		struct bisect_move m;
		uint64_t s = seed;

		o.kind = BISECT_PASS;
		assert_int_equal(bisect_new(&h, &o, &b, &e), 0);
		for (bisect_next(b, &m); m.kind != BISECT_MOVE_DONE; bisect_next(b, &m)) {
			bool failed = m.commit >= culprit && random_uniform(&s) < .5;

			assert_int_equal(
				bisect_observe_pass(b, m.commit, !failed, failed, &e), 0);
		}
		bisect_result(b, &r);
		assert_int_equal(r.verdict, BISECT_FOUND);
		assert_int_equal(r.culprit, culprit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(d1_culprit_does_not_build),
		cmocka_unit_test(d2_d3_hang_elsewhere),
		cmocka_unit_test(d4_d41_two_changes),
		cmocka_unit_test(d5_d6_untestable_keeps_its_prior),
		cmocka_unit_test(d7_history_is_no_line),
		cmocka_unit_test(first_parent_descends_when_it_must),
		cmocka_unit_test(d9_parent_is_measured),
		cmocka_unit_test(d10_d17_broken_range),
		cmocka_unit_test(d11_d20_wrong_boot_is_found_out),
		cmocka_unit_test(d12_flaky_predicate),
		cmocka_unit_test(d13_d15_change_on_the_other_branch),
		cmocka_unit_test(d14_wrong_prior_costs_boots_only),
		cmocka_unit_test(d16_runs_are_no_boots),
		cmocka_unit_test(d18_in_the_asked_direction),
		cmocka_unit_test(d19_d48_no_change),
		cmocka_unit_test(d25_small_steps_add_up),
		cmocka_unit_test(d39_layout_is_no_change),
		cmocka_unit_test(d42_last_patch_of_a_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
