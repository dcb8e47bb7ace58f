// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/build/image.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define PACKED "arch/x86/boot/compressed/vmlinux.bin.lz4"
#define OFFSET 0x100

static void write_out(const char *name, const void *data, size_t len, time_t mtime)
{
	_cleanup_free_ char *path = fs_path("out", name), *dir = fs_path("out", name);
	const struct timespec at[2] = { { mtime, 0 }, { mtime, 0 } };
	_cleanup_err_ struct err e = { 0 };

	*strrchr(dir, '/') = 0;
	assert_int_equal(fs_mkdirs(dir, &e), 0);
	assert_int_equal(fs_write(path, data, len, &e), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
}

/* A setup of two sectors, a stub, the payload, a tail. */
static void make_image(const char *payload, struct buf *ret)
{
	char setup[3 * 512] = { 0 };
	const uint32_t offset = OFFSET, len = (uint32_t)strlen(payload);

	setup[0x1f1] = 2;
	memcpy(setup + 0x202, "HdrS\x0f\x02", 6);
	memcpy(setup + 0x248, &offset, 4);
	memcpy(setup + 0x24c, &len, 4);
	buf_add(ret, setup, sizeof(setup));
	for (int i = 0; i < OFFSET; i++)
		buf_addc(ret, 's');
	buf_adds(ret, payload);
	buf_adds(ret, "tail");
}

static bool is_of(const struct buf *image)
{
	struct worktree w = { .out = (char *)"out" };
	struct built b = { .arch = arch_find("x86_64"),
			   .wt = &w,
			   .build_id = "deadbeef" };
	_cleanup_close_ int fd = -1, vmlinux = -1;
	_cleanup_err_ struct err e = { 0 };
	bool ret = false;

	write_out("image", image->data, image->len, 5);
	assert_int_equal(worktree_open_out(&w, "image", &fd, &e), 0);
	assert_int_equal(worktree_open_out(&w, "vmlinux", &vmlinux, &e), 0);
	b.image_fd = fd;
	b.vmlinux_fd = vmlinux;
	assert_int_equal(image_is_whole(&b, &ret, &e), 0);
	return ret;
}

static void test_fresh_and_stale(void **state)
{
	_cleanup_buf_ struct buf fresh = BUF_INIT, stale = BUF_INIT, cut = BUF_INIT;

	(void)state;
	make_image("packed kernel 2", &fresh);
	make_image("packed kernel 1",
		   &stale); /* of the same length: .incbin by a cache */
	write_out("vmlinux", "elf", 3, 3);
	write_out(PACKED, "packed kernel 2", 15, 4);
	assert_true(is_of(&fresh));
	assert_false(is_of(&stale));
	buf_add(&cut, fresh.data, fresh.len - 6);
	assert_false(is_of(&cut));
	write_out("vmlinux", "elf", 3, 6);
	assert_false(is_of(&fresh)); /* packed before vmlinux was linked again */
}

static void test_of_another_configuration(void **state)
{
	_cleanup_buf_ struct buf image = BUF_INIT;

	(void)state;
	make_image("packed by zstd", &image);
	write_out("vmlinux", "elf", 3, 3);
	write_out(PACKED, "packed by lz4!", 14, 4);
	assert_false(is_of(&image));
	write_out("arch/x86/boot/compressed/vmlinux.bin.zst", "packed by zstd", 14, 4);
	assert_true(is_of(&image));
}

/* An ELF file without that build-id is another kernel; what is neither is not judged. */
static void test_other_formats(void **state)
{
	_cleanup_buf_ struct buf elf = BUF_INIT, raw = BUF_INIT;

	(void)state;
	write_out("vmlinux", "elf", 3, 3);
	buf_adds(&elf, "\177ELF and no more");
	assert_false(is_of(&elf));
	buf_adds(&raw, "MZ, an arm64 Image");
	assert_true(is_of(&raw));
}

static int enter(void **state)
{
	char dir[] = "/tmp/kiln-image-XXXXXX";

	*state = mkdtemp(dir) && chdir(dir) == 0 ? xstrdup(dir) : NULL;
	return *state ? mkdir("out", 0700) : -1;
}

static int leave(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *dir = *state;

	return chdir("/") < 0 || fs_remove_tree(dir, &e) < 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fresh_and_stale, enter, leave),
		cmocka_unit_test_setup_teardown(test_of_another_configuration, enter,
						leave),
		cmocka_unit_test_setup_teardown(test_other_formats, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
