// SPDX-License-Identifier: GPL-3.0-or-later
/* The search with kernels that are numbers: equal binaries, fresh layouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "cli/bisect/build.h"
#include "cli/bisect/search.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/store.h"

#define NR 9

/* What a kernel does, by point: its rate, what a layout makes of it, its binary. */
struct toy {
	double rate[NR], moved[NR];
	unsigned int binary[NR];
	size_t unlaid; /* point that builds in its usual layout only; 0: none */
	unsigned int boots[NR];
};

struct world {
	char *home;
	struct store *store;
	struct run *run;
};

static int world_new(void **state)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct world *w = xzalloc(sizeof(*w));
	struct err e = { 0 };

	w->home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(w->home));
	setenv("KILN_HOME", w->home, 1);
	strv_addl(&argv, "bisect", "a", "b", NULL);
	assert_int_equal(store_open(&w->store, &e), 0);
	assert_int_equal(run_create(w->store, "bisect", &argv, &w->run, &e), 0);
	*state = w;
	return 0;
}

static int world_gone(void **state)
{
	struct world *w = *state;
	struct err e = { 0 };

	run_free(w->run);
	store_free(w->store);
	assert_int_equal(fs_remove_tree(w->home, &e), 0);
	free(w->home);
	free(w);
	return 0;
}

static size_t number(const struct oid *o)
{
	return (size_t)(o->hex[39] - '0');
}

static int toy_build(const struct probe *p, struct lab *l, const struct point *pt,
		     unsigned int layout, struct kernel *ret, struct err *e)
{
	struct toy *t = p->ctx;
	size_t at = number(&pt->commit);
	bool ok = !layout || !t->unlaid || at != t->unlaid;

	(void)l;
	(void)e;
	*ret = (struct kernel){ .commit = pt->commit, .subject = xstrdup(pt->subject) };
	ret->build.commit = pt->commit;
	ret->build.status = xstrdup(ok ? "ok" : "failed");
	if (ok)
		ret->build.code = xasprintf("%08x%04x", t->binary[at], layout);
	return 0;
}

static int toy_ask(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	struct toy *t = p->ctx;

	(void)l;
	(void)ahead;
	(void)e;
	for (size_t i = 0; i < nr; i++) {
		size_t at = number(&q[i].kernel->commit);
		double rate = q[i].layout ? t->moved[at] : t->rate[at];

		t->boots[at]++;
		ret[i] = (struct answer){ .kind = ANSWER_RUNS, .seconds = 1 };
		for (unsigned int k = 0; k < q[i].runs; k++)
			*array_push(ret[i].runs, ret[i].nr_runs) =
				rate * (1 + 1e-4 * ((k + q[i].boot + at) % 3));
	}
	return 0;
}

static void search(struct world *w, struct toy *t, bool verify, struct bisection *ret)
{
	const struct probe probe = {
		.name = "number",
		.kind = BISECT_NUMBER,
		.ask = toy_ask,
		.build = toy_build,
		.ctx = t,
	};
	struct search_site site = { .run = w->run,
				    .probe = &probe,
				    .o = bisect_defaults(),
				    .question = "number toy npt/npt",
				    .old = "good",
				    .new = "bad",
				    .quiet = true };
	struct space space = { .v = xcalloc(NR, sizeof(*space.v)), .nr = NR };
	struct err e = { 0 };

	site.o.verify = verify;
	site.o.build_sd = 0.0005;
	for (size_t i = 0; i < NR; i++) {
		space.v[i].subject = xasprintf("commit %zu", i);
		memset(space.v[i].commit.hex, '0', 40);
		space.v[i].commit.hex[39] = (char)('0' + i);
	}
	if (search_run(&site, &space, ret, &e) < 0)
		fail_msg("%s", e.frame[0]);
}

/* A step of -5 % at `at`; each commit has its own binary. */
static struct toy step_at(size_t at)
{
	struct toy t = { .unlaid = 0 };

	for (size_t i = 0; i < NR; i++) {
		t.rate[i] = t.moved[i] = i < at ? 1000 : 950;
		t.binary[i] = (unsigned int)i + 1;
	}
	return t;
}

static void a_step_is_found(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	search(*state, &t, false, &b);
	assert_int_equal(b.result.verdict, BISECT_FOUND);
	assert_int_equal(b.result.culprit, 5);
	assert_false(b.result.verified);
}

/* D8, D22: the ends are one binary, so nothing is booted. */
static void d22_equal_ends_are_not_booted(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	t.binary[NR - 1] = t.binary[0];
	search(*state, &t, false, &b);
	assert_int_equal(b.result.verdict, BISECT_NO_CHANGE);
	assert_true(b.alike);
	assert_int_equal(b.boots, 0);
}

/* D8: commits that only move comments have their parent's binary. The machine drifts
 * between the two boots, and still neither is named. */
static void d8_equal_binaries_are_innocent(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	t.binary[4] = t.binary[5] = t.binary[3]; /* "changed" at 5 */
	search(*state, &t, false, &b);
	assert_true(b.same > 0);
	assert_int_equal(b.result.verdict, BISECT_UNDECIDED);
}

static void a_step_is_verified(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	search(*state, &t, true, &b);
	assert_int_equal(b.result.verdict, BISECT_FOUND);
	assert_int_equal(b.result.culprit, 5);
	assert_true(b.result.verified);
	assert_true(b.result.verified_step < -0.04 && b.result.verified_step > -0.06);
	assert_true(t.boots[4] >= 6 && t.boots[5] >= 6);
}

/* D39: only the usual layout is slow. */
static void d39_a_layout_is_no_culprit(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	for (size_t i = 0; i < NR; i++)
		t.moved[i] = 1000;
	search(*state, &t, true, &b);
	assert_true(b.result.verdict == BISECT_UNDECIDED);
	assert_true(b.result.rejected);
}

static void without_layouts_nothing_is_sure(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	struct toy t = step_at(5);

	t.unlaid = 5;
	search(*state, &t, true, &b);
	assert_int_equal(b.result.verdict, BISECT_UNDECIDED);
	assert_true(b.layout_failed);
}

/* A resumed search is told the binaries again. */
static void binaries_are_remembered(void **state)
{
	_cleanup_(bisection_release) struct bisection b = { 0 }, again = { 0 };
	struct toy t = step_at(5);

	t.binary[NR - 1] = t.binary[0];
	search(*state, &t, false, &b);
	search(*state, &t, false, &again);
	assert_true(again.alike);
	assert_int_equal(again.boots, 0);
}

static void gaps_move_code_within_lines_and_pages(void **state)
{
	(void)state;
	assert_int_equal(layout_gap(0), 0);
	for (unsigned int i = 1; i < 200; i++) {
		assert_int_equal(layout_gap(i) % 16, 0);
		assert_int_not_equal(layout_gap(i) % 64, 0);
		for (unsigned int k = 1; k < i && i < 60; k++)
			assert_int_not_equal(layout_gap(i) % 4096, layout_gap(k) % 4096);
	}
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, world_new, world_gone)
	const struct CMUnitTest tests[] = {
		T(a_step_is_found),
		T(d22_equal_ends_are_not_booted),
		T(d8_equal_binaries_are_innocent),
		T(a_step_is_verified),
		T(d39_a_layout_is_no_culprit),
		T(without_layouts_nothing_is_sure),
		T(binaries_are_remembered),
		cmocka_unit_test(gaps_move_code_within_lines_and_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
