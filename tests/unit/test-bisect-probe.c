// SPDX-License-Identifier: GPL-3.0-or-later
/* What probes make of boots. The boots are in the journal, so no machine is started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/probe.h"
#include "cli/lab-internal.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define COMMIT "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

struct place {
	char *home;
	struct ctx c;
	struct stage_opts opts;
	struct lab lab;
	struct target target;
	struct kernel kernel;
	struct store *store;
	struct run *run;
};

/* A boot that was done: its record, and samples of two cells when it is "ok". */
struct past {
	struct place *place;
	const char *status, *console_text;
	bool proven;
	char *token;
};

static int past_act(void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

static int add_sample(struct past *p, struct run *r, const char *l1, double value,
		      struct err *e)
{
	struct sample s = { .token = p->token,
			    .benchmark = (char *)"cpuid_rate",
			    .l0 = (char *)"npt",
			    .l1 = (char *)l1,
			    .ordinal = (int)value % 10,
			    .value = value,
			    .unit = (char *)"/s",
			    .clock = (char *)"virtual",
			    .proven = p->proven };

	return store_add_sample(run_store(r), run_id(r), &s, e);
}

static int past_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct past *p = ctx;
	_cleanup_free_ char *console =
		xasprintf("%s/%s.console", p->place->home, p->token);
	struct boot_record b = { .token = p->token,
				 .status = (char *)p->status,
				 .reason = (char *)"a cause",
				 .console = console,
				 .proven = p->proven,
				 .seconds = 12 };
	const char *text = p->console_text ?: "";

	buf_adds(detail, p->token);
	if (fs_write(console, text, strlen(text), e) < 0 ||
	    store_add_boot(run_store(r), run_id(r), &b, e) < 0)
		return -(int)e->code;
	if (strcmp(p->status, "ok"))
		return 0;
	return add_sample(p, r, "npt", 101, e) < 0 || add_sample(p, r, "npt", 102, e) < 0
		       ? -1
		       : add_sample(p, r, "shadow", 55, e);
}

static void booted(struct place *pl, const char *name, const char *status,
		   const char *text)
{
	static const struct step step = { past_act, past_save, NULL };
	_cleanup_err_ struct err e = { 0 };
	struct past p = { pl, status, text, !strcmp(status, "ok"), xstrdup(name) };

	for (char *c = p.token; *c; c++)
		*c = *c == ':' ? '-' : *c;
	if (run_step(pl->run, &step, name, &p, &e) < 0)
		fail_msg("%s", e.frame[0]);
	free(p.token);
}

static int place_make(void **state)
{
	struct place *p = xzalloc(sizeof(*p));
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct err e = { 0 };

	p->home = xstrdup("/tmp/kiln-bisect-probe-XXXXXX");
	if (!mkdtemp(p->home))
		return -1;
	setenv("KILN_HOME", p->home, 1);
	strv_addl(&argv, "bisect", NULL);
	if (store_open(&p->store, &e) < 0 ||
	    run_create(p->store, "bisect", &argv, &p->run, &e) < 0)
		return -1;
	p->c.quiet = true;
	p->opts.machines = 1;
	p->lab = (struct lab){ .c = &p->c,
			       .target = &p->target,
			       .run = p->run,
			       .opts = &p->opts,
			       .accel = (char *)"tcg",
			       .dir = p->home };
	memcpy(p->kernel.commit.hex, COMMIT, 41);
	p->kernel.subject = xstrdup("subject");
	*state = p;
	return 0;
}

static int place_drop(void **state)
{
	struct place *p = *state;
	struct err e = { 0 };
	int r;

	run_free(p->run);
	store_free(p->store);
	r = fs_remove_tree(p->home, &e);
	err_release(&e);
	kernel_release(&p->kernel);
	free(p->home);
	free(p);
	return r;
}

static struct probe make(const char *name, const struct probe_opts *o)
{
	_cleanup_err_ struct err e = { 0 };
	struct probe p = { 0 };

	if (probe_make(name, o, &p, &e) < 0)
		fail_msg("%s", e.frame[0]);
	return p;
}

static struct answer ask(struct place *pl, const struct probe *p, unsigned int boot)
{
	const struct question q = { &pl->kernel, boot, 5, 0 };
	_cleanup_err_ struct err e = { 0 };
	struct answer a = { 0 };

	if (p->ask(p, &pl->lab, &q, 1, NULL, &a, &e) < 0)
		fail_msg("%s", e.frame[0]);
	return a;
}

#define BOOT(n) "boot:aaaaaaaaaaaa:kexec:" #n

static void test_boot(void **state)
{
	static const struct {
		const char *status;
		int kind;
		unsigned int passed;
	} rows[] = {
		{ "ok", ANSWER_PASS, 1 },
		{ "panic", ANSWER_PASS, 0 },
		{ "silent-reset", ANSWER_PASS, 0 },
		{ "hang", ANSWER_UNTESTABLE, 0 },
		{ "no-result", ANSWER_UNTESTABLE, 0 },
	};
	struct place *pl = *state;
	struct probe p = make("boot", &(struct probe_opts){ .test = NULL });
	struct answer a;

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *name = xasprintf("boot:aaaaaaaaaaaa:kexec:%u", i);

		booted(pl, name, rows[i].status, NULL);
		a = ask(pl, &p, i);
		assert_int_equal(a.kind, rows[i].kind);
		assert_int_equal(a.passed, rows[i].passed);
		assert_true(a.seconds == 12);
		answer_release(&a);
	}
	a = ask(pl, &p, 3);
	assert_int_equal(a.stage, BISECT_AT_TIMEOUT);
	answer_release(&a);
	p = make("boot", &(struct probe_opts){ .timeout_is_bad = true });
	a = ask(pl, &p, 3);
	assert_true(a.kind == ANSWER_PASS && a.failed == 1);
	answer_release(&a);
}

/* Another kernel than the one that was built says nothing: once more, then an error. */
static void test_wrong_kernel(void **state)
{
	struct place *pl = *state;
	struct probe p = make("boot", &(struct probe_opts){ .test = NULL });
	const struct question q = { &pl->kernel, 1, 5, 0 };
	_cleanup_err_ struct err e = { 0 };
	struct answer a = { 0 };

	booted(pl, BOOT(0), "wrong-kernel", NULL);
	booted(pl, BOOT(0) ":again", "ok", NULL);
	a = ask(pl, &p, 0);
	assert_true(a.kind == ANSWER_PASS && a.passed == 1);
	booted(pl, BOOT(1), "wrong-kernel", NULL);
	booted(pl, BOOT(1) ":again", "wrong-kernel", NULL);
	assert_int_equal(p.ask(&p, &pl->lab, &q, 1, NULL, &a, &e), -ERR_WRONG_KERNEL);
}

/* C123: a boot that fails in another way hides the symptom. What the base kernel said
 * before it jumped is not the candidate's. */
static void test_splat(void **state)
{
	static const char base[] = "[    1.0] BUG: unable to handle page fault\r\n"
				   "[    2.0] kexec_core: Starting new kernel\r\n"
				   "[    0.0] Linux version 6.1\r\n";
	struct place *pl = *state;
	struct probe p =
		make(NULL, &(struct probe_opts){ .splat = "^BUG: unable.*fault" });
	_cleanup_free_ char *bad = xasprintf("%s%s", base,
					     "[    3.0] BUG: unable to handle page fault "
					     "for address: 10\r\n");
	_cleanup_free_ char *other =
		xasprintf("%s%s", base, "[    3.0] Kernel panic - not syncing: no\r\n");
	struct answer a;

	assert_string_equal(p.name, "splat");
	booted(pl, BOOT(0), "ok", base);
	a = ask(pl, &p, 0);
	assert_true(a.kind == ANSWER_PASS && a.passed == 1);
	booted(pl, BOOT(1), "panic", bad);
	a = ask(pl, &p, 1);
	assert_true(a.kind == ANSWER_PASS && a.failed == 1);
	assert_string_equal(a.reason, "BUG: unable to handle page fault for address: 10");
	answer_release(&a);
	booted(pl, BOOT(2), "panic", other);
	a = ask(pl, &p, 2);
	assert_int_equal(a.kind, ANSWER_UNTESTABLE);
	answer_release(&a);
}

static void test_number(void **state)
{
	struct place *pl = *state;
	_cleanup_err_ struct err e = { 0 };
	const struct cell *cell;
	struct answer a;
	struct probe p;

	assert_int_equal(cell_parse(NULL, "npt/npt", &cell, &e), 0);
	p = probe_number(cell);
	booted(pl, "boot:aaaaaaaaaaaa:npt:0", "ok", NULL);
	a = ask(pl, &p, 0);
	assert_int_equal(a.kind, ANSWER_RUNS);
	assert_int_equal(a.nr_runs, 2);
	assert_true(a.runs[0] == 101 && a.runs[1] == 102);
	answer_release(&a);
	booted(pl, "boot:aaaaaaaaaaaa:npt:1", "hang", NULL);
	a = ask(pl, &p, 1);
	assert_int_equal(a.kind, ANSWER_UNTESTABLE);
	assert_int_equal(a.stage, BISECT_AT_TIMEOUT);
	answer_release(&a);
}

static void test_options(void **state)
{
	static const struct {
		const char *name;
		struct probe_opts o;
	} bad[] = {
		{ "colour", { .test = NULL } },
		{ "splat", { .test = NULL } },
		{ "test", { .test = NULL } },
		{ "number", { .test = "true" } },
		{ "test", { .test = "true", .splat = "x" } },
		{ NULL, { .test = "true", .splat = "x" } },
		{ NULL, { .splat = "(" } },
		{ "number", { .timeout_is_bad = true } },
		{ "build", { .timeout_is_bad = true } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		struct probe p;

		if (probe_make(bad[i].name, &bad[i].o, &p, &e) != -ERR_USAGE)
			fail_msg("row %zu was taken", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_boot, place_make, place_drop),
		cmocka_unit_test_setup_teardown(test_wrong_kernel, place_make,
						place_drop),
		cmocka_unit_test_setup_teardown(test_splat, place_make, place_drop),
		cmocka_unit_test_setup_teardown(test_number, place_make, place_drop),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
