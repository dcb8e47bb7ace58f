// SPDX-License-Identifier: GPL-3.0-or-later
/* Byte strings and string vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/strv.h"

static void empty_is_a_string(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	char *s;

	(void)state;
	assert_string_equal(buf_str(&b), "");
	buf_clear(&b);
	s = buf_take(&b);
	assert_string_equal(s, "");
	free(s);
	buf_add(&b, NULL, 0);
	assert_int_equal(b.len, 0);
}

static void grows_and_stays_terminated(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		buf_addc(&b, (char)('a' + i % 26));
		assert_int_equal(b.data[b.len], 0);
		assert_true(b.len < b.cap);
	}
	assert_int_equal(strlen(buf_str(&b)), 5000);
	buf_clear(&b);
	buf_addf(&b, "%d-%s", 7, "x");
	buf_adds(&b, "!");
	assert_string_equal(buf_str(&b), "7-x!");
}

static void holds_nul_bytes(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	buf_add(&b, "a\0b", 3);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "a\0b", 4);
}

static void room_then_grew(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	buf_adds(&b, "ab");
	memcpy(buf_room(&b, 3), "cde", 3);
	buf_grew(&b, 2);
	assert_string_equal(buf_str(&b), "abcd");
}

static void take_leaves_nothing(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	char *s;

	(void)state;
	buf_adds(&b, "text");
	s = buf_take(&b);
	assert_string_equal(s, "text");
	assert_null(b.data);
	assert_int_equal(b.len, 0);
	free(s);
}

static void vector_is_terminated(void **state)
{
	_cleanup_strv_ struct strv v = STRV_INIT;
	_cleanup_free_ char *joined = NULL;

	(void)state;
	assert_null(v.v);
	strv_addl(&v, "git", "am", NULL);
	strv_addf(&v, "-%d", 3);
	strv_take(&v, xstrdup(""));
	assert_int_equal(v.nr, 4);
	assert_null(v.v[4]);
	assert_true(strv_has(&v, "am"));
	assert_true(strv_has(&v, ""));
	assert_false(strv_has(&v, "a"));
	joined = strv_join(&v, ", ");
	assert_string_equal(joined, "git, am, -3, ");
	strv_release(&v);
	assert_int_equal(v.nr, 0);
	assert_null(v.v);
}

static void joining_nothing(void **state)
{
	struct strv v = STRV_INIT;
	_cleanup_free_ char *joined = strv_join(&v, ",");

	(void)state;
	assert_string_equal(joined, "");
}

static void allocation_copies(void **state)
{
	_cleanup_free_ char *copy = xmemdup("a\0b", 3), *part = xstrndup("abc", 2);
	int *v = NULL;
	size_t nr = 0;

	(void)state;
	assert_memory_equal(copy, "a\0b", 4);
	assert_string_equal(part, "ab");
	assert_null(xstrdup(NULL));
	for (int i = 0; i < 100; i++)
		*array_push(v, nr) = i;
	assert_int_equal(nr, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(v[i], i);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_a_string),
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(holds_nul_bytes),
		cmocka_unit_test(room_then_grew),
		cmocka_unit_test(take_leaves_nothing),
		cmocka_unit_test(vector_is_terminated),
		cmocka_unit_test(joining_nothing),
		cmocka_unit_test(allocation_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
