// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/console/keep.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static char *folder(void)
{
	char *dir = xstrdup("/tmp/test-keep-XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void remove_folder(char **dir)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_remove_tree(*dir, &e), 0);
	free(*dir);
}

/* All bytes as they came, and beside them when, with marks at their offsets. */
static void bytes_times_and_marks(void **state)
{
	_cleanup_(remove_folder) char *dir = folder();
	_cleanup_free_ char *path = fs_path(dir, "c"), *times = fs_path(dir, "c.times");
	_cleanup_buf_ struct buf b = BUF_INIT, t = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *last = NULL;
	unsigned long long at, mono, epoch;
	char mark[20];
	struct keep *k;

	(void)state;
	assert_int_equal(keep_open(path, &k, &e), 0);
	assert_int_equal(keep_mark(k, "attempt abc", &e), 0);
	assert_int_equal(keep_write(k, "one\0\x1b[m\r\n", 9, &e), 0);
	assert_int_equal(keep_mark(k, "jump", &e), 0);
	assert_int_equal(keep_write(k, "[    1.0][    T1] tw\x7fo\r\n\n", 25, &e), 0);
	keep_free(k);
	assert_int_equal(fs_read(path, 1000, &b, &e), 0);
	assert_int_equal(b.len, 34);
	assert_memory_equal(b.data, "one\0\x1b[m\r\n[", 10);
	assert_int_equal(fs_read(times, 1000, &t, &e), 0);
	assert_int_equal(
		sscanf(t.data, "%llu %llu %llu %19[^\n]", &at, &mono, &epoch, mark), 4);
	assert_int_equal(at, 0);
	assert_string_equal(mark, "attempt abc");
	assert_non_null(strstr(t.data, " jump\n"));
	assert_int_equal(sscanf(strstr(t.data, "\n9 ") + 1, "%llu %llu %llu %19s", &at,
				&mono, &epoch, mark),
			 4);
	assert_string_equal(mark, "jump");
	last = keep_last_line(path);
	assert_string_equal(last, "tw?o");
}

/* 100 MB: the first 64 MiB, how much is missing, and the end. */
static void flood_is_bounded(void **state)
{
	_cleanup_(remove_folder) char *dir = folder();
	_cleanup_free_ char *path = fs_path(dir, "c"), *block = xzalloc(1 << 20);
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *last = NULL;
	struct keep *k;

	(void)state;
	memset(block, 'x', 1 << 20);
	assert_int_equal(keep_open(path, &k, &e), 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(keep_write(k, block, 1 << 20, &e), 0);
	assert_int_equal(keep_write(k, "\nlast words\n", 12, &e), 0);
	keep_free(k);
	assert_int_equal(fs_read(path, KEEP_MAX + KEEP_TAIL + 100, &b, &e), 0);
	assert_non_null(memmem(b.data + KEEP_MAX, 40, "[kiln: 37683212 bytes were", 26));
	last = keep_last_line(path);
	assert_string_equal(last, "last words");
}

static void nothing_to_say(void **state)
{
	(void)state;
	assert_null(keep_last_line("/nonexistent"));
}

/* A full disk is the environment's failure, by its name. */
static void disk_full(void **state)
{
	_cleanup_(remove_folder) char *dir = folder();
	_cleanup_free_ char *path = fs_path(dir, "c");
	_cleanup_err_ struct err e = { 0 };
	_cleanup_keep_ struct keep *k = NULL;

	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip();
	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_equal(keep_open(path, &k, &e), 0);
	assert_int_equal(keep_write(k, "x", 1, &e), -ERR_DISK_FULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_times_and_marks),
		cmocka_unit_test(flood_is_bounded),
		cmocka_unit_test(nothing_to_say),
		cmocka_unit_test(disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
