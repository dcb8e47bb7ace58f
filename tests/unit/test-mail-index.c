// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/mail-index.h"

static const struct oid blobs[] = { { "1111111111111111111111111111111111111111" },
				    { "2222222222222222222222222222222222222222" },
				    { "3333333333333333333333333333333333333333" } };

struct fixture {
	char dir[32];
	char *path;
	struct mail_index *x;
	int64_t epoch;
};

static void reopen(struct fixture *f)
{
	_cleanup_err_ struct err e = { 0 };

	mail_index_free(f->x);
	assert_int_equal(mail_index_open(f->path, &f->x, &e), 0);
}

static int setup(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct fixture *f = xzalloc(sizeof(*f));
	struct oid tip;

	memcpy(f->dir, "/tmp/test-index.XXXXXX", 23);
	assert_non_null(mkdtemp(f->dir));
	f->path = fs_path(f->dir, "x.db");
	reopen(f);
	assert_int_equal(mail_index_epoch(f->x, "0.git", &f->epoch, &tip, &e), 0);
	assert_true(oid_is_none(&tip));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	struct fixture *f = *state;

	mail_index_free(f->x);
	assert_int_equal(fs_remove_tree(f->dir, &e), 0);
	free(f->path);
	free(f);
	return 0;
}

static void add(struct fixture *f, const char *id, const char *ref, int blob)
{
	_cleanup_strv_ struct strv refs = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct mail_row m = { .message_id = id,
			      .references = &refs,
			      .subject = "title",
			      .sender = "A <a@b>",
			      .change_id = "change",
			      .date = blob,
			      .blob = blobs[blob] };

	if (ref)
		strv_add(&refs, ref);
	assert_int_equal(mail_index_add(f->x, f->epoch, &m, &e), 0);
}

static size_t thread_of(struct fixture *f, const char *id)
{
	_cleanup_mail_places_ struct mail_places p = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(mail_index_by_id(f->x, id, &p, &e), 0);
	for (size_t i = 0; i < p.nr; i++)
		assert_string_equal(p.v[i].epoch, "0.git");
	return p.nr;
}

/* Two mails that name one that never came; a third that names both joins all. */
static void test_threads(void **state)
{
	struct fixture *f = *state;

	add(f, "a", NULL, 0);
	add(f, "b", "absent", 1);
	assert_int_equal(thread_of(f, "a"), 1);
	assert_int_equal(thread_of(f, "absent"), 1);
	assert_int_equal(thread_of(f, "nobody"), 0);
	add(f, "absent", "a", 2);
	assert_int_equal(thread_of(f, "a"), 3);
	assert_int_equal(thread_of(f, "b"), 3);
}

static void test_circle(void **state)
{
	struct fixture *f = *state;

	add(f, "a", "b", 0);
	add(f, "b", "a", 1);
	add(f, "a", "a", 2);
	assert_int_equal(thread_of(f, "a"), 3);
}

/* What a killed kiln had not committed is as if it had never been. */
static void test_cut_off(void **state)
{
	struct fixture *f = *state;
	_cleanup_err_ struct err e = { 0 };
	struct oid tip;

	assert_int_equal(mail_index_begin(f->x, &e), 0);
	add(f, "a", NULL, 0);
	assert_int_equal(mail_index_set_tip(f->x, f->epoch, &blobs[0], &e), 0);
	assert_int_equal(mail_index_commit(f->x, &e), 0);
	assert_int_equal(mail_index_begin(f->x, &e), 0);
	add(f, "b", "a", 1);
	assert_int_equal(mail_index_set_tip(f->x, f->epoch, &blobs[1], &e), 0);
	reopen(f);
	assert_int_equal(mail_index_epoch(f->x, "0.git", &f->epoch, &tip, &e), 0);
	assert_string_equal(tip.hex, blobs[0].hex);
	assert_int_equal(thread_of(f, "a"), 1);
}

static void test_forget(void **state)
{
	struct fixture *f = *state;
	_cleanup_err_ struct err e = { 0 };

	add(f, "a", NULL, 0);
	add(f, "b", "a", 1);
	assert_int_equal(mail_index_take_back(f->x, "b", &blobs[0], &e), 0);
	assert_int_equal(thread_of(f, "a"), 2); /* another blob: another copy */
	assert_int_equal(mail_index_take_back(f->x, "b", &blobs[1], &e), 0);
	assert_int_equal(thread_of(f, "a"), 1);
	assert_int_equal(mail_index_forget(f->x, f->epoch, &e), 0);
	assert_int_equal(thread_of(f, "a"), 0);
}

static void test_other_keys(void **state)
{
	struct fixture *f = *state;
	_cleanup_mail_places_ struct mail_places p = { 0 };
	_cleanup_err_ struct err e = { 0 };

	add(f, "a", NULL, 0);
	assert_int_equal(mail_index_by_change(f->x, "change", &p, &e), 0);
	assert_int_equal(p.nr, 1);
	assert_string_equal(p.v[0].blob.hex, blobs[0].hex);
	assert_int_equal(mail_index_by_subject(f->x, "title", "a@b", &p, &e), 0);
	assert_int_equal(mail_index_by_subject(f->x, "title", NULL, &p, &e), 0);
	assert_int_equal(p.nr, 3);
	assert_int_equal(mail_index_by_subject(f->x, "title", "x@y", &p, &e), 0);
	assert_int_equal(mail_index_by_change(f->x, "other", &p, &e), 0);
	assert_int_equal(p.nr, 3);
}

/* A file that is no index is replaced, not complained about: it can be made anew. */
static void test_damaged(void **state)
{
	struct fixture *f = *state;
	_cleanup_err_ struct err e = { 0 };

	add(f, "a", NULL, 0);
	mail_index_free(take_ptr(f->x));
	assert_int_equal(fs_write(f->path, "not a database at all", 21, &e), 0);
	reopen(f);
	assert_int_equal(thread_of(f, "a"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_threads), TEST(test_circle),	   TEST(test_cut_off),
		TEST(test_forget),  TEST(test_other_keys), TEST(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
