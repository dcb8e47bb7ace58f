// SPDX-License-Identifier: GPL-3.0-or-later
/* Records go in once and come back as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/run.h"
#include "core/store/store.h"

struct world {
	char *home;
	struct store *store;
	struct run *run;
	struct err e;
};

static int world_new(void **state)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct world *w = xzalloc(sizeof(*w));

	w->home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(w->home));
	setenv("KILN_HOME", w->home, 1);
	strv_add(&argv, "bench");
	assert_int_equal(store_open(&w->store, &w->e), 0);
	assert_int_equal(run_create(w->store, "bench", &argv, &w->run, &w->e), 0);
	*state = w;
	return 0;
}

static int world_gone(void **state)
{
	struct world *w = *state;

	run_free(w->run);
	store_free(w->store);
	err_release(&w->e);
	assert_int_equal(fs_remove_tree(w->home, &w->e), 0);
	free(w->home);
	free(w);
	return 0;
}

#define TEXT(s) ((char *)(s))
#define OID "0123456789abcdef0123456789abcdef01234567"

static void build_comes_back(void **state)
{
	struct world *w = *state;
	struct build_record in = { .commit = { OID },
				   .config = TEXT("c0ffee"),
				   .status = TEXT("failed"),
				   .reason = TEXT("mmu.c:7: error: 'x' undeclared"),
				   .cached = true,
				   .seconds = 0.1 };
	struct build_record *v = NULL;
	size_t nr = 0;

	for (int i = 0; i < 2; i++)
		assert_int_equal(store_add_build(w->store, run_id(w->run), &in, &w->e),
				 0);
	in.config = NULL;
	for (int i = 0; i < 2; i++)
		assert_int_equal(store_add_build(w->store, run_id(w->run), &in, &w->e),
				 0);
	assert_int_equal(store_builds(w->store, run_id(w->run), &v, &nr, &w->e), 0);
	assert_int_equal(nr, 2);
	assert_string_equal(v[0].commit.hex, OID);
	assert_true(oid_is_none(&v[0].tree));
	assert_string_equal(v[0].config, "c0ffee");
	assert_null(v[1].config);
	assert_null(v[0].toolchain);
	assert_string_equal(v[0].reason, in.reason);
	assert_null(v[0].build_id);
	assert_true(v[0].cached);
	assert_true(v[0].seconds == 0.1);
	for (size_t i = 0; i < nr; i++)
		build_record_release(&v[i]);
	free(v);
}

static struct boot_record boot(const char *token)
{
	return (struct boot_record){ .token = TEXT(token),
				     .commit = { OID },
				     .status = TEXT("panic"),
				     .reason = TEXT("it's a 'quote'\n\x1b[31m\xff"),
				     .path = TEXT("kexec"),
				     .seconds = 12.5 };
}

static void boot_comes_back(void **state)
{
	struct world *w = *state;
	struct boot_record in = boot("t1"), out = { 0 };

	assert_int_equal(store_add_boot(w->store, run_id(w->run), &in, &w->e), 0);
	in.status = TEXT("ok"); /* the same token again changes nothing */
	assert_int_equal(store_add_boot(w->store, run_id(w->run), &in, &w->e), 0);
	assert_int_equal(store_boot(w->store, "t1", &out, &w->e), 0);
	assert_string_equal(out.status, "panic");
	assert_string_equal(out.reason, in.reason);
	assert_null(out.console);
	assert_false(out.proven);
	boot_record_release(&out);
	assert_true(store_boot(w->store, "t2", &out, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_NOT_FOUND);
}

static void samples_keep_order_and_bits(void **state)
{
	const double values[] = { 0.1, DBL_MIN, 1e300, 18531.500000000004 };
	struct world *w = *state;
	struct samples all = SAMPLES_INIT, one = SAMPLES_INIT;
	struct boot_record b1 = boot("t1"), b2 = boot("t2");

	assert_int_equal(store_add_boot(w->store, run_id(w->run), &b1, &w->e), 0);
	assert_int_equal(store_add_boot(w->store, run_id(w->run), &b2, &w->e), 0);
	for (int twice = 0; twice < 2; twice++) {
		for (int i = 0; i < (int)ARRAY_SIZE(values); i++) {
			struct sample s = { .token = TEXT(i % 2 ? "t1" : "t2"),
					    .benchmark = TEXT("cpuid_rate"),
					    .l0 = TEXT("npt"),
					    .ordinal = i,
					    .value = values[i] };

			assert_int_equal(
				store_add_sample(w->store, run_id(w->run), &s, &w->e), 0);
		}
	}
	assert_int_equal(store_samples(w->store, run_id(w->run), NULL, &all, &w->e), 0);
	assert_int_equal(all.nr, ARRAY_SIZE(values));
	for (size_t i = 0; i < all.nr; i++) {
		assert_int_equal(all.v[i].ordinal, i);
		assert_memory_equal(&all.v[i].value, &values[i], sizeof(double));
		assert_null(all.v[i].l1);
	}
	assert_int_equal(store_samples(w->store, run_id(w->run), "t1", &one, &w->e), 0);
	assert_int_equal(one.nr, 2);
	assert_int_equal(one.v[0].ordinal, 1);
	samples_release(&all);
	samples_release(&one);
}

/* No sample without the proof that comes with its boot. */
static void sample_needs_its_boot(void **state)
{
	struct world *w = *state;
	struct sample s = { .token = TEXT("nowhere"),
			    .benchmark = TEXT("cpuid_rate"),
			    .value = 1 };

	assert_true(store_add_sample(w->store, run_id(w->run), &s, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_STORE);
}

static void record_needs_its_run(void **state)
{
	struct world *w = *state;
	struct boot_record b = boot("t1");

	assert_true(store_add_boot(w->store, "no such run", &b, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_STORE);
}

static void nothing_is_not_a_number(void **state)
{
	struct world *w = *state;
	struct boot_record b = boot("t1");
	struct sample s = { .token = TEXT("t1"), .benchmark = TEXT("b"), .value = NAN };

	assert_int_equal(store_add_boot(w->store, run_id(w->run), &b, &w->e), 0);
	assert_true(store_add_sample(w->store, run_id(w->run), &s, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_STORE);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, world_new, world_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(build_comes_back),
		TEST(boot_comes_back),
		TEST(samples_keep_order_and_bits),
		TEST(sample_needs_its_boot),
		TEST(record_needs_its_run),
		TEST(nothing_is_not_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
