// SPDX-License-Identifier: GPL-3.0-or-later
/* Files whole, folders deep, locks, and where kiln keeps its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"

static int dir_new(void **state)
{
	char *dir = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");

	assert_non_null(mkdtemp(dir));
	*state = dir;
	return 0;
}

static int dir_gone(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

static void written_and_read(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *path = fs_path(*state, "file");
	struct stat st;

	assert_int_equal(fs_write(path, "one\0two", 7, &e), 0);
	assert_int_equal(fs_write(path, "new", 3, &e), 0);
	buf_adds(&b, "before ");
	assert_int_equal(fs_read(path, 3, &b, &e), 0);
	assert_string_equal(buf_str(&b), "before new");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_true(fs_read(path, 2, &b, &e) < 0);
	assert_int_equal(e.code, ERR_TOO_BIG);
	assert_non_null(strstr(e.frame[0], path));
}

static void unreadable_is_named(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *path = fs_path(*state, "absent/file");

	assert_true(fs_read(path, 10, &b, &e) < 0);
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.frame[0], path));
	assert_true(fs_read(*state, 10, &b, &e) < 0); /* a folder */
	assert_true(fs_write(path, "x", 1, &e) < 0);
	assert_non_null(strstr(e.frame[0], path));
}

static void full_disk(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_true(fs_write_fd(fd, "x", 1, &e) < 0);
	assert_int_equal(e.code, ERR_DISK_FULL);
	close(fd);
}

/* A write that fails half-way leaves the old file, and no temporary one. */
static void failed_write_changes_nothing(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *path = fs_path(*state, "file");
	struct rlimit old, small = { 4096, RLIM_INFINITY };
	static char big[8192];
	DIR *dir;
	int n = 0, r;

	assert_int_equal(fs_write(path, "old", 3, &e), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	r = fs_write(path, big, sizeof(big), &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_true(r < 0);
	assert_int_equal(e.code, ERR_IO);
	assert_int_equal(fs_read(path, 100, &b, &e), 0);
	assert_string_equal(buf_str(&b), "old");
	dir = opendir(*state);
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	assert_int_equal(n, 3); /* ".", ".." and the file */
}

static void folders(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *deep = fs_path(*state, "a/b//c"),
			    *file = fs_path(*state, "f");
	_cleanup_free_ char *below = fs_path(file, "x");
	struct stat st;

	assert_int_equal(fs_mkdirs(deep, &e), 0);
	assert_int_equal(fs_mkdirs(deep, &e), 0);
	assert_true(fs_is_dir(deep));
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(fs_write(file, "", 0, &e), 0);
	assert_true(fs_mkdirs(file, &e) < 0);
	assert_true(fs_mkdirs(below, &e) < 0);
	assert_true(fs_mkdirs("", &e) < 0);
	assert_false(fs_is_dir(file));
	assert_true(fs_exists(file));
}

static void copies_keep_the_mode(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *from = fs_path(*state, "from"), *to = fs_path(*state, "to");
	struct stat st;

	assert_int_equal(fs_write(from, "x\0y", 3, &e), 0);
	assert_int_equal(chmod(from, 0750), 0);
	assert_int_equal(fs_write(to, "old contents", 12, &e), 0);
	assert_int_equal(fs_copy(from, to, &e), 0);
	assert_int_equal(fs_read(to, 10, &b, &e), 0);
	assert_int_equal(b.len, 3);
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0750);
	assert_int_equal(unlink(from), 0);
	assert_true(fs_copy(from, to, &e) < 0);
	assert_true(fs_exists(to));
}

static void removal_does_not_follow_links(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *keep = fs_path(*state, "keep"),
			    *tree = fs_path(*state, "tree");
	_cleanup_free_ char *inner = fs_path(tree, "x/y"), *link = fs_path(tree, "link");
	_cleanup_free_ char *file = fs_path(keep, "file"),
			    *direct = fs_path(*state, "direct");

	assert_int_equal(fs_mkdirs(keep, &e), 0);
	assert_int_equal(fs_write(file, "x", 1, &e), 0);
	assert_int_equal(fs_mkdirs(inner, &e), 0);
	assert_int_equal(symlink(keep, link), 0);
	assert_int_equal(symlink(keep, direct), 0);
	assert_int_equal(chmod(inner, 0500), 0);
	assert_int_equal(fs_remove_tree(tree, &e), 0);
	assert_int_equal(fs_remove_tree(direct, &e), 0);
	assert_int_equal(fs_remove_tree(tree, &e), 0); /* absent is success */
	assert_false(fs_exists(tree));
	assert_true(fs_exists(file));
}

static void programs(void **state)
{
	_cleanup_free_ char *sh = fs_find_program("sh"),
			    *none = fs_find_program("no-such-tool");
	_cleanup_free_ char *slash = fs_find_program("/bin/sh");
	_cleanup_free_ char *dir = fs_find_program("no/such");

	(void)state;
	assert_non_null(sh);
	assert_int_equal(sh[0], '/');
	assert_null(none);
	assert_string_equal(slash, "/bin/sh");
	assert_null(dir);
}

static void own_folders(void **state)
{
	char *s;

	(void)state;
	setenv("KILN_HOME", "/h", 1);
	s = fs_cache_dir();
	assert_string_equal(s, "/h/cache");
	free(s);
	s = fs_state_dir();
	assert_string_equal(s, "/h/state");
	free(s);
	setenv("KILN_HOME", "", 1);
	setenv("XDG_STATE_HOME", "/x", 1);
	setenv("XDG_CACHE_HOME", "relative", 1); /* the standard says: ignore it */
	setenv("HOME", "/home/u", 1);
	s = fs_state_dir();
	assert_string_equal(s, "/x/kiln");
	free(s);
	s = fs_cache_dir();
	assert_string_equal(s, "/home/u/.cache/kiln");
	free(s);
	unsetenv("XDG_STATE_HOME");
	s = fs_state_dir();
	assert_string_equal(s, "/home/u/.local/state/kiln");
	free(s);
}

/* A lock keeps others out until its holder closes it or is killed. */
static void locks(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *path = fs_path(*state, "lock");
	int fd = -1, other = -1, status, ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(fs_lock(path, 0, &fd, &e), 0);
	assert_true(fs_lock(path, 0, &other, &e) < 0);
	assert_int_equal(e.code, ERR_TIMEOUT);
	assert_int_equal(other, -1);
	assert_non_null(strstr(e.frame[0], path));
	close(fd);
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (fs_lock(path, 0, &fd, &e) == 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_true(fs_lock(path, 0, &other, &e) < 0);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_int_equal(fs_lock(path, 1000, &other, &e), 0);
	close(other);
	close(ready[0]);
	close(ready[1]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, dir_new, dir_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(written_and_read),
		TEST(unreadable_is_named),
		TEST(full_disk),
		TEST(failed_write_changes_nothing),
		TEST(folders),
		TEST(copies_keep_the_mode),
		TEST(removal_does_not_follow_links),
		TEST(programs),
		TEST(own_folders),
		TEST(locks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
