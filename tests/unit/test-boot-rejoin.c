// SPDX-License-Identifier: GPL-3.0-or-later
/* What is kept of a boot that may outlive kiln, and a boot that goes on from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/rejoin.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define GUEST "ffeeddccbbaa99887766554433221100"
#define BOOT "11111111-2222-3333-4444-555555555555"
#define DIGEST "0123456789012345678901234567890123456789"
#define WHOLE "kiln-boot 1\n" DIGEST "\n" TOKEN "\n" BOOT "\n-s\n" GUEST "\n"

static int setup(void **state)
{
	char *dir = xstrdup("/tmp/test-rejoin-XXXXXX");

	*state = mkdtemp(dir);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	int r = fs_remove_tree(*state, &e);

	free(*state);
	return r;
}

static void what_was_kept_comes_back(void **state)
{
	_cleanup_free_ char *console = fs_path(*state, "c"), *path = NULL;
	char token[] = TOKEN, boot[] = BOOT, load[] = "-s", guest[] = GUEST,
	     *guests[] = { guest };
	struct rejoin r = { token, boot, load, { guests, 1 } };
	_cleanup_rejoin_ struct rejoin back = { 0 };
	_cleanup_err_ struct err e = { 0 };

	path = xasprintf("%s.boot", console);
	assert_false(rejoin_read(console, DIGEST, &back));
	assert_int_equal(rejoin_write(console, DIGEST, &r, &e), 0);
	assert_false(rejoin_read(console, "another", &back));
	assert_true(rejoin_read(console, DIGEST, &back));
	assert_string_equal(back.token, TOKEN);
	assert_string_equal(back.base_boot_id, BOOT);
	assert_string_equal(back.load, "-s");
	assert_int_equal(back.guests.nr, 1);
	assert_string_equal(back.guests.v[0], GUEST);
	rejoin_forget(console);
	assert_false(fs_exists(path));
}

/* Every cut, and every byte that is another one, but for those of the load and of hex. */
static void damage_is_no_boot(void **state)
{
	_cleanup_free_ char *console = fs_path(*state, "c");
	_cleanup_free_ char *path = xasprintf("%s.boot", console);
	size_t len = strlen(WHOLE);

	for (size_t i = 0; i < len - strlen(GUEST) - 1; i++) {
		_cleanup_rejoin_ struct rejoin cut = { 0 };
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(fs_write(path, WHOLE, i, &e), 0);
		/* the last line feed says nothing, and a boot may have no guest */
		if (i < len - strlen(GUEST) - 2)
			assert_false(rejoin_read(console, DIGEST, &cut));
	}
	for (size_t i = 0; i < len - strlen(GUEST) - 5; i++) {
		_cleanup_rejoin_ struct rejoin bad = { 0 };
		_cleanup_free_ char *text = xstrdup(WHOLE);
		_cleanup_err_ struct err e = { 0 };

		text[i] = '\'';
		assert_int_equal(fs_write(path, text, len, &e), 0);
		assert_false(rejoin_read(console, DIGEST, &bad));
	}
}

static char *digest(const struct boot_spec *s, const char *qemu)
{
	_cleanup_err_ struct err e = { 0 };
	char *ret = NULL;

	assert_int_equal(rejoin_digest(s, qemu, &ret, &e), 0);
	return ret;
}

/* Whatever a result depends on makes it another boot. */
static void another_boot_is_another(void **state)
{
	char lab[] = "lab", moon[] = "moon", arg[] = "windows=2", *args[] = { arg };
	struct target t = { .name = lab }, other = { .name = moon };
	struct boot_task task = { .name = "a", .level = 1, .program = "/bin/true" };
	struct task_list tasks = { &task, 1 };
	struct boot_spec s = { .target = &t, .agent = "/bin/true", .tasks = &tasks };
	struct boot_spec v[6] = { s, s, s, s, s, s };
	struct boot_task more = task, level = task, program = task;
	struct task_list lists[] = { { &more, 1 }, { &level, 1 }, { &program, 1 } };
	_cleanup_free_ char *first = digest(&s, "q"), *same = digest(&s, "q");
	_cleanup_free_ char *qemu = digest(&s, "other");

	(void)state;
	more.args = (struct strv){ args, 1 };
	level.level = 0;
	program.program = "/bin/false";
	v[0].target = &other;
	v[1].candidate.build_id = "00";
	v[2].append = "quiet";
	for (int i = 0; i < 3; i++)
		v[3 + i].tasks = &lists[i];
	assert_string_equal(first, same);
	assert_string_not_equal(first, qemu);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		_cleanup_free_ char *d = digest(&v[i], "q");

		assert_string_not_equal(first, d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_kept_comes_back, setup,
						teardown),
		cmocka_unit_test_setup_teardown(damage_is_no_boot, setup, teardown),
		cmocka_unit_test(another_boot_is_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
