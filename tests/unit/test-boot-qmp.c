// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/qmp.h"

static enum qmp_news say(struct qmp *q, const char *line)
{
	_cleanup_err_ struct err e = { 0 };
	enum qmp_news news;

	assert_int_equal(qmp_feed(q, line, strlen(line), &e), 0);
	assert_int_equal(qmp_next(q, &news, &e), 0);
	return news;
}

static void negotiates_and_asks(void **state)
{
	_cleanup_(qmp_release) struct qmp q = { 0 };

	(void)state;
	assert_int_equal(say(&q, "{\"QMP\": {\"version\": {\"qemu\": "
				 "{\"major\": 7, \"minor\": 2, \"micro\": 13}}"),
			 QMP_NOTHING);
	assert_int_equal(q.out.len, 0);
	assert_int_equal(say(&q, "}}\r\n"), QMP_OTHER);
	assert_string_equal(q.version, "7.2.13");
	assert_non_null(strstr(buf_str(&q.out), "qmp_capabilities"));
	assert_non_null(strstr(buf_str(&q.out), "query-kvm"));
	assert_int_equal(say(&q, "{\"return\": {}}\r\n"), QMP_OTHER);
	assert_false(q.kvm_known);
}

/* "present" means compiled in; only "enabled" is what runs. */
static void accelerator(void **state)
{
	_cleanup_(qmp_release) struct qmp tcg = { 0 }, kvm = { 0 };

	(void)state;
	assert_int_equal(say(&tcg,
			     "{\"return\": {\"enabled\": false, \"present\": true}, "
			     "\"id\": \"accel\"}\r\n"),
			 QMP_ACCEL);
	assert_true(tcg.kvm_known);
	assert_false(tcg.kvm);
	assert_int_equal(say(&kvm, "{\"return\": {\"enabled\": true, \"present\": true}, "
				   "\"id\": \"accel\"}\r\n"),
			 QMP_ACCEL);
	assert_true(kvm.kvm);
}

static void events(void **state)
{
	_cleanup_(qmp_release) struct qmp q = { 0 };

	(void)state;
	assert_int_equal(say(&q, "{\"event\": \"RTC_CHANGE\", \"data\": {}}\n"),
			 QMP_OTHER);
	assert_int_equal(say(&q, "{\"event\": \"SHUTDOWN\", \"data\": {\"reason\": "
				 "\"guest-reset\"}}\n"),
			 QMP_DOWN);
	assert_string_equal(q.text, "SHUTDOWN: guest-reset");
	assert_int_equal(say(&q, "{\"event\": \"GUEST_PANICKED\"}\n"), QMP_PANICKED);
}

static void refusals_and_nonsense_are_errors(void **state)
{
	static const char *const lines[] = {
		"{\"error\": {\"desc\": \"no such command\"}}\n",
		"not json\n",
		"[]\n",
		"\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(qmp_release) struct qmp q = { 0 };
		_cleanup_err_ struct err e = { 0 };
		enum qmp_news news;

		assert_int_equal(qmp_feed(&q, lines[i], strlen(lines[i]), &e), 0);
		assert_int_equal(qmp_next(&q, &news, &e), -ERR_TOOL_FAILED);
	}
}

static void endless_answer_is_an_error(void **state)
{
	_cleanup_(qmp_release) struct qmp q = { 0 };
	_cleanup_err_ struct err e = { 0 };
	char block[65536];
	int r = 0;

	(void)state;
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < 20 && !r; i++)
		r = qmp_feed(&q, block, sizeof(block), &e);
	assert_int_equal(r, -ERR_TOOL_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(negotiates_and_asks),
		cmocka_unit_test(accelerator),
		cmocka_unit_test(events),
		cmocka_unit_test(refusals_and_nonsense_are_errors),
		cmocka_unit_test(endless_answer_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
