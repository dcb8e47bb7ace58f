// SPDX-License-Identifier: GPL-3.0-or-later
/* Deltas and packs in memory give back what went in; broken deltas are refused. */
#include "core/git/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/git/delta.h"
#include "core/git/similar.h"

#define VERSIONS 60 /* more than a chain of deltas may have */

/* The same numbers every time. */
static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void random_bytes(struct buf *b, size_t n, uint32_t *seed)
{
	while (n--)
		buf_addc(b, (char)next(seed));
}

/* A version with one stretch replaced by one of another length, or of the same. */
static void edit(const struct buf *old, struct buf *ret, uint32_t *seed)
{
	size_t at = old->len ? next(seed) % old->len : 0;
	size_t gone = next(seed) % (old->len - at + 1);
	size_t come = next(seed) % 2 ? gone : next(seed) % 300;

	buf_add(ret, old->data, at);
	random_bytes(ret, come, seed);
	buf_add(ret, old->data + at + gone, old->len - at - gone);
}

static void test_delta(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 500; i++) {
		_cleanup_buf_ struct buf old = BUF_INIT, new = BUF_INIT;
		_cleanup_buf_ struct buf delta = BUF_INIT, back = BUF_INIT;

		random_bytes(&old, next(&seed) % 70000, &seed);
		edit(&old, &new, &seed);
		delta_make(&old, &new, &delta);
		assert_true(delta_apply(&delta, &old, &back));
		assert_int_equal(back.len, new.len);
		assert_memory_equal(buf_str(&back), buf_str(&new), new.len);
		/* cut short, or on another text, it is refused */
		delta.len /= 2;
		buf_clear(&back);
		assert_false(new.len &&delta_apply(&delta, &old, &back));
		buf_addc(&old, 'x');
		assert_false(delta_apply(&delta, &old, &back));
	}
}

static void test_small_edit_is_small(void **state)
{
	_cleanup_buf_ struct buf old = BUF_INIT, new = BUF_INIT, delta = BUF_INIT;
	uint32_t seed = 2;

	(void)state;
	random_bytes(&old, 40000, &seed);
	buf_add(&new, old.data, old.len);
	memset(new.data + 100, 'x', 20);
	memset(new.data + 30000, 'y', 20);
	delta_make(&old, &new, &delta);
	assert_in_range(delta.len, 40, 80);
}

static void test_pack(void **state)
{
	struct buf v[VERSIONS] = { BUF_INIT };
	struct pack *p = pack_new();
	uint32_t seed = 3;

	(void)state;
	random_bytes(&v[0], 3000, &seed);
	for (size_t i = 0; i < VERSIONS; i++) {
		unsigned char id[20] = { (unsigned char)i };

		if (i)
			edit(&v[i - 1], &v[i], &seed);
		assert_int_equal(pack_add(p, OBJECT_BLOB, id, &v[i],
					  i ? i - 1 : PACK_NO_BASE, i ? &v[i - 1] : NULL),
				 i);
	}
	assert_int_equal(pack_count(p), VERSIONS);
	for (size_t i = 0; i < VERSIONS; i++) {
		_cleanup_buf_ struct buf back = BUF_INIT;

		pack_read(p, i, &back);
		assert_int_equal(pack_size(p, i), v[i].len);
		assert_int_equal(back.len, v[i].len);
		assert_memory_equal(buf_str(&back), buf_str(&v[i]), back.len);
	}
	pack_free(p);
	for (size_t i = 0; i < VERSIONS; i++)
		buf_release(&v[i]);
}

static void test_similar(void **state)
{
	static const char *const texts[] = { "a\nb\nc\nd\n", "a\nb\nc\nX\n",
					     "p\nq\nr\ns\n", "a\r\nb\r\nc\r\nd\r\n" };
	struct pieces p[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		buf_adds(&b, texts[i]);
		pieces_init(&p[i], &b);
	}
	assert_int_equal(similar_score(&p[0], &p[0]), SIMILAR_MAX);
	assert_int_equal(similar_score(&p[0], &p[1]), SIMILAR_MAX * 3 / 4);
	assert_int_equal(similar_score(&p[0], &p[2]), 0);
	/* line ends do not count as changes, but as size */
	assert_int_equal(similar_score(&p[0], &p[3]), SIMILAR_MAX * 8 / 12);
	assert_true(similar_sizes(100, 200, SIMILAR_RENAME));
	assert_false(similar_sizes(100, 201, SIMILAR_RENAME));
	for (int i = 0; i < 4; i++)
		pieces_release(&p[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delta),
		cmocka_unit_test(test_small_edit_is_small),
		cmocka_unit_test(test_pack),
		cmocka_unit_test(test_similar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
