// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The engine's formulas against vectors that were computed independently: 8 commits, boot
 * sd 1 %, run sd 2 %, build sd 0.3 %, levels flat over 0.5.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/choice.h"
#include "core/bisect/evalue.h"
#include "core/bisect/plan.h"
#include "core/bisect/posterior.h"

#define N 8
#define CLOSE 1e-5

struct boot {
	size_t commit;
	double y;
	size_t runs;
};

static const struct boot g1[] = {
	{ 0, 0, 5 },	 { 0, .004, 5 },  { 8, -.101, 5 },
	{ 8, -.098, 5 }, { 4, -.003, 3 }, { 6, -.097, 3 },
};

static void close_to(double got, double want)
{
	if (!(fabs(got - want) < CLOSE))
		fail_msg("%.7f, not %.7f", got, want);
}

struct fixture {
	struct graph graph;
	struct data data;
	struct groups groups;
	double weight[N + 1];
	size_t tested[N + 1], nr_tested;
};

static void set_up(struct fixture *f, const double *weight)
{
	const struct bisect_history h = { .nr = N + 1 };
	_cleanup_err_ struct err e = { 0 };

	*f = (struct fixture){ 0 };
	for (int k = 1; k <= N; k++)
		f->weight[k] = weight ? weight[k] : 1;
	assert_int_equal(graph_init(&f->graph, &h, &e), 0);
	groups_init(&f->groups, N + 1, f->weight);
}

/* Boots of m equal runs: their mean is y whatever m is. */
static void boot(struct fixture *f, const struct boot *b)
{
	struct unit *u = data_add_unit(&f->data, b->commit, 0);
	double rates[16];
	uint64_t a[1];
	size_t i = 0;

	while (i < f->nr_tested && f->tested[i] != b->commit)
		i++;
	if (i == f->nr_tested) {
		f->tested[f->nr_tested++] = b->commit;
		graph_ancestors(&f->graph, b->commit, a);
		groups_split(&f->groups, a);
	}
	u->tested = i;
	for (size_t k = 0; k < b->runs; k++)
		rates[k] = exp(b->y + 10);
	data_add_boot(&f->data, u, rates, b->runs);
}

static void tear_down(struct fixture *f)
{
	graph_release(&f->graph);
	data_release(&f->data);
	groups_release(&f->groups);
}

static void check(struct fixture *f, const double *want, double want_bf)
{
	struct noise_grid grid = { .nr = 1, .v[0] = { .01, .003, 0 } };
	struct problem pr = { .data = &f->data,
			      .groups = &f->groups,
			      .grid = &grid,
			      .run = { .variance = .0004 } };
	struct posterior post = { 0 };
	double sum = 0;

	posterior_gauss(&pr, &post);
	for (int k = 1; k <= N; k++) {
		size_t g = f->groups.of[k];
		double p = post.p[g] * f->weight[k] / f->groups.v[g].weight;

		close_to(p, want[k]);
		sum += p;
	}
	assert_true(fabs(sum - 1) < 1e-12);
	if (want_bf > 0)
		close_to(post.log_bf10, want_bf);
	posterior_release(&post);
}

static void boots_g1(struct fixture *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(g1); i++)
		boot(f, &g1[i]);
}

static const struct boot second = { 5, -.052, 3 }, third = { 5, -.004, 12 };

static void g1_two_commits_are_left(void **state)
{
	static const double want[N + 1] = { [5] = .499999, [6] = .499999 };
	struct fixture f;

	(void)state;
	set_up(&f, NULL);
	boots_g1(&f);
	check(&f, want, 30.881026);
	tear_down(&f);
}

static void g2_between_the_levels(void **state)
{
	static const double want[N + 1] = { 0,	     4e-6,    4e-6, 4e-6, 4e-6,
					    .714498, .285484, 1e-6, 1e-6 };
	struct fixture f;

	(void)state;
	set_up(&f, NULL);
	boots_g1(&f);
	boot(&f, &second);
	check(&f, want, 26.980162);
	tear_down(&f);
}

static void g3_recovers(void **state)
{
	static const double want[N + 1] = { [6] = .999998, [7] = 1e-6, [8] = 1e-6 };
	struct fixture f;

	(void)state;
	set_up(&f, NULL);
	boots_g1(&f);
	boot(&f, &second);
	boot(&f, &third);
	check(&f, want, 31.557602);
	tear_down(&f);
}

static void g4_with_a_prior(void **state)
{
	static const double want[N + 1] = {
		[5] = 1e-6, [6] = .999997, [7] = 1e-6, [8] = 1e-6
	};
	static const double weight[N + 1] = { 0, 1, 1, 1, 1, 10, 1, 1, 1 };
	struct fixture f;

	(void)state;
	set_up(&f, weight);
	boots_g1(&f);
	boot(&f, &second);
	boot(&f, &third);
	check(&f, want, 0);
	tear_down(&f);
}

static void mi_table(void **state)
{
	static const struct {
		double p, d, nats;
	} t[] = { { .5, .5, .03031 }, { .5, 1, .11142 },   { .5, 2, .33683 },
		  { .5, 3, .52678 },  { .5, 5, .67594 },   { .1, .5, .01112 },
		  { .1, 1, .04274 },  { .1, 2, .14202 },   { .1, 3, .23577 },
		  { .1, 5, .31537 },  { .01, .5, .00124 }, { .01, 1, .00492 },
		  { .01, 2, .01865 }, { .01, 3, .03541 },  { .01, 5, .05338 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct component c[] = { { 1 - t[i].p, 0, 1 }, { t[i].p, t[i].d, 1 } };

		close_to(mixture_information(c, 2), t[i].nats);
	}
}

static void kj_runs_per_boot(void **state)
{
	(void)state;
	close_to(best_runs(.01, .01, 120, 30), 2);
	close_to(best_runs(.03, .01, 120, 30), 6);
	close_to(best_runs(.05, .01, 120, 30), 10);
	assert_true(fabs(best_runs(.03, .01, 420, 30) - 11.225) < 5e-4);
	close_to(best_runs(.003, .01, 120, 30), .6);
}

static void plan_bounds(void **state)
{
	static const struct {
		double d, s2;
		double boots;
	} t[] = { { .01, 1.5e-4, 97 }, { .01, 2.5e-4, 161 }, { .01, 3.5e-4, 226 },
		  { .02, 1.5e-4, 24 }, { .02, 2.5e-4, 40 },  { .02, 3.5e-4, 56 },
		  { .03, 1.5e-4, 11 }, { .03, 2.5e-4, 18 },  { .03, 3.5e-4, 25 },
		  { .05, 1.5e-4, 10 }, { .05, 3.5e-4, 10 },  { .2, 1.5e-4, 10 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		close_to(round(bound_boots(1000, .01, t[i].s2, t[i].d)), t[i].boots);
}

static void e_values(void **state)
{
	const double d[] = { .012, .018, .009, .015, .011 }, same[] = { .01, .01 };

	(void)state;
	close_to(e_value(d, 5, 1), 19.446720502911326);
	close_to(e_value(d, 1, 1), 1);
	assert_true(isinf(e_value(same, 2, 1)));
}

/* Two steps are told from one, and the other one is found. */
static void two_changes(void **state)
{
	static const struct boot b[] = { { 0, 0, 5 },	  { 2, .001, 5 }, { 3, -.05, 5 },
					 { 5, -.051, 5 }, { 6, -.1, 5 },  { 8, -.1, 5 } };
	struct noise_grid grid = { .nr = 1, .v[0] = { .001, 0, 0 } };
	struct two_changes two;
	struct fixture f;
	struct problem pr = { .data = &f.data,
			      .groups = &f.groups,
			      .grid = &grid,
			      .run = { .variance = 1e-6 } };

	(void)state;
	set_up(&f, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(b); i++)
		boot(&f, &b[i]);
	posterior_two(&pr, f.groups.of[3], &two);
	assert_true(two.log_bf21 > 100);
	assert_true(two.second[f.groups.of[6]] > .999);
	assert_true(fabs(two.step + .0495) < .001);
	free(two.second);
	tear_down(&f);
}

/* t5 and Gaussian boots agree where nothing is far off. */
static void tails_agree_without_outliers(void **state)
{
	struct noise_grid grid = { .nr = 1, .v[0] = { .01, .003, 0 } };
	struct posterior gauss = { 0 }, tails = { 0 };
	struct fixture f;
	struct problem pr = { .data = &f.data,
			      .groups = &f.groups,
			      .grid = &grid,
			      .run = { .variance = .0004 } };

	(void)state;
	set_up(&f, NULL);
	boots_g1(&f);
	posterior_gauss(&pr, &gauss);
	assert_true(posterior_tails(&pr, &tails));
	assert_int_equal(gauss.nr, tails.nr);
	for (size_t g = 0; g < gauss.nr; g++)
		assert_true(fabs(gauss.p[g] - tails.p[g]) < .01);
	assert_true(tails.log_bf10 > 5);
	posterior_release(&gauss);
	posterior_release(&tails);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(g1_two_commits_are_left),
		cmocka_unit_test(g2_between_the_levels),
		cmocka_unit_test(g3_recovers),
		cmocka_unit_test(g4_with_a_prior),
		cmocka_unit_test(mi_table),
		cmocka_unit_test(kj_runs_per_boot),
		cmocka_unit_test(plan_bounds),
		cmocka_unit_test(e_values),
		cmocka_unit_test(two_changes),
		cmocka_unit_test(tails_agree_without_outliers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
