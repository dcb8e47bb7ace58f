// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/build/cache.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static const struct oid key = { "00112233445566778899aabbccddeeff00112233" };

static void record(struct build_record *r, const char *status)
{
	*r = (struct build_record){ 0 };
	memcpy(r->tree.hex, "ffeeddccbbaa99887766554433221100ffeeddcc", 41);
	r->config = xstrdup("c0ffee");
	r->toolchain = xstrdup("7001");
	r->arch = xstrdup("x86_64");
	r->status = xstrdup(status);
	if (!strcmp(status, "ok")) {
		r->build_id = xstrdup("deadbeef");
		r->code = xstrdup("c0de");
	} else {
		r->reason = xstrdup("a.c:1:1: error: end status ok");
	}
}

static int home_make(void **state)
{
	char *home = xstrdup("/tmp/kiln-cache-XXXXXX");

	if (!mkdtemp(home))
		return -1;
	setenv("KILN_HOME", home, 1);
	*state = home;
	return 0;
}

static int home_remove(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *home = *state;

	return fs_remove_tree(home, &e);
}

static void test_meta_round_trip(void **state)
{
	static const char *const statuses[] = { "ok", "failed", "config-lost" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;
		struct build_record in, out = { 0 };
		uint64_t size = 0;

		record(&in, statuses[i]);
		cache_meta_write(&in, 4711, &b);
		assert_true(cache_meta_read(buf_str(&b), &out, &size));
		assert_int_equal(size, 4711);
		assert_string_equal(out.status, in.status);
		assert_string_equal(out.tree.hex, in.tree.hex);
		assert_string_equal(out.config, in.config);
		if (in.reason)
			assert_string_equal(out.reason, in.reason);
		else
			assert_string_equal(out.build_id, in.build_id);
		build_record_release(&out);
		build_record_release(&in);
	}
}

static void test_meta_damaged(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct build_record in, out = { 0 };
	uint64_t size;

	(void)state;
	record(&in, "ok");
	cache_meta_write(&in, 1, &b);
	build_record_release(&in);
	for (size_t i = 0; i < b.len; i++) { /* cut short anywhere: no entry */
		_cleanup_free_ char *cut = xstrndup(b.data, i);

		assert_false(cache_meta_read(cut, &out, &size));
	}
	assert_false(cache_meta_read("kiln-build 3\nstatus great\nend\n", &out, &size));
	assert_false(cache_meta_read("kiln-build 3\nend\n", &out, &size));
}

static int store(const char *status, const char *image, struct build_record *rec,
		 struct err *e)
{
	_cleanup_free_ char *log = xasprintf("%s/log", getenv("KILN_HOME")),
			    *path = xasprintf("%s/image", getenv("KILN_HOME"));
	const struct buf warnings = BUF_INIT;
	struct cache_files f = { .config = "CONFIG_A=y\n",
				 .config_len = 11,
				 .image_fd = -1,
				 .log = log,
				 .warnings = &warnings };
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	record(rec, status);
	if (fs_write(log, "log\n", 4, e) < 0 ||
	    fs_write_fd(fd, image, strlen(image), e) < 0)
		return -1;
	f.image_fd = *image ? fd : -1;
	return cache_store(&key, &f, rec, e);
}

static void test_store_and_load(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct build_record in = { 0 }, out = { 0 };

	(void)state;
	assert_int_equal(cache_load(&key, &out), 0);
	assert_int_equal(store("ok", "bzImage bytes", &in, &e), 0);
	assert_int_equal(cache_load(&key, &out), 1);
	assert_string_equal(out.image, in.image);
	assert_string_equal(out.build_id, "deadbeef");
	assert_true(fs_exists(out.log));
	build_record_release(&out);
	/* an image that lost bytes is no image */
	assert_int_equal(truncate(in.image, 3), 0);
	assert_int_equal(cache_load(&key, &out), 0);
	build_record_release(&in);
	/* a later answer replaces it */
	assert_int_equal(store("failed", "", &in, &e), 0);
	assert_int_equal(cache_load(&key, &out), 1);
	assert_string_equal(out.status, "failed");
	assert_null(out.image);
	build_record_release(&in);
	build_record_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meta_round_trip),
		cmocka_unit_test(test_meta_damaged),
		cmocka_unit_test_setup_teardown(test_store_and_load, home_make,
						home_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
