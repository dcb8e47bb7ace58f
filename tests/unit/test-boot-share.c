// SPDX-License-Identifier: GPL-3.0-or-later
/* What leaves the host for a machine, and what boot_run() refuses before it starts one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/target/boot.h"
#include "boot/target/program.h"
#include "boot/target/share.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static int setup(void **state)
{
	*state = xstrdup("/tmp/kiln-share-XXXXXX");
	if (!mkdtemp(*state))
		return -1;
	return setenv("KILN_HOME", *state, 1);
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

static bool ends_with(const struct strv *s, const char *name)
{
	for (size_t i = 0; i < s->nr; i++)
		if (strstr(s->v[i], name))
			return true;
	return false;
}

static void programs_and_their_libraries(void **state)
{
	_cleanup_program_ struct program p = { 0 };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(program_resolve("cpio", &p, &e), 0);
	assert_true(fs_exists(p.path) && fs_exists(p.loader));
	assert_true(ends_with(&p.libs, "/libc.so"));
	for (size_t i = 0; i < p.libs.nr; i++)
		assert_true(fs_exists(p.libs.v[i]));
}

static void programs_that_cannot_be_used(void **state)
{
	_cleanup_free_ char *text = fs_path(*state, "text");
	_cleanup_free_ char *cut = fs_path(*state, "cut");
	static const char elf[] = "\177ELF\2\1\1";
	const char *const bad[] = { text, cut };
	_cleanup_program_ struct program p = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(program_resolve("no-such-program", &p, &e), -ERR_TOOL_MISSING);
	assert_non_null(e.hint);
	err_release(&e);
	assert_int_equal(fs_write(text, "#!/bin/sh\n", 10, &e), 0);
	assert_int_equal(fs_write(cut, elf, sizeof(elf), &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e2 = { 0 };

		assert_int_equal(chmod(bad[i], 0755), 0);
		assert_int_equal(program_resolve(bad[i], &p, &e2), -ERR_TOOL_FAILED);
	}
	assert_null(p.path);
}

/* The folder is complete: QEMU starts from it alone. */
static void tools_are_whole_and_made_once(void **state)
{
	_cleanup_free_ char *dir = NULL, *again = NULL, *digest = NULL, *same = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = 60000, .out = &out };
	struct stat before, after;

	(void)state;
	assert_int_equal(share_tools(&dir, &digest, &e), 0);
	assert_int_equal(stat(dir, &before), 0);
	assert_int_equal(share_tools(&again, &same, &e), 0);
	assert_int_equal(stat(again, &after), 0);
	assert_string_equal(dir, again);
	assert_string_equal(digest, same);
	assert_int_equal(strlen(digest), 40);
	assert_true(before.st_ino == after.st_ino);
	strv_addf(&argv, "%s/ld.so", dir);
	strv_addl(&argv, "--inhibit-cache", "--library-path", NULL);
	strv_addf(&argv, "%s/lib", dir);
	strv_addf(&argv, "%s/qemu", dir);
	strv_add(&argv, "--version");
	assert_int_equal(spawn_check(&s, &e), 0);
	assert_non_null(strstr(buf_str(&out), "QEMU emulator version"));
	for (int i = 0; i < 2; i++) {
		_cleanup_free_ char *fw =
			fs_path(dir, i ? "fw/linuxboot_dma.bin" : "fw/bios-256k.bin");

		assert_true(fs_exists(fw));
	}
}

/* Half-made tools are made anew. */
static void damaged_tools_are_replaced(void **state)
{
	_cleanup_free_ char *dir = NULL, *again = NULL, *manifest = NULL, *qemu = NULL;
	_cleanup_free_ char *digest = NULL, *same = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(share_tools(&dir, &digest, &e), 0);
	manifest = fs_path(dir, "manifest");
	qemu = fs_path(dir, "qemu");
	assert_int_equal(unlink(manifest), 0);
	assert_int_equal(unlink(qemu), 0);
	assert_int_equal(share_tools(&again, &same, &e), 0);
	assert_string_equal(dir, again);
	assert_string_equal(digest, same);
	assert_int_equal(strlen(digest), 40);
	assert_true(fs_exists(qemu) && fs_exists(manifest));
}

static void leftovers_are_swept_but_not_the_living(void **state)
{
	_cleanup_(share_boot_release) struct share_boot a = { 0 }, b = { 0 };
	_cleanup_free_ char *dead = fs_path(*state, "cache/boots/dead");
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_mkdirs(dead, &e), 0);
	assert_int_equal(share_boot_make(&a, &e), 0);
	assert_false(fs_exists(dead));
	assert_int_equal(share_boot_make(&b, &e), 0);
	assert_true(fs_is_dir(a.dir) && fs_is_dir(b.dir));
	assert_string_not_equal(a.dir, b.dir);
}

static int refuse(enum target_kind kind, const char *accel, const char *append,
		  const char *agent, struct err *e)
{
	char name[] = "moon";
	struct target target = { .name = name, .kind = kind };
	struct boot_spec s = { .target = &target,
			       .accel = accel,
			       .base = { .image = "/bin/true" },
			       .candidate = { .image = "/bin/true", .build_id = "00" },
			       .append = append,
			       .agent = agent,
			       .console = "/dev/null" };
	struct boot_result *b = NULL;
	int r = boot_run(&s, &b, e);

	assert_null(b);
	return r;
}

static void bad_requests(void **state)
{
	struct err e[5] = { 0 };
	_cleanup_buf_ struct buf longest = BUF_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++)
		buf_addc(&longest, 'x');
	assert_int_equal(refuse(TARGET_LOCAL, "auto", "", "/bin/true", &e[0]),
			 -ERR_POLICY);
	assert_non_null(strstr(e[0].frame[0], "kiln may not reboot it"));
	assert_int_equal(refuse(TARGET_QEMU, "warp", "", "/bin/true", &e[1]), -ERR_USAGE);
	assert_int_equal(refuse(TARGET_QEMU, "tcg", "", "/nonexistent", &e[2]), -ERR_IO);
	assert_int_equal(refuse(TARGET_QEMU, "tcg", buf_str(&longest), "/bin/true",
				&e[3]),
			 -ERR_TOO_BIG);
	assert_int_equal(refuse(TARGET_QEMU, "tcg", "\n", "/bin/true", &e[4]),
			 -ERR_USAGE);
	for (size_t i = 0; i < ARRAY_SIZE(e); i++)
		err_release(&e[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_and_their_libraries),
		cmocka_unit_test_setup_teardown(programs_that_cannot_be_used, setup,
						teardown),
		cmocka_unit_test_setup_teardown(tools_are_whole_and_made_once, setup,
						teardown),
		cmocka_unit_test_setup_teardown(damaged_tools_are_replaced, setup,
						teardown),
		cmocka_unit_test_setup_teardown(leftovers_are_swept_but_not_the_living,
						setup, teardown),
		cmocka_unit_test_setup_teardown(bad_requests, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
