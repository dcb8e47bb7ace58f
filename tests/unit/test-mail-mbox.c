// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "core/base/buf.h"
#include "mail/box.h"
#include "mail/gunzip.h"
#include "mail/mbox.h"
#include "mail/spool.h"
#include "mail/unpack.h"

#define RD "From mboxrd@z Thu Jan  1 00:00:00 1970\n"

static struct box *split(const char *text)
{
	_cleanup_buf_ struct buf in = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct box *box = box_new();

	buf_adds(&in, text);
	assert_int_equal(box_split(box, &in, &e), 0);
	return box;
}

static void expect(const char *text, size_t nr, const char *const *mails)
{
	_cleanup_box_ struct box *box = split(text);
	_cleanup_buf_ struct buf mail = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(box_nr(box), nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(box_mail(box, i, &mail, &e), 0);
		assert_string_equal(buf_str(&mail), mails[i]);
	}
}

static void test_mboxrd(void **state)
{
	static const char *const two[] = { "A: b\n\none\n", "A: c\n\ntwo\n" };
	static const char *const quoted[] = {
		"A: b\n\nFrom here\n>From there\n> From us\n>>From x\n"
	};

	(void)state;
	expect(RD "A: b\n\none\n\n" RD "A: c\n\ntwo\n\n", 2, two);
	expect(RD "A: b\n\n>From here\n>>From there\n> From us\n>>>From x\n\n", 1,
	       quoted);
}

/* Only lines with time and year part mails: prose does not. */
static void test_prose_from(void **state)
{
	static const char *const one[] = {
		"A: b\n\n\nFrom the beginning of time, 10:00 sharp\n"
	};

	(void)state;
	expect(RD "A: b\n\n\nFrom the beginning of time, 10:00 sharp\n\n", 1, one);
}

/* git format-patch quotes nothing, so nothing may be unquoted. */
static void test_format_patch(void **state)
{
	static const char *const one[] = { "A: b\n\n>From x\n" };

	(void)state;
	expect("From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
	       "A: b\n\n>From x\n\n",
	       1, one);
}

static void test_bare(void **state)
{
	static const char *const mail[] = { "A: b\n\n>From x\n\n" };

	(void)state;
	expect("\n \nA: b\n\n>From x\n\n", 1, mail); /* no mailbox, no quoting */
	expect("", 0, NULL);
	expect("\n \n", 0, NULL);
}

static void test_crlf_and_cut(void **state)
{
	static const char *const crlf[] = { "A: b\n\nx\ry\n" };
	static const char *const cut[] = { "A: b", "" };

	(void)state;
	expect("From a@b Thu Jan  1 00:00:00 1970\r\nA: b\r\n\r\nx\ry\r\n\r\n", 1, crlf);
	expect(RD "A: b\n" RD, 2, (const char *const[]){ "A: b\n", "" });
	expect("A: b", 1, cut);
}

/* What is written is read back to the same bytes. */
static void test_round_trip(void **state)
{
	static const char text[] = "A: b\n\nFrom x\n>From y\n>>From z\nend\n";
	_cleanup_buf_ struct buf out = BUF_INIT;

	(void)state;
	mbox_add(&out, text, strlen(text));
	mbox_add(&out, text, strlen(text));
	expect(buf_str(&out), 2, (const char *const[]){ text, text });
}

static void test_too_many(void **state)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_buf_ struct buf in = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	for (int i = 0; i < MBOX_MAX_MAILS + 1; i++)
		buf_adds(&in, RD);
	assert_int_equal(box_split(box, &in, &e), -ERR_TOO_BIG);
	assert_int_equal(box_nr(box), 0);
}

static void pack(const void *p, size_t len, struct buf *ret)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8,
				      Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = (Bytef *)p;
	z.avail_in = (uInt)len;
	z.next_out = (Bytef *)buf_room(ret, deflateBound(&z, len));
	z.avail_out = (uInt)deflateBound(&z, len);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	buf_grew(ret, z.total_out);
	deflateEnd(&z);
}

static void test_gunzip(void **state)
{
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT, cut = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	pack("hello", 5, &in);
	pack(" world", 6, &in); /* members follow one another */
	assert_true(gunzip_is_gzip(&in));
	assert_int_equal(gunzip(&in, 100, &out, &e), 0);
	assert_string_equal(buf_str(&out), "hello world");

	for (size_t n = 0; n < in.len; n++) {
		buf_clear(&cut);
		buf_clear(&out);
		buf_add(&cut, in.data, n);
		if (gunzip(&cut, 100, &out, &e) ==
		    0) { /* exactly the first member, or it and a stump */
			assert_string_equal(buf_str(&out), "hello");
			continue;
		}
		assert_int_equal(e.code, ERR_TRUNCATED);
		assert_int_equal(out.len, 0);
	}
	in.data[in.len - 6] ^= 1; /* the checksum */
	assert_int_equal(gunzip(&in, 100, &out, &e), -ERR_CORRUPT);
}

static void test_bomb(void **state)
{
	static char zeros[1 << 20];
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	pack(zeros, sizeof(zeros), &in);
	assert_true(in.len < 4096);
	assert_int_equal(gunzip(&in, 100000, &out, &e), -ERR_DECOMPRESSION_BOMB);
	assert_int_equal(out.len, 0);
}

/* The streaming reader has the same limit, whatever the packing. */
static void test_unpack_bomb(void **state)
{
	static char zeros[1 << 20];
	char path[] = "/tmp/test-unpack.XXXXXX";
	_cleanup_close_ int fd = mkstemp(path);
	_cleanup_spool_ struct spool s = SPOOL_INIT;
	_cleanup_buf_ struct buf in = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	unlink(path);
	pack(zeros, sizeof(zeros), &in);
	assert_int_equal(write(fd, in.data, in.len), in.len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(unpack_fd(fd, "x", 100000, &s, &e), -ERR_DECOMPRESSION_BOMB);
	assert_true(s.len <= 100000);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	spool_release(&s);
	err_release(&e);
	assert_int_equal(unpack_fd(fd, "x", sizeof(zeros), &s, &e), 0);
	assert_int_equal(s.len, sizeof(zeros));
}

/* What does not stay in memory reads back the same from its file. */
static void test_large_spool(void **state)
{
	_cleanup_spool_ struct spool s = SPOOL_INIT;
	_cleanup_err_ struct err e = { 0 };
	char got[8];

	(void)state;
	for (int i = 0; i < 700000; i++)
		assert_int_equal(spool_add(&s, "12345678", 8, &e), 0);
	assert_true(s.fd >= 0);
	assert_int_equal(spool_read(&s, 8 * 650000, got, 8, &e), 0);
	assert_memory_equal(got, "12345678", 8);
	assert_int_equal(spool_read(&s, s.len - 7, got, 8, &e), -ERR_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mboxrd),	     cmocka_unit_test(test_prose_from),
		cmocka_unit_test(test_format_patch), cmocka_unit_test(test_bare),
		cmocka_unit_test(test_crlf_and_cut), cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_too_many),     cmocka_unit_test(test_gunzip),
		cmocka_unit_test(test_bomb),	     cmocka_unit_test(test_unpack_bomb),
		cmocka_unit_test(test_large_spool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
