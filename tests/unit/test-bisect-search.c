// SPDX-License-Identifier: GPL-3.0-or-later
/* The driver of bisections over a world that answers at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bisect/memory.h"
#include "cli/bisect/search.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"

#define POINTS 24

struct world {
	struct run *run;
	size_t culprit, unbuildable, mute;
	double effect;
	double p_fail;	      /* of the new commits, for predicates */
	int infra_failures;   /* the next asks fail so often */
	int asks, exit_after; /* die behind the answer of that ask, 0: never */
};

static size_t number_of(const struct kernel *k)
{
	uint64_t n;
	const char *s = k->commit.hex;

	while (s[1] && *s == '0')
		s++;
	assert_true(parse_u64(s, &n));
	return n;
}

/* The same "noise" for the same boot, whoever asks. */
static double noise(size_t at, unsigned int boot, unsigned int run)
{
	uint64_t x = at * 7919 + boot * 104729 + run * 1299709 + 12345;

	x ^= x >> 12;
	x *= 0x9e3779b97f4a7c15u;
	x ^= x >> 29;
	return (double)(x % 10007) / 10007 - 0.5;
}

static int fake_build(const struct probe *p, struct lab *l, const struct point *pt,
		      unsigned int layout, struct kernel *ret, struct err *e)
{
	const struct world *w = p->ctx;

	(void)l;
	(void)layout;
	(void)e;
	ret->commit = pt->commit;
	ret->subject = xstrdup(pt->subject);
	ret->build.seconds = 100;
	ret->build.status = xstrdup(number_of(ret) == w->unbuildable ? "failed" : "ok");
	return 0;
}

struct fake_ask {
	const struct world *world;
	const struct question *q;
	enum bisect_kind kind;
	struct answer a;
};

static int fake_act(void *ctx, struct err *e)
{
	struct fake_ask *f = ctx;
	size_t at = number_of(f->q->kernel);
	bool new = at >= f->world->culprit;

	(void)e;
	f->a = (struct answer){ .seconds = 30 };
	if (at == f->world->mute) {
		f->a.kind = ANSWER_UNTESTABLE;
		f->a.stage = BISECT_AT_BOOT;
		f->a.reason = xstrdup("panic: attempted to kill init");
	} else if (f->kind == BISECT_PASS) {
		f->a.kind = ANSWER_PASS;
		f->a.failed = new &&noise(at, f->q->boot, 0) + 0.5 < f->world->p_fail;
		f->a.passed = !f->a.failed;
	} else {
		f->a.runs = xcalloc(4, sizeof(double));
		f->a.nr_runs = 4;
		for (unsigned int i = 0; i < 4; i++)
			f->a.runs[i] = 1000 * (1 - (new ? f->world->effect : 0)) *
				       (1 + 0.004 * noise(at, f->q->boot, i));
	}
	return 0;
}

static int fake_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	(void)ctx;
	(void)r;
	(void)e;
	buf_adds(detail, "asked");
	return 0;
}

/* The world has not changed, so it answers as it did. */
static int fake_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	(void)r;
	(void)detail;
	return fake_act(ctx, e);
}

static int fake_ask(const struct probe *p, struct lab *l, const struct question *q,
		    size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	static const struct step step = { fake_act, fake_save, fake_load };
	struct world *w = p->ctx;

	(void)l;
	(void)ahead;
	w->asks++;
	if (w->infra_failures && w->infra_failures--)
		return err_set(e, ERR_TOOL_FAILED, "ssh: connection lost");
	for (size_t i = 0; i < nr; i++) {
		struct fake_ask f = { w, &q[i], p->kind, { 0 } };
		_cleanup_free_ char *name =
			xasprintf("ask:%zu:%u", number_of(q[i].kernel), q[i].boot);

		if (run_step(w->run, &step, name, &f, e) < 0)
			return -(int)e->code;
		ret[i] = f.a;
	}
	if (w->exit_after == w->asks)
		_exit(99);
	return 0;
}

static void fill_space(struct space *s)
{
	*s = (struct space){ .v = xcalloc(POINTS, sizeof(*s->v)), .nr = POINTS };
	for (size_t i = 0; i < POINTS; i++) {
		_cleanup_free_ char *hex = xasprintf("%040zu", i);

		memcpy(s->v[i].commit.hex, hex, 41);
		s->v[i].subject = xasprintf("commit %zu", i);
	}
}

static struct bisect_opts options(enum bisect_kind kind)
{
	struct bisect_opts o = bisect_defaults();

	o.kind = kind;
	o.build_sd = 0.0005;
	o.max_runs = 4;
	return o;
}

static int search_in(struct run *run, struct world *w, struct bisect_opts o, bool fixed,
		     struct bisection *ret, struct err *e)
{
	struct probe probe = { .name = "fake",
			       .kind = o.kind,
			       .ask = fake_ask,
			       .build = fake_build,
			       .ctx = w };
	struct search_site site = { .run = run,
				    .probe = &probe,
				    .o = o,
				    .question = "number cpuid_rate npt/npt",
				    .old = fixed ? "broken" : "good",
				    .new = fixed ? "fixed" : "bad",
				    .fixed = fixed,
				    .quiet = true };
	struct space space;

	w->run = run;
	fill_space(&space);
	return search_run(&site, &space, ret, e);
}

static struct run *new_run(struct store *s)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct run *run = NULL;

	strv_addl(&argv, "bisect", "a", "b", NULL);
	assert_int_equal(run_create(s, "bisect", &argv, &run, &e), 0);
	return run;
}

static struct store *open_store(void)
{
	_cleanup_err_ struct err e = { 0 };
	struct store *s = NULL;

	assert_int_equal(store_open(&s, &e), 0);
	return s;
}

static const struct world usual = {
	.culprit = 17, .unbuildable = 11, .mute = 9, .effect = 0.05, .p_fail = 1
};

/* What a search found, in one line a step. */
static char *essence(const struct bisection *b)
{
	_cleanup_buf_ struct buf t = BUF_INIT;

	buf_addf(&t, "%s %zu %.6f %u %u %.1f\n", bisect_verdict_name(b->result.verdict),
		 b->result.culprit, b->result.confidence, b->boots, b->builds,
		 b->seconds);
	for (size_t i = 0; i < b->nr_moves; i++)
		buf_addf(&t, "%zu %s %u %.17g %.6f %s\n", b->moves[i].commit,
			 b->moves[i].stage, b->moves[i].boot, b->moves[i].value,
			 b->moves[i].posterior_max, b->moves[i].reason ?: "-");
	return buf_take(&t);
}

static void test_found(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct world w = usual;

	(void)state;
	assert_int_equal(search_in(run, &w, options(BISECT_NUMBER), false, &b, &e), 0);
	assert_int_equal(b.result.verdict, BISECT_FOUND);
	assert_int_equal(b.result.culprit, 17);
	assert_int_equal(bisection_exit_code(&b), 0);
	assert_true(b.result.change < -0.04 && b.result.change > -0.06);
	/* ABBA */
	assert_true(b.moves[0].commit == 0 && b.moves[1].commit == POINTS - 1);
	assert_true(b.moves[2].commit == POINTS - 1 && b.moves[3].commit == 0);
	assert_true(b.plan.boots >= 4 && b.plan.seconds > 0);
}

/* D1, D17: the culprit itself or its neighbours give no answer: a set. */
static void test_set(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct world w = usual;

	(void)state;
	w.unbuildable = 16;
	w.mute = 17;
	assert_int_equal(search_in(run, &w, options(BISECT_NUMBER), false, &b, &e), 0);
	assert_int_equal(b.result.verdict, BISECT_SET);
	assert_int_equal(b.result.set_first, 16);
	assert_int_equal(b.result.set_last, 18);
	assert_int_equal(bisection_exit_code(&b), 125);
}

/* D11: what the machine did is no evidence; it is tried once more, and then an error. */
static void test_infra(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s), *other = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 }, c = { 0 }, d = { 0 };
	_cleanup_free_ char *first = NULL, *second = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct world w = usual;

	(void)state;
	w.infra_failures = 1;
	assert_int_equal(search_in(run, &w, options(BISECT_NUMBER), false, &b, &e), 0);
	assert_int_equal(b.result.culprit, 17);
	w.infra_failures = 2;
	assert_int_equal(search_in(other, &w, options(BISECT_NUMBER), false, &c, &e),
			 -ERR_TOOL_FAILED);
	assert_int_equal(c.nr_moves, 0);
	err_release(&e);
	assert_int_equal(search_in(other, &w, options(BISECT_NUMBER), false, &d, &e), 0);
	first = essence(&b);
	second = essence(&d);
	assert_string_equal(first, second);
}

static void test_untestable_end(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s), *other = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 }, c = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct world w = usual;

	(void)state;
	w.mute = POINTS - 1;
	assert_int_equal(search_in(run, &w, options(BISECT_NUMBER), false, &b, &e),
			 -ERR_UNDECIDED);
	assert_non_null(strstr(e.frame[0], "panic: attempted to kill init"));
	err_release(&e);
	w = usual;
	w.unbuildable = 0;
	assert_int_equal(search_in(other, &w, options(BISECT_NUMBER), false, &c, &e),
			 -ERR_BUILD);
}

/* Predicates: plain, flaky (C114: it fails three times of ten), reversed, and neither. */
static void test_predicates(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	struct bisect_opts o = options(BISECT_PASS);

	(void)state;
	for (int kind = 0; kind < 2; kind++) {
		_cleanup_run_ struct run *run = new_run(s);
		_cleanup_(bisection_release) struct bisection b = { 0 };
		_cleanup_err_ struct err e = { 0 };
		struct world w = usual;

		w.p_fail = kind ? 0.3 : 1;
		o.end_boots = kind ? 8 : 2;
		if (search_in(run, &w, o, false, &b, &e) < 0)
			fail_msg("%s", e.frame[0]);
		assert_int_equal(b.result.verdict, BISECT_FOUND);
		assert_int_equal(b.result.culprit, 17);
		assert_true(kind ? b.boots > 20 : b.boots < 20);
	}
}

static void test_claims(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	struct bisect_opts o = options(BISECT_PASS);

	(void)state;
	for (int kind = 0; kind < 2; kind++) {
		_cleanup_run_ struct run *run = new_run(s);
		_cleanup_(bisection_release) struct bisection b = { 0 };
		_cleanup_err_ struct err e = { 0 };
		struct world w = usual;

		w.culprit = kind ? 17 : POINTS + 1;
		assert_int_equal(search_in(run, &w, o, kind, &b, &e), -ERR_NO_DIFFERENCE);
		assert_non_null(strstr(e.frame[0],
				       kind ? "fixed 0 times of 2" : "bad 0 times of 2"));
		assert_non_null(e.hint);
	}
}

static void test_budget(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct bisect_opts o = options(BISECT_NUMBER);
	struct world w = usual;

	(void)state;
	o.max_seconds = 60;
	assert_int_equal(search_in(run, &w, o, false, &b, &e), -ERR_BUDGET);
	assert_int_equal(err_exit_code(ERR_BUDGET), 125);
	assert_non_null(strstr(e.frame[0], "budget is 60 s"));
	assert_int_equal(w.asks, 0);
}

static void replay_is(struct run *run, const char *want)
{
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_bisect_log_ struct bisect_log log = { 0 }, read = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *got = NULL;

	assert_int_equal(memory_log(run, &log, &e), 0);
	log_write(&log, &text);
	assert_int_equal(log_parse(buf_str(&text), &read, &e), 0);
	assert_int_equal(search_replay(&read, &b, NULL, &e), 0);
	got = essence(&b);
	assert_string_equal(got, want);
}

/* In a process of its own, with the newest run or a new one. */
static int search_in_child(int kill_at, int exit_after)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		_cleanup_store_ struct store *s = open_store();
		_cleanup_free_ char *at = xasprintf("%d", kill_at);
		struct bisection b = { 0 };
		struct run *run = NULL;
		struct err e = { 0 };
		struct world w = usual;
		int r;

		if (run_open(s, "last", &run, &e) < 0 ||
		    run_info(run)->state != RUN_ACTIVE) {
			err_release(&e);
			run = new_run(s);
		} else if (run_claim(run, &e) < 0) {
			_exit(1);
		}
		if (kill_at)
			setenv("KILN_KILL_AT", at, 1);
		w.exit_after = exit_after;
		r = search_in(run, &w, options(BISECT_NUMBER), false, &b, &e);
		r = r < 0 ? r : run_finish(run, RUN_DONE, 0, &e);
		_exit(r < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* What the newest run remembers leads to `want`. */
static void newest_is(const char *want)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_err_ struct err e = { 0 };
	_cleanup_run_ struct run *run = NULL;

	assert_int_equal(run_open(s, "last", &run, &e), 0);
	replay_is(run, want);
}

static char *undisturbed(void)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *want = NULL;
	struct world w = usual;

	assert_int_equal(search_in(run, &w, options(BISECT_NUMBER), false, &b, &e), 0);
	want = essence(&b);
	replay_is(run, want);
	assert_int_equal(run_finish(run, RUN_DONE, 0, &e), 0);
	return take_ptr(want);
}

/* Killed at each journal record, and behind each answer before it is remembered: the
 * resumed search takes the same steps to the same end. */
static void test_kills(void **state)
{
	_cleanup_free_ char *want = undisturbed();
	int status = 1, kills = 0, n;

	(void)state;
	for (n = 1; status && n < 200; n++) {
		status = search_in_child(n, 0);
		if (status) {
			assert_true(WIFSIGNALED(status));
			assert_int_equal(search_in_child(0, 0), 0);
		}
		newest_is(want);
		kills += status != 0;
	}
	assert_true(kills > 10);
	status = 1;
	for (n = 1; status && n < 100; n++) {
		status = search_in_child(0, n);
		if (status)
			assert_int_equal(search_in_child(0, 0), 0);
		newest_is(want);
	}
	assert_true(n > 4);
}

/* What a person tells a run is reckoned with when it goes on. */
static void test_by_hand(void **state)
{
	_cleanup_store_ struct store *s = open_store();
	_cleanup_run_ struct run *run = new_run(s);
	_cleanup_(bisection_release) struct bisection b = { 0 }, again = { 0 };
	_cleanup_memory_ struct memory m = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct bisect_opts o = options(BISECT_NUMBER);
	struct world w = usual;
	double runs[] = { 1000, 1001, 999, 1000 };
	struct log_entry en = {
		.kind = LOG_RUNS, .at = 16, .hand = true, .runs = runs, .nr_runs = 4
	};

	(void)state;
	o.max_boots = 5;
	assert_int_equal(search_in(run, &w, o, false, &b, &e), 0);
	assert_int_equal(b.result.verdict, BISECT_UNDECIDED);
	assert_int_equal(memory_load(run, &m, &e), 0);
	memcpy(en.commit.hex, b.space.v[16].commit.hex, 41);
	for (int i = 0; i < 2; i++)
		assert_int_equal(memory_add(&m, &en, 1, &e), 0);
	assert_int_equal(search_in(run, &w, o, false, &again, &e), 0);
	assert_int_equal(again.boots, b.boots);
	assert_true(again.nr_moves == b.nr_moves + 2);
	assert_true(again.result.set_first >= 17);
}

static int make_home(void **state)
{
	char *home = xstrdup("/tmp/kiln-bisect-search-XXXXXX");

	if (!mkdtemp(home))
		return -1;
	setenv("KILN_HOME", home, 1);
	*state = home;
	return 0;
}

static int remove_home(void **state)
{
	struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	err_release(&e);
	free(*state);
	return r;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_set, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_infra, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_untestable_end, make_home,
						remove_home),
		cmocka_unit_test_setup_teardown(test_predicates, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_claims, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_budget, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_by_hand, make_home, remove_home),
		cmocka_unit_test_setup_teardown(test_kills, make_home, remove_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
