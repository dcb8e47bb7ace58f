// SPDX-License-Identifier: GPL-3.0-or-later
/* What the agent is asked, and the command lines kexec hands on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/cmdline.h"
#include "boot/command.h"
#include "core/base/alloc.h"

static void frame_of(const char *text, struct frame *ret)
{
	_cleanup_free_ char *copy = xstrdup(text);
	char *rest = copy;

	for (char *w; (w = strsep(&rest, "|"));)
		strv_add(&ret->words, w);
}

static void refused(const char *text, const char *why)
{
	_cleanup_frame_ struct frame f = { 0 };
	struct command c;
	const char *said;

	frame_of(text, &f);
	said = command_parse(&f, &c);
	if (!said || !strstr(said, why))
		fail_msg("'%s': %s", text, said ?: "taken");
}

static void commands(void **state)
{
	const struct command_limits limits = { 1, 2, 3 };
	_cleanup_frame_ struct frame f = { 0 }, exec = { 0 };
	struct command c;

	(void)state;
	command_run("t", true, &limits, &f.words);
	strv_addl(&f.words, "/x", "y", NULL);
	assert_null(command_parse(&f, &c));
	assert_int_equal(c.type, COMMAND_RUN);
	assert_true(c.guest && c.limits.cpu_s == 1 && c.limits.wall_s == 2 &&
		    c.limits.out_bytes == 3);
	assert_string_equal(c.argv[1], "y");
	assert_null(c.argv[2]);
	frame_of("exec|/k|/i|line", &exec);
	assert_null(command_parse(&exec, &c));
	assert_string_equal(c.cmdline, "line");
	refused("exec|/k|/i", "wants an image");
	refused("exec|k|/i|x", "absolute");
	refused("run|t|program|0|0|0", "wants a task");
	refused("run|t|daemon|0|0|0|/x", "programs and guests");
	refused("run|t|program|-1|0|0|/x", "limit");
	refused("run|t|program|0|0|99999999999999999999|/x", "limit");
	refused("run||program|0|0|0|/x", "name");
	refused("run|t|program|0|0|0|x", "absolute");
	refused("stop", "too few");
	refused("count", "wants a task");
	refused("tell|t", "too few");
	refused("tell|t|go|on", "too few or too many");
	refused("ping|x", "too few or too many");
	refused("reboot", "no such command");
}

/* Tokens, loaders' words and an older kexec's do not pile up from jump to jump. */
static void carried_words(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT, again = BUF_INIT;

	(void)state;
	cmdline_carry(
		"BOOT_IMAGE=/vmlinuz root=/dev/sda1  ro initrd=\\i.img quiet "
		"kiln.token=1 kiln.via=kexec:1 dyndbg=\"file x +p\" acpi_rsdp=0x1\n",
		&b);
	assert_string_equal(b.data, "root=/dev/sda1 ro quiet dyndbg=\"file x +p\"");
	cmdline_add(&b, "kiln.token=2");
	cmdline_carry(b.data, &again);
	assert_string_equal(again.data, "root=/dev/sda1 ro quiet dyndbg=\"file x +p\"");
}

static void the_last_value_counts(void **state)
{
	_cleanup_free_ char *last = cmdline_value("a=1 xa=2 a=3 b", "a");
	_cleanup_free_ char *none = cmdline_value("xa=2\n a\n", "a");

	(void)state;
	assert_string_equal(last, "3");
	assert_null(none);
}

/* x86 takes 2047 bytes and the NUL. */
static void bounded(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < CMDLINE_MAX; i++)
		buf_addc(&b, 'x');
	assert_null(cmdline_check(b.data));
	buf_addc(&b, 'x');
	assert_non_null(cmdline_check(b.data));
	assert_non_null(cmdline_check("a\nb"));
	assert_non_null(cmdline_check("a\x7f"));
}

/* D45: the address that EFI hands out is found anew for each jump. */
static void acpi_root_pointer(void **state)
{
	_cleanup_free_ char *both = cmdline_rsdp("ACPI20=0xbff7e014\nACPI=0xbff7e000\n");
	_cleanup_free_ char *old = cmdline_rsdp("SMBIOS=0x1\nACPI=0xbff7e000\n");

	(void)state;
	assert_string_equal(both, "0xbff7e014");
	assert_string_equal(old, "0xbff7e000");
	assert_null(cmdline_rsdp(""));
	assert_null(cmdline_rsdp("XACPI=0x12\n"));
	assert_null(cmdline_rsdp("ACPI=0x\n"));
	assert_null(cmdline_rsdp("ACPI=0x12 init=/bin/sh\n"));
	assert_null(cmdline_rsdp("ACPI=0x11112222333344445\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands),
		cmocka_unit_test(carried_words),
		cmocka_unit_test(the_last_value_counts),
		cmocka_unit_test(bounded),
		cmocka_unit_test(acpi_root_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
