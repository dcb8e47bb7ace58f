// SPDX-License-Identifier: GPL-3.0-or-later
/* Archives are read back by the real cpio. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/cpio.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static int setup(void **state)
{
	*state = xstrdup("/tmp/kiln-cpio-XXXXXX");
	return mkdtemp(*state) ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

/* Everything an initramfs has, with lengths that need 0 to 3 bytes of padding. */
static void fill(struct cpio *c)
{
	static const char *const names[] = { "a", "ab", "abc", "abcd", "abcde" };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf data = BUF_INIT;

	assert_int_equal(cpio_dir(c, "dev", &e), 0);
	assert_int_equal(cpio_chardev(c, "dev/console", 5, 1, &e), 0);
	assert_int_equal(cpio_chardev(c, "dev/null", 1, 3, &e), 0);
	assert_int_equal(cpio_data(c, "empty", 0600, &data, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		buf_addc(&data, i == 2 ? '\0' : 'x');
		assert_int_equal(cpio_data(c, names[i], 0755, &data, &e), 0);
	}
	assert_int_equal(cpio_link(c, "link", "abc", &e), 0);
	cpio_finish(c);
}

static void cpio_tool(const char *dir, const char *flag, const struct buf *archive,
		      struct buf *out)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv,
			   .dir = dir,
			   .timeout_ms = 30000,
			   .in = archive->data,
			   .in_len = archive->len,
			   .out = out };

	strv_addl(&argv, "cpio", "--quiet", "--no-preserve-owner", flag, NULL);
	assert_int_equal(spawn_check(&s, &e), 0);
}

static void lists_as_written(void **state)
{
	_cleanup_cpio_ struct cpio c = CPIO_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;

	fill(&c);
	cpio_tool(*state, "-it", &c.out, &out);
	assert_string_equal(buf_str(&out),
			    "dev\ndev/console\ndev/null\nempty\na\nab\nabc\nabcd\nabcde\n"
			    "link\n");
}

static void extracts_as_written(void **state)
{
	_cleanup_cpio_ struct cpio c = CPIO_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT, data = BUF_INIT;
	_cleanup_free_ char *path = fs_path(*state, "abcde");
	_cleanup_free_ char *link = fs_path(*state, "link");
	_cleanup_free_ char *console = fs_path(*state, "dev/console");
	_cleanup_err_ struct err e = { 0 };
	char target[8] = { 0 };
	struct stat st;

	if (geteuid() != 0)
		skip(); /* device nodes cannot be made */
	fill(&c);
	cpio_tool(*state, "-i", &c.out, &out);
	assert_int_equal(fs_read(path, 100, &data, &e), 0);
	assert_int_equal(data.len, 5);
	assert_memory_equal(data.data, "xx\0xx", 5);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(readlink(link, target, sizeof(target) - 1), 3);
	assert_string_equal(target, "abc");
	assert_int_equal(stat(console, &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(st.st_rdev, 5 << 8 | 1);
}

static void same_contents_same_bytes(void **state)
{
	_cleanup_cpio_ struct cpio a = CPIO_INIT, b = CPIO_INIT;

	(void)state;
	fill(&a);
	fill(&b);
	assert_int_equal(a.out.len, b.out.len);
	assert_memory_equal(a.out.data, b.out.data, a.out.len);
}

static void bad_input_is_refused(void **state)
{
	_cleanup_cpio_ struct cpio c = CPIO_INIT;
	_cleanup_err_ struct err e = { 0 }, e2 = { 0 };
	_cleanup_buf_ struct buf name = BUF_INIT;

	(void)state;
	for (int i = 0; i < 5000; i++)
		buf_addc(&name, 'n');
	assert_int_equal(cpio_dir(&c, buf_str(&name), &e), -ERR_TOO_BIG);
	assert_int_equal(cpio_file(&c, "x", "/nonexistent/file", &e2), -ERR_IO);
	assert_int_equal(c.out.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists_as_written, setup, teardown),
		cmocka_unit_test_setup_teardown(extracts_as_written, setup, teardown),
		cmocka_unit_test(same_contents_same_bytes),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
