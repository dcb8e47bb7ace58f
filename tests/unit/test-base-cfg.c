// SPDX-License-Identifier: GPL-3.0-or-later
/* Settings: user's file, tree's file, -c, in that order of weight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/cfg.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

struct world {
	char *home, *tree;
	struct err e;
};

static void write_at(const char *dir, const char *name, const char *text)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *path = fs_path(dir, name);

	assert_int_equal(fs_write(path, text, strlen(text), &e), 0);
}

/* One home for all tests: libgit2 looks up where the user's file is once a process. */
static int world_new(void **state)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct world *w = xzalloc(sizeof(*w));

	w->home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(w->home));
	setenv("HOME", w->home, 1);
	unsetenv("XDG_CONFIG_HOME");
	w->tree = fs_path(w->home, "tree");
	strv_addl(&argv, "git", "init", "-q", w->tree, NULL);
	assert_int_equal(
		spawn_check(&(struct spawn){ .argv = &argv, .timeout_ms = 30000 }, &w->e),
		0);
	write_at(w->home, ".gitconfig",
		 "[kiln]\n\tarchive = user\n\tjobs = 3\n\tjson = yes\n\tmark = 1\n\tmark "
		 "= 2\n"
		 "\tbad = often\n\twait = 15m\n\tflag\n"
		 "[target \"lab-1\"]\n\thost = a\n[target \"a.b\"]\n\thost = b\n");
	write_at(w->tree, ".git/config",
		 "[core]\n\trepositoryformatversion = 0\n[kiln]\n\tarchive = tree\n"
		 "[target \"lab-1\"]\n\tport = 2\n");
	*state = w;
	return 0;
}

static int world_gone(void **state)
{
	struct world *w = *state;

	err_release(&w->e);
	assert_int_equal(fs_remove_tree(w->home, &w->e), 0);
	free(w->home);
	free(w->tree);
	free(w);
	return 0;
}

static void nearer_file_wins(void **state)
{
	struct world *w = *state;
	struct strv overrides = STRV_INIT;
	struct cfg *c = NULL;
	char *v;

	assert_int_equal(cfg_open("/", NULL, &c, &w->e), 0);
	v = cfg_get(c, "kiln.archive");
	assert_string_equal(v, "user");
	free(v);
	cfg_free(c);
	assert_int_equal(cfg_open(w->tree, NULL, &c, &w->e), 0);
	v = cfg_get(c, "kiln.archive");
	assert_string_equal(v, "tree");
	free(v);
	v = cfg_get(c, "kiln.unset");
	assert_null(v);
	v = cfg_get(c, "nonsense");
	assert_null(v);
	cfg_free(c);
	strv_addl(&overrides, "kiln.archive=one", "KILN.archive=two=2", NULL);
	assert_int_equal(cfg_open(w->tree, &overrides, &c, &w->e), 0);
	v = cfg_get(c, "kiln.archive");
	assert_string_equal(v, "two=2");
	free(v);
	cfg_free(c);
	strv_release(&overrides);
}

static void typed_values(void **state)
{
	struct world *w = *state;
	struct cfg *c = NULL;
	uint64_t n = 0;
	bool b = false;

	assert_int_equal(cfg_open(w->tree, NULL, &c, &w->e), 0);
	assert_int_equal(cfg_u64(c, "kiln.jobs", 1, &n, &w->e), 0);
	assert_int_equal(n, 3);
	assert_int_equal(cfg_u64(c, "kiln.unset", 9, &n, &w->e), 0);
	assert_int_equal(n, 9);
	assert_int_equal(cfg_bool(c, "kiln.json", false, &b, &w->e), 0);
	assert_true(b);
	assert_int_equal(cfg_duration(c, "kiln.wait", 1, &n, &w->e), 0);
	assert_int_equal(n, 900);
	assert_true(cfg_u64(c, "kiln.bad", 1, &n, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_CONFIG);
	assert_non_null(strstr(w->e.frame[0], "kiln.bad"));
	assert_non_null(strstr(w->e.frame[0], "'often'"));
	assert_true(cfg_bool(c, "kiln.bad", false, &b, &w->e) < 0);
	assert_true(cfg_duration(c, "kiln.bad", 1, &n, &w->e) < 0);
	assert_int_equal(n, 900);
	cfg_free(c);
}

static void names_and_lists(void **state)
{
	struct world *w = *state;
	struct strv overrides = STRV_INIT, v = STRV_INIT;
	struct cfg *c = NULL;

	strv_addl(&overrides, "target.new.host=x", "kiln.other=7", NULL);
	assert_int_equal(cfg_open(w->tree, &overrides, &c, &w->e), 0);
	cfg_names(c, "target", &v);
	assert_int_equal(v.nr, 3);
	assert_string_equal(v.v[0], "a.b");
	assert_string_equal(v.v[1], "lab-1");
	assert_string_equal(v.v[2], "new");
	strv_release(&v);
	cfg_list(c, "kiln.mark", &v);
	assert_int_equal(v.nr, 2);
	assert_string_equal(v.v[1], "2");
	strv_release(&v);
	cfg_list(c, "kiln.other", &v);
	assert_int_equal(v.nr, 1);
	strv_release(&v);
	cfg_list(c, "kiln.unset", &v);
	assert_int_equal(v.nr, 0);
	cfg_free(c);
	strv_release(&overrides);
}

static void mistakes(void **state)
{
	struct world *w = *state;
	struct strv overrides = STRV_INIT;
	struct cfg *c = NULL;

	strv_add(&overrides, "kiln.json");
	assert_true(cfg_open(w->tree, &overrides, &c, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_USAGE);
	assert_null(c);
	write_at(w->tree, ".git/config", "[kiln\n");
	assert_true(cfg_open(w->tree, NULL, &c, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_CONFIG);
	assert_non_null(w->e.hint);
	assert_null(c);
	strv_release(&overrides);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearer_file_wins),
		cmocka_unit_test(typed_values),
		cmocka_unit_test(names_and_lists),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests(tests, world_new, world_gone);
}
