// SPDX-License-Identifier: GPL-3.0-or-later
/* How commands begin and end their run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "cli/run-start.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/store.h"

struct world {
	char *home;
	struct strv argv, overrides;
	struct ctx c;
	struct err e;
};

static int world_new(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(w->home));
	setenv("KILN_HOME", w->home, 1);
	strv_addl(&w->argv, "bench", "-c", "v6.1", NULL);
	strv_addl(&w->overrides, "kiln.archive=x", "kiln.json=true", NULL);
	w->c = (struct ctx){ .command = "bench", .argv = &w->argv, .quiet = true };
	w->c.overrides = &w->overrides;
	assert_int_equal(store_open(&w->c.store, &w->e), 0);
	*state = w;
	return 0;
}

static int world_gone(void **state)
{
	struct world *w = *state;

	store_free(w->c.store);
	strv_release(&w->argv);
	strv_release(&w->overrides);
	err_release(&w->e);
	assert_int_equal(fs_remove_tree(w->home, &w->e), 0);
	free(w->home);
	free(w);
	return 0;
}

static void command_line_is_kept(void **state)
{
	struct world *w = *state;
	struct strv overrides = STRV_INIT, argv = STRV_INIT;
	struct run *run;
	char *line;

	assert_int_equal(cli_run(&w->c, &run, &w->e), 0);
	cli_run_argv(run_info(run), &overrides, &argv);
	line = strv_join(&overrides, "|");
	assert_string_equal(line, "kiln.archive=x|kiln.json=true");
	free(line);
	line = strv_join(&argv, "|");
	assert_string_equal(line, "bench|-c|v6.1"); /* the command's own -c stays */
	free(line);
	strv_release(&overrides);
	strv_release(&argv);
	assert_int_equal(cli_run_end(&w->c, run, 0, &w->e), 0);
}

/* State and exit code the store has after work that ended with r. */
static struct run_info ended(struct world *w, int r)
{
	struct run_info info;
	struct run *run;

	assert_int_equal(cli_run(&w->c, &run, &(struct err){ 0 }), 0);
	assert_int_equal(cli_run_end(&w->c, run, r, &w->e), r);
	assert_int_equal(run_open(w->c.store, "last", &run, &(struct err){ 0 }), 0);
	info = *run_info(run);
	run_free(run);
	return info;
}

static void ends_have_states(void **state)
{
	struct world *w = *state;
	struct run_info i = ended(w, 0);

	assert_int_equal(i.state, RUN_DONE);
	i = ended(w, 125);
	assert_int_equal(i.state, RUN_DONE);
	assert_int_equal(i.exit_code, 125);
	i = ended(w, err_set(&w->e, ERR_HUNK, "does not apply"));
	assert_int_equal(i.state, RUN_DONE);
	assert_int_equal(i.exit_code, 1);
	i = ended(w, err_set(&w->e, ERR_NETWORK, "no network"));
	assert_int_equal(i.state, RUN_FAILED);
	assert_int_equal(i.exit_code, 128);
	assert_int_equal(w->e.code, ERR_NETWORK);
	i = ended(w, err_set(&w->e, ERR_INTERRUPTED, "signal"));
	assert_int_equal(i.state, RUN_ACTIVE);
}

static void resumed_run_is_handed_out(void **state)
{
	struct world *w = *state;
	struct run *first, *again;

	assert_int_equal(cli_run(&w->c, &first, &w->e), 0);
	w->c.resume = first;
	assert_int_equal(cli_run(&w->c, &again, &w->e), 0);
	assert_ptr_equal(first, again);
	assert_int_equal(cli_run_end(&w->c, again, 1, &w->e), 1);
	assert_int_equal(run_info(first)->exit_code, 1); /* still the caller's */
	run_free(first);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, world_new, world_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(command_line_is_kept),
		TEST(ends_have_states),
		TEST(resumed_run_is_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
