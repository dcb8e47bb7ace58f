// SPDX-License-Identifier: GPL-3.0-or-later
/* Opening the store: fresh, again, damaged, foreign, newer, read-only, full, shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/run.h"
#include "core/store/sql.h"
#include "core/store/store.h"

static int home_new(void **state)
{
	char *dir = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");

	assert_non_null(mkdtemp(dir));
	setenv("KILN_HOME", dir, 1);
	*state = dir;
	return 0;
}

static int home_gone(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

static char *db_path(void)
{
	_cleanup_free_ char *dir = fs_state_dir();

	return fs_path(dir, "kiln.db");
}

static void db_write(const void *data, size_t len)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *dir = fs_state_dir();
	_cleanup_free_ char *path = db_path();

	assert_int_equal(fs_mkdirs(dir, &e), 0);
	assert_int_equal(fs_write(path, data, len, &e), 0);
}

static void assert_refused(const char *cause)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_store_ struct store *s = NULL;
	_cleanup_free_ char *path = db_path();

	assert_true(store_open(&s, &e) < 0);
	assert_int_equal(e.code, ERR_STORE);
	assert_null(s);
	assert_true(e.nr >= 1);
	assert_non_null(strstr(e.frame[0], path));
	assert_non_null(strstr(e.frame[0], cause));
	assert_non_null(e.hint);
}

static void fresh_and_again(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		_cleanup_err_ struct err e = { 0 };
		_cleanup_store_ struct store *s = NULL;

		assert_int_equal(store_open(&s, &e), 0);
	}
}

static void damaged_is_named(void **state)
{
	static char junk[8192];

	(void)state;
	memset(junk, 'x', sizeof(junk));
	db_write(junk, sizeof(junk));
	assert_refused("damaged");
}

static void half_a_store_is_damaged(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf whole = BUF_INIT;
	_cleanup_free_ char *path = db_path();
	struct store *s = NULL;

	(void)state;
	assert_int_equal(store_open(&s, &e), 0);
	store_free(s);
	assert_int_equal(fs_read(path, 1 << 24, &whole, &e), 0);
	assert_int_equal(truncate(path, (off_t)whole.len / 2), 0);
	assert_refused("damaged");
}

static void foreign_is_refused(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct store *s = NULL;

	(void)state;
	assert_int_equal(store_open(&s, &e), 0);
	assert_int_equal(sql_exec(s, "PRAGMA user_version = 0", &e), 0);
	store_free(s);
	assert_refused("not a store of kiln");
}

static void newer_is_refused(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct store *s = NULL;

	(void)state;
	assert_int_equal(store_open(&s, &e), 0);
	assert_int_equal(sql_exec(s, "PRAGMA user_version = 999", &e), 0);
	store_free(s);
	assert_refused("newer kiln");
}

static void folder_in_the_way(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_store_ struct store *s = NULL;
	_cleanup_free_ char *path = db_path();

	(void)state;
	assert_int_equal(fs_mkdirs(path, &e), 0);
	assert_true(store_open(&s, &e) < 0);
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.frame[0], path));
}

static void full_disk(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_store_ struct store *s = NULL;
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_free_ char *path = db_path();
	_cleanup_run_ struct run *run = NULL;
	int r = 0;

	(void)state;
	strv_add(&argv, "boot");
	assert_int_equal(store_open(&s, &e), 0);
	assert_int_equal(run_create(s, "boot", &argv, &run, &e), 0);
	assert_int_equal(sql_exec(s, "PRAGMA max_page_count = 1", &e), 0);
	for (int i = 0; r == 0 && i < 10000; i++) {
		_cleanup_free_ char *key = xasprintf("key-%d-%0200d", i, i);

		r = run_set(run, key, "value", &e);
	}
	assert_true(r < 0);
	assert_int_equal(e.code, ERR_DISK_FULL);
	assert_non_null(strstr(e.frame[0], path));
	assert_non_null(e.hint);
	/* The store stays usable, and works again once there is space. */
	err_release(&e);
	assert_int_equal(sql_exec(s, "PRAGMA max_page_count = 1000000", &e), 0);
	assert_int_equal(run_set(run, "after", "value", &e), 0);
}

/* Several processes create the store at once and write to it. */
static void processes_share(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_store_ struct store *s = NULL;
	struct run_info *list = NULL;
	size_t nr = 0;
	int status;

	(void)state;
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();
		struct strv argv = STRV_INIT;

		if (pid)
			continue;
		strv_addf(&argv, "worker-%d", i);
		if (store_open(&s, &e) < 0)
			_exit(1);
		for (int k = 0; k < 10; k++) {
			struct run *run = NULL;

			if (run_create(s, "boot", &argv, &run, &e) < 0 ||
			    run_finish(run, RUN_DONE, 0, &e) < 0)
				_exit(2);
			run_free(run);
		}
		_exit(0);
	}
	for (int i = 0; i < 4; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(store_open(&s, &e), 0);
	assert_int_equal(run_list(s, &list, &nr, &e), 0);
	assert_int_equal(nr, 40);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(list[i].state, RUN_DONE);
		run_info_release(&list[i]);
	}
	free(list);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, home_new, home_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fresh_and_again),
		TEST(damaged_is_named),
		TEST(half_a_store_is_damaged),
		TEST(foreign_is_refused),
		TEST(newer_is_refused),
		TEST(folder_in_the_way),
		TEST(full_disk),
		TEST(processes_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
