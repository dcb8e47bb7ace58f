// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/build/warnings.h"
#include "core/base/alloc.h"

static const struct oid one = { "1111111111111111111111111111111111111111" };
static const struct oid two = { "2222222222222222222222222222222222222222" };

/* What a build in a folder that was empty keeps of its log. */
static struct warnings whole(const char *log)
{
	struct warnings w;

	warnings_read_log(log, "/kiln/src", &w);
	w.id = w.tree = w.config = one;
	w.whole = true;
	return w;
}

#define IN_F "/kiln/src/a.c: In function 'f':\n"
#define UNUSED(line) \
	"/kiln/src/a.c:" line ":6: warning: unused variable 'x' [-Wunused-variable]\n"

static void test_parts(void **state)
{
	_cleanup_warnings_ struct warnings w =
		whole("make: Entering directory '/kiln/src'\n"
		      "  CC      dir/a.o\n" IN_F UNUSED(
			      "12") "   12 |  int x; // b.c:1: warning: no\n"
				    "      |      ^\n"
				    "/kiln/src/inc.h: At top level:\n"
				    "/kiln/src/inc.h:7: warning: \033[1modd\ttext\n"
				    "  LD      vmlinux.o\n"
				    "vmlinux.o: warning: objtool: f+0x12: unreachable\n"
				    "  MODPOST vmlinux.symvers\n"
				    "WARNING: modpost: vmlinux.o: section mismatch\n");
	const struct warning *v = w.v[0].v;

	(void)state;
	assert_int_equal(w.nr, 3);
	assert_string_equal(w.v[0].name, "dir/a.o");
	assert_int_equal(w.v[0].nr, 2);
	assert_string_equal(v[0].file, "a.c");
	assert_int_equal(v[0].line, 12);
	assert_string_equal(v[0].function, "f");
	assert_string_equal(v[0].option, "unused-variable");
	assert_string_equal(v[0].text, "unused variable 'x'");
	assert_int_equal(v[1].line, 7);
	assert_string_equal(v[1].function, "");
	assert_string_equal(v[1].option, "");
	assert_string_equal(v[1].text, " [1modd text");
	assert_string_equal(w.v[1].name, "vmlinux.o");
	assert_string_equal(w.v[1].v[0].file, "vmlinux.o");
	assert_string_equal(w.v[2].v[0].file, "modpost");
}

static void test_made_twice(void **state)
{
	_cleanup_warnings_ struct warnings w =
		whole("  CC      a.o\n" UNUSED("1") "  CC [M]  a.o\n  CC      b.o\n");

	(void)state;
	assert_int_equal(w.nr, 2);
	assert_string_equal(w.v[0].name, "a.o");
	assert_int_equal(w.v[0].nr, 0);
}

/* How many are new, and of how many that cannot be told. */
static void compare(const struct warnings *a, const struct warnings *b, size_t nr,
		    size_t untold, bool partial)
{
	_cleanup_warnings_news_ struct warnings_news n = { 0 };

	warnings_compare(a, b, &n);
	assert_int_equal(n.nr, nr);
	assert_int_equal(n.untold, untold);
	assert_int_equal(n.partial, partial);
}

static void compare_logs(const char *a, const char *b, size_t nr)
{
	_cleanup_warnings_ struct warnings wa = whole(a), wb = whole(b);

	compare(&wa, &wb, nr, 0, false);
}

static void test_same(void **state)
{
	(void)state;
	compare_logs("  CC a.o\n" IN_F UNUSED("12"), "  CC a.o\n" IN_F UNUSED("99"), 0);
	compare_logs("  CC a.o\n/kiln/src/a.c:1:1: warning: the frame size of 2064 bytes "
		     "is big\n",
		     "  CC a.o\n/kiln/src/a.c:4:1: warning: the frame size of 3000 bytes "
		     "is big\n",
		     0);
	compare_logs("  CC a.o\n" UNUSED("1"), "  CC a.o\n", 0);
	/* Of a header: another object shows it too. */
	compare_logs("  CC a.o\n/kiln/src/i.h:1:1: warning: old\n",
		     "  CC a.o\n/kiln/src/i.h:1:1: warning: old\n"
		     "  CC b.o\n/kiln/src/i.h:1:1: warning: old\n",
		     0);
}

static void test_new(void **state)
{
	(void)state;
	compare_logs("  CC a.o\n", "  CC a.o\n" UNUSED("1"), 1);
	compare_logs("", "  CC a.o\n" UNUSED("1"), 1);
	compare_logs("  CC a.o\n" IN_F UNUSED("1"),
		     "  CC a.o\n" IN_F UNUSED("1") UNUSED("8"), 1);
	compare_logs("  CC a.o\n/kiln/src/a.c:1:1: warning: index 4 of 4\n",
		     "  CC a.o\n/kiln/src/a.c:1:1: warning: index 5 of 4\n", 1);
}

static void test_header_once(void **state)
{
	_cleanup_warnings_ struct warnings
		a = whole("  CC a.o\n  CC b.o\n"),
		b = whole("  CC a.o\n/kiln/src/i.h:1:1: warning: new\n"
			  "  CC b.o\n/kiln/src/i.h:1:1: warning: new\n");
	_cleanup_warnings_news_ struct warnings_news n = { 0 };

	(void)state;
	warnings_compare(&a, &b, &n);
	assert_int_equal(n.nr, 1);
	assert_int_equal(n.v[0].objects, 2);
	assert_string_equal(n.v[0].object, "a.o");
}

/* A folder that held objects before anybody kept warnings. */
static void test_untold(void **state)
{
	_cleanup_warnings_ struct warnings
		a = whole("  CC a.o\n"),
		b = whole("  CC a.o\n" UNUSED("1") "  CC b.o\n"
						   "/kiln/src/b.c:1:1: warning: odd\n");

	(void)state;
	a.whole = b.whole = false;
	compare(&a, &b, 1, 1, false);
	compare(&b, &a, 0, 0, true); /* a knows nothing of b.o */
	b.id = two;
	compare(&a, &b, 1, 1, true);
	a.whole = b.whole = true;
	compare(&a, &b, 2, 0, false);
}

static void test_doubtful(void **state)
{
	_cleanup_warnings_ struct warnings a = whole("  CC a.o\n" UNUSED("1")),
					   b = whole("  CC a.o\n" UNUSED("1")),
					   none = whole("  CC a.o\n");

	(void)state;
	b.v[0].doubtful = true;
	compare(&a, &b, 0, 0, false);	 /* whether it is there or not: not new */
	compare(&none, &b, 0, 1, false); /* is it there? */
	compare(&b, &a, 0, 1, false);	 /* was it there? */
	none.v[0].doubtful = true;
	compare(&none, &a, 1, 0, false);
}

static void test_merge(void **state)
{
	_cleanup_warnings_ struct warnings kept = whole("  CC a.o\n" UNUSED(
						   "1") "  CC b.o\n" UNUSED("2")),
					   log = whole("  CC b.o\n  CC c.o\n");

	(void)state;
	kept.v[1].doubtful = true;
	warnings_merge(&kept, &log);
	assert_int_equal(log.nr, 0);
	assert_int_equal(kept.nr, 3);
	assert_int_equal(kept.v[0].nr, 1);
	assert_int_equal(kept.v[1].nr, 0);
	assert_false(kept.v[1].doubtful);
	assert_string_equal(kept.v[2].name, "c.o");
}

static void test_text(void **state)
{
	_cleanup_warnings_ struct warnings w = whole("  CC a.o\n" IN_F UNUSED(
						   "1") "  CC b.o\n"),
					   again = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;

	(void)state;
	w.v[1].doubtful = true;
	warnings_write(&w, &text);
	for (size_t i = 0; i < text.len; i++) {
		_cleanup_free_ char *cut = xstrndup(text.data, i);

		assert_false(warnings_read(cut, &again));
	}
	assert_true(warnings_read(buf_str(&text), &again));
	assert_int_equal(again.nr, 2);
	assert_true(again.v[1].doubtful);
	assert_string_equal(again.v[0].v[0].function, "f");
	compare(&w, &again, 0, 0, false);
	assert_false(warnings_read("kiln-warnings 1\nend\n", &w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),	    cmocka_unit_test(test_made_twice),
		cmocka_unit_test(test_same),	    cmocka_unit_test(test_new),
		cmocka_unit_test(test_header_once), cmocka_unit_test(test_untold),
		cmocka_unit_test(test_doubtful),    cmocka_unit_test(test_merge),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
