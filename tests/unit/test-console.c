// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boot/console/console.h"
#include "core/base/alloc.h"

static void feed(struct console *c, const char *s)
{
	console_feed(c, s, strlen(s));
}

static void expect(struct console *c, enum console_event event, const char *text)
{
	const struct console_mark *m = console_next(c);

	assert_non_null(m);
	assert_int_equal(m->event, event);
	assert_string_equal(m->text, text);
}

static void kexec_and_banner(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "[    1.234567] kexec_core: Starting new kernel\r\n"
		 "[    0.000000] Linux version 6.1.192-kiln+ (kiln@kiln)\r\n"
		 "[    0.000000] Command line: console=ttyS0\r\n");
	expect(&c, CONSOLE_KEXEC, "kexec_core: Starting new kernel");
	expect(&c, CONSOLE_BANNER, "Linux version 6.1.192-kiln+ (kiln@kiln)");
	assert_null(console_next(&c));
	assert_string_equal(c.last, "Command line: console=ttyS0");
}

static void byte_by_byte(void **state)
{
	static const char text[] = "<0>[    2.5][    T1] Kernel panic - not syncing: "
				   "Attempted to kill init! exitcode=0x00000100\n";
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	for (size_t i = 0; i + 1 < strlen(text); i++) {
		console_feed(&c, text + i, 1);
		assert_null(console_next(&c));
	}
	feed(&c, "\n");
	expect(&c, CONSOLE_PANIC,
	       "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100");
}

static void reports_of_trouble(void **state)
{
	static const char *const lines[] = {
		"BUG: kernel NULL pointer dereference, address: 0000000000000008",
		"Oops: 0002 [#1] SMP NOPTI",
		"WARNING: CPU: 0 PID: 1 at arch/x86/kvm/svm/nested.c:123 f+0x1/0x2",
		"general protection fault, probably for non-canonical address 0x1: 0000",
		"kernel BUG at arch/x86/kvm/mmu/mmu.c:99!",
	};
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		feed(&c, "[   12.000001] ");
		feed(&c, lines[i]);
		feed(&c, "\n");
		expect(&c, i == 2 ? CONSOLE_WARN : CONSOLE_OOPS, lines[i]);
	}
}

/* Words in the middle of a line are somebody's talk, not the kernel's state. */
static void talk_is_no_event(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "[ 1.0] kiln: will print Kernel panic - not syncing later\n"
		 "[ 1.0] audit: comm=\"Linux version 1\"\n"
		 "[unfinished Linux version 5\n"
		 "[ 1.0] DEBUG: nothing\n\n\n");
	assert_null(console_next(&c));
}

static void firmware_is_seen(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "SeaBIOS (version 1.16.2-debian-1.16.2-1)\r\n");
	expect(&c, CONSOLE_FIRMWARE, "SeaBIOS (version 1.16.2-debian-1.16.2-1)");
}

static void controls_are_not_kept(void **state)
{
	static const char line[] = "Kernel panic - not syncing: \x1b[31mred\0\x07\n";
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	console_feed(&c, line, sizeof(line) - 1);
	expect(&c, CONSOLE_PANIC, "Kernel panic - not syncing: ?[31mred?");
}

static void long_lines_are_bounded(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "BUG: ");
	for (int i = 0; i < 100000; i++)
		feed(&c, "x");
	assert_true(c.line.len <= 1000);
	feed(&c, "\nLinux version 6\n");
	assert_non_null(console_next(&c));
	expect(&c, CONSOLE_BANNER, "Linux version 6");
}

/* Marks are handed out in order however feeding and taking alternate. */
static void order_is_kept(void **state)
{
	_cleanup_console_ struct console c = { 0 };
	unsigned int given = 0, taken = 0;

	(void)state;
	for (unsigned int round = 0; round < 60; round++) {
		for (unsigned int i = 0; i < round % 7; i++) {
			_cleanup_free_ char *line = xasprintf("BUG: %u\n", given++);

			feed(&c, line);
		}
		for (unsigned int i = 0; i < round % 5 && taken < given; i++) {
			_cleanup_free_ char *text = xasprintf("BUG: %u", taken++);

			expect(&c, CONSOLE_OOPS, text);
		}
	}
	assert_true(given > taken && taken > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kexec_and_banner),
		cmocka_unit_test(byte_by_byte),
		cmocka_unit_test(reports_of_trouble),
		cmocka_unit_test(talk_is_no_event),
		cmocka_unit_test(firmware_is_seen),
		cmocka_unit_test(controls_are_not_kept),
		cmocka_unit_test(long_lines_are_bounded),
		cmocka_unit_test(order_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
