// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/build/build.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static void add_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void add_note(struct buf *b, const char *name, uint32_t type, const void *desc,
		     uint32_t len)
{
	uint32_t n = (uint32_t)strlen(name) + 1;

	add_u32(b, n);
	add_u32(b, len);
	add_u32(b, type);
	buf_add(b, name, n);
	buf_add(b, "\0\0\0", (4 - n % 4) % 4);
	buf_add(b, desc, len);
	buf_add(b, "\0\0\0", (4 - len % 4) % 4);
}

static const unsigned char id20[20] = { 0xde, 0xad, 0xbe, 0xef, 1,  2,	3,  4,	5,  6,
					7,    8,    9,	  10,	11, 12, 13, 14, 15, 16 };
static const char id20_hex[] = "deadbeef0102030405060708090a0b0c0d0e0f10";

static void test_notes(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *id = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	add_note(&b, "Xen", 3, id20, 20);	/* right type, other owner */
	add_note(&b, "GNU", 1, id20, 16);	/* right owner, other type */
	add_note(&b, "Linux", 0x100, "abc", 3); /* padded */
	add_note(&b, "GNU", 3, id20, 20);
	assert_int_equal(build_id_of_notes(b.data, b.len, &id, &e), 0);
	assert_string_equal(id, id20_hex);
}

static void expect_none(const struct buf *b, size_t len)
{
	_cleanup_free_ char *copy = xmemdup(b->len ? b->data : "", len), *id = NULL;
	_cleanup_err_ struct err e = { 0 };

	assert_true(build_id_of_notes(copy, len, &id, &e) < 0);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_null(id);
}

static void test_notes_hostile(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT, huge = BUF_INIT, odd = BUF_INIT;

	(void)state;
	add_note(&b, "GNU", 3, id20, 20);
	for (size_t i = 0; i < b.len; i++)
		expect_none(&b, i);
	add_u32(&huge, 0xffffffff);
	add_u32(&huge, 0xfffffffd);
	add_u32(&huge, 3);
	buf_adds(&huge, "GNU");
	expect_none(&huge, huge.len);
	add_note(&odd, "GNU", 3, id20, 4); /* too short to identify anything */
	expect_none(&odd, odd.len);
}

/* What the linker wrote and what readelf reads is the reference. */
static void test_elf_as_readelf(void **state)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_free_ char *id = NULL, *want = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv, .timeout_ms = 60000, .out = &out };

	(void)state;
	assert_int_equal(build_id_of_elf("/proc/self/exe", &id, &e), 0);
	strv_addl(&argv, "readelf", "-n", NULL);
	strv_addf(&argv, "/proc/%d/exe", (int)getpid());
	assert_int_equal(spawn_check(&s, &e), 0);
	want = xasprintf("Build ID: %s\n", id);
	assert_non_null(strstr(buf_str(&out), want));
}

static void test_elf_hostile(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum err_code code;
	} cases[] = {
		{ "", 0, ERR_TRUNCATED },
		{ "\177ELF", 4, ERR_TRUNCATED },
		{ "#!/bin/sh\nexit 0\n                                                   "
		  "  "
		  "               ",
		  80, ERR_TRUNCATED },
	};
	char name[] = "/tmp/kiln-elf-XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_err_ struct err e = { 0 };
		char *id = NULL;

		assert_int_equal(fs_write(name, cases[i].bytes, cases[i].len, &e), 0);
		assert_true(build_id_of_elf(name, &id, &e) < 0);
		assert_int_equal(e.code, cases[i].code);
		assert_null(id);
	}
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_notes_hostile),
		cmocka_unit_test(test_elf_as_readelf),
		cmocka_unit_test(test_elf_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
