// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "boot/frame.h"
#include "core/base/alloc.h"

#define TOKEN "00112233445566778899aabbccddeeff"

static void make(struct buf *ret, uint64_t seq, const char *a, const char *b)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_add(&words, a);
	if (b)
		strv_add(&words, b);
	frame_format(TOKEN, seq, &words, ret);
}

static enum frame_status feed(struct frame_parser *p, const char *s, struct frame *f)
{
	const char *why;

	frame_feed(p, s, strlen(s));
	return frame_next(p, f, &why);
}

static void wire_form_is_stable(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	make(&b, 7, "line", "a b%\n");
	assert_string_equal(buf_str(&b), "kiln1 " TOKEN " 7 b8c1c35d line a%20b%25%0a\n");
}

static void all_bytes_survive(void **state)
{
	_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
	_cleanup_frame_ struct frame f = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT, text = BUF_INIT;

	(void)state;
	for (int c = 1; c < 256; c++)
		buf_addc(&text, (char)c);
	make(&b, UINT64_C(123456789012), "line", buf_str(&text));
	assert_int_equal(feed(&p, buf_str(&b), &f), FRAME_OK);
	assert_string_equal(f.token, TOKEN);
	assert_true(f.seq == UINT64_C(123456789012));
	assert_int_equal(f.words.nr, 2);
	assert_string_equal(frame_word(&f, 1), buf_str(&text));
	assert_string_equal(frame_word(&f, 2), "");
}

static void empty_words_survive(void **state)
{
	_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
	_cleanup_frame_ struct frame f = { 0 };
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	strv_addl(&words, "hello", "", "", "x", "", NULL);
	frame_format("t", 0, &words, &b);
	assert_int_equal(feed(&p, buf_str(&b), &f), FRAME_OK);
	assert_int_equal(f.words.nr, 5);
	assert_string_equal(frame_word(&f, 3), "x");
	assert_string_equal(frame_word(&f, 4), "");
}

static void byte_by_byte(void **state)
{
	_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *why;
	int messages = 0;

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		make(&b, i, "line", "some text");
	for (size_t i = 0; i < b.len; i++) {
		_cleanup_frame_ struct frame f = { 0 };

		frame_feed(&p, b.data + i, 1);
		if (frame_next(&p, &f, &why) == FRAME_OK)
			assert_true(f.seq == (uint64_t)messages++);
	}
	assert_int_equal(messages, 3);
}

/* Every single changed byte of a message is noticed, and the message behind it arrives.
 */
static void damage_is_noticed(void **state)
{
	_cleanup_buf_ struct buf good = BUF_INIT;

	(void)state;
	make(&good, 41, "line", "cpuid_rate 18531.5 /s");
	for (size_t i = 0; i + 1 < good.len; i++) {
		for (int bit = 0; bit < 8; bit++) {
			_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
			_cleanup_frame_ struct frame f = { 0 };
			_cleanup_buf_ struct buf b = BUF_INIT;
			const char *why;

			buf_add(&b, good.data, good.len);
			b.data[i] = (char)(b.data[i] ^ (1 << bit));
			buf_add(&b, good.data, good.len);
			frame_feed(&p, b.data, b.len);
			for (enum frame_status s; (s = frame_next(&p, &f, &why));) {
				if (s == FRAME_OK)
					break;
				assert_true(s == FRAME_BROKEN ? why != NULL
							      : s == FRAME_GARBAGE);
			}
			assert_true(f.seq == 41);
			assert_int_equal(frame_next(&p, &f, &why), FRAME_NONE);
		}
	}
}

static void garbage_does_not_hide_a_message(void **state)
{
	_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
	_cleanup_frame_ struct frame f = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *why;

	(void)state;
	buf_adds(&b, "login: \n\n\x1b[2J#\nkiln1\n");
	make(&b, 0, "hello", NULL);
	frame_feed(&p, b.data, b.len);
	for (int i = 0; i < 4; i++)
		assert_int_equal(frame_next(&p, &f, &why), FRAME_GARBAGE);
	assert_int_equal(frame_next(&p, &f, &why), FRAME_OK);
	assert_string_equal(frame_word(&f, 0), "hello");
}

static void malformed_is_broken(void **state)
{
	static const char *const lines[] = {
		"kiln1 \n",
		"kiln1 tok\n",
		"kiln1 TOK 0 00000000 x\n",
		"kiln1 tok 0\n",
		"kiln1 tok x 00000000 x\n",
		"kiln1 tok 99999999999999999999 00000000 x\n",
		"kiln1 tok 0 0000 x\n",
		"kiln1 tok 0 00000000\n",
		"kiln1 tok 0 00000000 x\n",
		"kiln1 tok 0 00000000 \n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
		_cleanup_frame_ struct frame f = { 0 };

		assert_int_equal(feed(&p, lines[i], &f), FRAME_BROKEN);
		assert_null(f.token);
	}
}

/* A stream without newline costs no more memory than the limit. */
static void endless_line_is_dropped(void **state)
{
	_cleanup_(frame_parser_release) struct frame_parser p = { 0 };
	_cleanup_frame_ struct frame f = { 0 };
	_cleanup_buf_ struct buf block = BUF_INIT, good = BUF_INIT;
	const char *why;
	int broken = 0;

	(void)state;
	for (int i = 0; i < 4096; i++)
		buf_addc(&block, 'x');
	for (int i = 0; i < 1000; i++) {
		frame_feed(&p, block.data, block.len);
		broken += frame_next(&p, &f, &why) == FRAME_BROKEN;
		assert_true(p.bytes.len <= FRAME_MAX + 2 * block.len);
	}
	assert_int_equal(broken, 1);
	buf_addc(&good, '\n');
	make(&good, 3, "bye", NULL);
	assert_int_equal(feed(&p, buf_str(&good), &f), FRAME_OK);
	assert_true(f.seq == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wire_form_is_stable),
		cmocka_unit_test(all_bytes_survive),
		cmocka_unit_test(empty_words_survive),
		cmocka_unit_test(byte_by_byte),
		cmocka_unit_test(damage_is_noticed),
		cmocka_unit_test(garbage_does_not_hide_a_message),
		cmocka_unit_test(malformed_is_broken),
		cmocka_unit_test(endless_line_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
