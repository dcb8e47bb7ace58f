// SPDX-License-Identifier: GPL-3.0-or-later
/* Linux as a guest: what is put into its memory, and which of its words count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/guest/linux/image.h"
#include "bench/guest/linux/initrd.h"
#include "bench/guest/linux/lines.h"
#include "bench/guest/linux/serial.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

enum { MEMORY = 32 << 20, CODE = 2 * 512, FILE_LEN = CODE + 0x1000 };

static void put(unsigned char *at, size_t n, uint64_t v)
{
	for (; n--; v >>= 8)
		*at++ = (unsigned char)v;
}

static uint64_t get(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* The head of a kernel with one sector of setup, to be at 16 MiB, and code behind it. */
static void make_kernel(unsigned char file[FILE_LEN])
{
	memset(file, 0, FILE_LEN);
	file[0x1f1] = 1;
	file[0x201] = 0x6a;
	memcpy(file + 0x202, "HdrS", 4);
	put(file + 0x206, 2, 0x20f);
	file[0x236] = 1;
	put(file + 0x258, 8, 16 << 20);
	put(file + 0x260, 4, 4 << 20);
	memset(file + CODE, 0xc0, FILE_LEN - CODE);
}

static const char *place(const unsigned char *file, size_t len, size_t initrd,
			 unsigned char *mem, uint64_t *ret_entry)
{
	struct bytes kernel = { file, len }, rd = { xzalloc(initrd + 1), initrd };
	const char *why;

	memset((char *)rd.data, 'i', initrd);
	why = image_place(&kernel, &rd, "quiet", mem, MEMORY, ret_entry);
	free((char *)rd.data);
	return why;
}

static void test_place(void **state)
{
	unsigned char file[FILE_LEN], *mem = xzalloc(MEMORY), *p = mem + AT_PARAMS;
	uint64_t entry = 0;
	size_t at;

	(void)state;
	make_kernel(file);
	assert_null(place(file, sizeof(file), 5000, mem, &entry));
	assert_int_equal(entry, (16 << 20) + 0x200);
	assert_memory_equal(mem + (16 << 20), file + CODE, FILE_LEN - CODE);
	assert_string_equal((char *)mem + AT_COMMAND, "quiet");
	/* the header is the file's, but for what a loader fills in */
	assert_memory_equal(p + 0x202, "HdrS", 4);
	assert_int_equal(p[0x210], 0xff);
	assert_int_equal(get(p + 0x228, 4), AT_COMMAND);
	at = get(p + 0x218, 4);
	assert_int_equal(at % 4096, 0);
	assert_int_equal(get(p + 0x21c, 4), 5000);
	assert_true(at + 5000 <= MEMORY && at + 5000 > MEMORY - 4096);
	assert_int_equal(mem[at], 'i');
	/* two pieces of memory, both RAM */
	assert_int_equal(p[0x1e8], 2);
	assert_int_equal(get(p + 0x2d0, 8), 0);
	assert_int_equal(get(p + 0x2d8, 8), 0x9fc00);
	assert_int_equal(get(p + 0x2e0, 4), 1);
	assert_int_equal(get(p + 0x2e4, 8), 0x100000);
	assert_int_equal(get(p + 0x2ec, 8), MEMORY - 0x100000);
	assert_int_equal(get(p + 0x2f4, 4), 1);
	free(mem);
}

/* A kernel with one field changed; what is said of it. */
static const char *broken(size_t at, size_t n, uint64_t value)
{
	unsigned char file[FILE_LEN], *mem = xzalloc(MEMORY);
	uint64_t entry = 0;
	const char *why;

	make_kernel(file);
	put(file + at, n, value);
	why = place(file, sizeof(file), 5000, mem, &entry);
	free(mem);
	assert_int_equal(why ? entry : 0, 0);
	return why;
}

static void test_broken_kernels(void **state)
{
	unsigned char file[FILE_LEN], *mem = xzalloc(MEMORY);
	uint64_t entry = 0;

	(void)state;
	assert_null(broken(0, 1, 0));
	assert_string_equal(broken(0x202, 1, 'h'), "the file is no bzImage");
	assert_string_equal(broken(0x206, 2, 0x20b), "the kernel has no 64-bit entry");
	assert_string_equal(broken(0x236, 1, 0), "the kernel has no 64-bit entry");
	assert_string_equal(broken(0x1f1, 1, 0xff), "the kernel's file is damaged");
	assert_string_equal(broken(0x201, 1, 0xff), "the kernel's file is damaged");
	assert_string_equal(broken(0x201, 1, 0), "the kernel's file is damaged");
	assert_string_equal(broken(0x258, 8, 4096), "the kernel wants more memory");
	assert_string_equal(broken(0x258, 8, UINT64_MAX), "the kernel wants more memory");
	assert_string_equal(broken(0x260, 4, 16 << 20), "the kernel wants more memory");
	make_kernel(file);
	assert_string_equal(place(file, 0x263, 1, mem, &entry), "the file is no bzImage");
	assert_string_equal(place(file, CODE + 0x200, 1, mem, &entry),
			    "the kernel's file is damaged");
	assert_string_equal(place(file, sizeof(file), MEMORY, mem, &entry),
			    "the initramfs or the command line is too big");
	assert_string_equal(place(file, sizeof(file), 13 << 20, mem, &entry),
			    "the kernel wants more memory");
	free(mem);
}

static enum l2_said say(struct l2_lines *l, const char *text, uint64_t *ticks)
{
	enum l2_said said = L2_NOTHING;

	for (; *text; text++) {
		assert_int_equal(said, L2_NOTHING);
		said = l2_byte(l, (unsigned char)*text, ticks);
	}
	return said;
}

static void test_lines(void **state)
{
	static const struct {
		const char *text;
		enum l2_said said;
		uint64_t ticks;
	} cases[] = {
		{ "@up\r\n", L2_UP, 0 },
		{ "@done\n", L2_DONE, 0 },
		{ "@end\n", L2_END, 0 },
		{ "@ticks 1\n", L2_TICKS, 1 },
		{ "@ticks 18446744073709551615\n", L2_TICKS, UINT64_MAX },
		{ "@ticks 18446744073709551616\n", L2_TEXT, 0 },
		{ "@ticks 0\n", L2_TEXT, 0 },
		{ "@ticks 07\n", L2_TEXT, 0 },
		{ "@ticks -1\n", L2_TEXT, 0 },
		{ "@ticks 1 \n", L2_TEXT, 0 },
		{ "@ticks  1\n", L2_TEXT, 0 },
		{ "@ticks\n", L2_TEXT, 0 },
		{ "@up \n", L2_TEXT, 0 },
		{ " @up\n", L2_TEXT, 0 },
		{ "\x1b@up\n", L2_TEXT, 0 },
		{ "\n", L2_TEXT, 0 },
		{ "@up[    1.0] of the kernel's\n", L2_TEXT, 0 },
	};
	struct l2_lines l = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t ticks = 0;

		assert_int_equal(say(&l, cases[i].text, &ticks), cases[i].said);
		assert_int_equal(ticks, cases[i].ticks);
	}
	/* the last text is kept, without what a terminal would obey; a panic stays */
	assert_string_equal(l.note, "@up[    1.0] of the kernel's");
	assert_int_equal(say(&l, "Kernel panic\033[2J - no init\n", NULL), L2_TEXT);
	assert_int_equal(say(&l, "Rebooting\n", NULL), L2_TEXT);
	assert_string_equal(l.note, "Kernel panic[2J - no init");
}

static void test_long_line(void **state)
{
	struct l2_lines l = { 0 };
	uint64_t ticks = 0;

	(void)state;
	for (int i = 0; i < 100000; i++)
		assert_int_equal(l2_byte(&l, 'x', &ticks), L2_NOTHING);
	assert_int_equal(l2_byte(&l, '\n', &ticks), L2_TEXT);
	assert_int_equal(strlen(l.note), L2_LINE_MAX);
	assert_int_equal(say(&l, "@ticks 12\n", &ticks), L2_TICKS);
	assert_int_equal(ticks, 12);
}

/* What Linux's driver looks for, in its order. */
static void test_serial(void **state)
{
	struct serial s = { 0 };

	(void)state;
	assert_int_equal(serial_write(&s, 1, 0), SERIAL_NONE);
	assert_int_equal(serial_read(&s, 1) & 0xf, 0);
	assert_int_equal(serial_write(&s, 1, 0x0f), SERIAL_INTERRUPT);
	assert_int_equal(serial_read(&s, 1) & 0xf, 0xf);
	assert_int_equal(serial_read(&s, 2), 0x02);
	assert_int_equal(serial_write(&s, 1, 0), SERIAL_NONE);
	assert_int_equal(serial_read(&s, 2), 0x01);
	assert_int_equal(serial_read(&s, 5), 0x60);
	/* with the divisor in its place nothing is output and nothing interrupts */
	assert_int_equal(serial_write(&s, 3, 0x80), SERIAL_NONE);
	assert_int_equal(serial_write(&s, 0, 'a'), SERIAL_NONE);
	assert_int_equal(serial_write(&s, 1, 2), SERIAL_NONE);
	assert_int_equal(serial_read(&s, 0), 'a');
	assert_int_equal(serial_write(&s, 3, 3), SERIAL_NONE);
	assert_int_equal(serial_write(&s, 0, 'a'), SERIAL_BYTE);
	assert_int_equal(serial_write(&s, 7, 0x5a), SERIAL_NONE);
	assert_int_equal(serial_read(&s, 7), 0x5a);
}

/* Read back by the real cpio, for every length of padding. */
static void test_initrd(void **state)
{
	_cleanup_free_ char *dir = xstrdup("/tmp/kiln-linux-XXXXXX");
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t len = 8; len < 12; len++) {
		_cleanup_free_ char *archive = fs_path(dir, "archive");
		_cleanup_free_ char *init = fs_path(dir, "init");
		_cleanup_free_ unsigned char *data = NULL;
		_cleanup_strv_ struct strv argv = STRV_INIT;
		_cleanup_buf_ struct buf read = BUF_INIT;
		size_t n = 0;

		data = initrd_make("a program of L2's", len, &n);
		assert_int_equal(n % 4, 0);
		assert_int_equal(fs_write(archive, data, n, &e), 0);
		strv_addl(&argv, "cpio", "-idu", "--quiet", "-D", dir, "-F", archive,
			  NULL);
		assert_int_equal(
			spawn_check(&(struct spawn){ .argv = &argv, .timeout_ms = 60000 },
				    &e),
			0);
		assert_int_equal(fs_read(init, 1000, &read, &e), 0);
		assert_int_equal(read.len, len);
		assert_memory_equal(read.data, "a program of L2's", len);
		assert_int_equal(access(init, X_OK), 0);
	}
	assert_int_equal(fs_remove_tree(dir, &e), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),  cmocka_unit_test(test_broken_kernels),
		cmocka_unit_test(test_lines),  cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_serial), cmocka_unit_test(test_initrd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
