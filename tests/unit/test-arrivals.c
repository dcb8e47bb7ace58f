// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/arrivals.h"
#include "core/base/alloc.h"

#define JUMP                                               \
	"[    0.213152] kexec_core: Starting new kernel\n" \
	"[    0.000000] Linux version 6.1.192-kiln (kiln@kiln) #0 SMP\n"

static void console_says(struct arrivals *a, const char *text)
{
	console_feed(&a->console, text, strlen(text));
}

static void agent_says(struct arrivals *a, uint64_t seq, const char *word)
{
	_cleanup_buf_ struct buf line = BUF_INIT;
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_add(&words, word);
	frame_format("c0ffee", seq, &words, &line);
	frame_feed(&a->parser, line.data, line.len);
}

static void expect_mark(struct arrivals *a, enum console_event event)
{
	_cleanup_machine_event_ struct machine_event ev = { 0 };

	assert_true(arrivals_next(a, &ev));
	assert_int_equal(ev.type, MACHINE_MARK);
	assert_int_equal(ev.mark.event, event);
}

static void expect_message(struct arrivals *a, const char *word)
{
	_cleanup_machine_event_ struct machine_event ev = { 0 };

	assert_true(arrivals_next(a, &ev));
	assert_int_equal(ev.type, MACHINE_FRAME);
	assert_string_equal(frame_word(&ev.frame, 0), word);
}

static void expect_nothing(struct arrivals *a)
{
	_cleanup_machine_event_ struct machine_event ev = { 0 };

	assert_false(arrivals_next(a, &ev));
}

static void console_explains_messages(void **state)
{
	struct arrivals a = { 0 };

	(void)state;
	agent_says(&a, 7, "end");
	console_says(&a, "[    2.1] Kernel panic - not syncing: planted\n");
	expect_mark(&a, CONSOLE_PANIC);
	expect_message(&a, "end");
	expect_nothing(&a);
	arrivals_release(&a);
}

static void what_was_said_before_a_jump_comes_first(void **state)
{
	struct arrivals a = { 0 };

	(void)state;
	console_says(&a, JUMP);
	agent_says(&a, 1, "note");
	agent_says(&a, 2, "armed");
	expect_message(&a, "note");
	expect_message(&a, "armed");
	expect_mark(&a, CONSOLE_KEXEC);
	expect_mark(&a, CONSOLE_BANNER);
	expect_nothing(&a);
	arrivals_release(&a);
}

/* kiln did not run for so long that the next kernel's agent has reported already */
static void the_next_kernel_stays_behind_it(void **state)
{
	struct arrivals a = { 0 };

	(void)state;
	console_says(&a, JUMP);
	agent_says(&a, 1, "armed");
	agent_says(&a, 0, "hello");
	agent_says(&a, 1, "error");
	expect_message(&a, "armed");
	expect_mark(&a, CONSOLE_KEXEC);
	expect_mark(&a, CONSOLE_BANNER);
	expect_message(&a, "hello");
	expect_message(&a, "error");
	expect_nothing(&a);
	arrivals_release(&a);
}

static void a_held_message_is_not_lost(void **state)
{
	struct arrivals a = { 0 };

	(void)state;
	console_says(&a, JUMP);
	agent_says(&a, 0, "hello");
	expect_mark(&a, CONSOLE_KEXEC);
	arrivals_release(&a);
	expect_nothing(&a);
}

static void damage_is_told(void **state)
{
	_cleanup_machine_event_ struct machine_event ev = { 0 };
	struct arrivals a = { 0 };
	const char *line = "kiln1 c0ffee 1 00000000 armed\n";

	(void)state;
	console_says(&a, JUMP);
	frame_feed(&a.parser, line, strlen(line));
	assert_true(arrivals_next(&a, &ev));
	assert_int_equal(ev.type, MACHINE_BROKEN);
	assert_non_null(ev.text);
	expect_mark(&a, CONSOLE_KEXEC);
	arrivals_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(console_explains_messages),
		cmocka_unit_test(what_was_said_before_a_jump_comes_first),
		cmocka_unit_test(the_next_kernel_stays_behind_it),
		cmocka_unit_test(a_held_message_is_not_lost),
		cmocka_unit_test(damage_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
