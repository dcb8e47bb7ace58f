// SPDX-License-Identifier: GPL-3.0-or-later
/* Whose word counts for what QEMU is started with: the boot's, the target's, kiln's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/qemu-args.h"

/* What follows the option, "" when it is not there. */
static const char *value(const struct strv *argv, const char *option)
{
	for (size_t i = 0; i + 1 < argv->nr; i++)
		if (!strcmp(argv->v[i], option))
			return argv->v[i + 1];
	return "";
}

static void expect(const struct target *t, unsigned int vcpus, const char *smp,
		   const char *memory, const char *cpu)
{
	struct machine_opts o = { .target = t,
				  .accel = "kvm",
				  .kernel = "/k",
				  .initrd = "/i",
				  .append = "quiet",
				  .boot_dir = "/b",
				  .vcpus = vcpus };
	_cleanup_strv_ struct strv argv = STRV_INIT;

	qemu_args(&o, &argv);
	assert_string_equal(value(&argv, "-smp"), smp);
	assert_string_equal(value(&argv, "-m"), memory);
	assert_string_equal(value(&argv, "-cpu"), cpu);
}

static void whose_word_counts(void **state)
{
	char cpu[] = "EPYC";
	struct target plain = { .kind = TARGET_QEMU };
	struct target own = {
		.kind = TARGET_QEMU, .cpu = cpu, .memory_mib = 2048, .smp = 3
	};

	(void)state;
	expect(&plain, 0, "1", "1024", "host");
	expect(&plain, 2, "2", "1024", "host");
	expect(&own, 0, "3", "2048", "EPYC");
	expect(&own, 1, "1", "2048", "EPYC");
	expect(&own, 4, "4", "2048", "EPYC");
}

/* The target's processors are L0's alone. */
static void guest_has_those_of_the_boot(void **state)
{
	struct boot_shape shape = { .vcpus = 2, .huge_pages = true }, none = { 0 };
	_cleanup_strv_ struct strv two = STRV_INIT, one = STRV_INIT;

	(void)state;
	qemu_guest_args(&(struct qemu_guest){ NULL, "guest", "i", "quiet", "/d",
					      "/d/tools", "/d/huge", &shape },
			&two);
	qemu_guest_args(&(struct qemu_guest){ NULL, "guest", "i", "quiet", "/d",
					      "/d/tools", "/d/huge", &none },
			&one);
	assert_string_equal(value(&two, "-smp"), "2");
	assert_string_equal(value(&one, "-smp"), "1");
	assert_string_equal(value(&two, "-mem-path"), "/d/huge");
	assert_string_equal(value(&one, "-mem-path"), "");
}

/* All that a guest is made of is where the machine was told that it is. */
static void guest_comes_from_its_folders(void **state)
{
	struct boot_shape shape = { 0 };
	_cleanup_strv_ struct strv argv = STRV_INIT;

	(void)state;
	qemu_guest_args(&(struct qemu_guest){ NULL, "guest", "i", "quiet", "/d", "/t",
					      "/h", &shape },
			&argv);
	assert_string_equal(argv.v[0], "/t/ld.so");
	assert_string_equal(value(&argv, "--library-path"), "/t/lib");
	assert_string_equal(argv.v[3], "/t/qemu");
	assert_string_equal(value(&argv, "-L"), "/t/fw");
	assert_string_equal(value(&argv, "-kernel"), "/d/guest");
	assert_string_equal(value(&argv, "-initrd"), "/d/i");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whose_word_counts),
		cmocka_unit_test(guest_has_those_of_the_boot),
		cmocka_unit_test(guest_comes_from_its_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
