// SPDX-License-Identifier: GPL-3.0-or-later
/* Versions, the queue as data, words of C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/queue-view.h"
#include "core/base/alloc.h"
#include "core/stable/check.h"
#include "core/stable/source.h"
#include "core/stable/version.h"
#include "mail/objections.h"
#include "mail/queue-read.h"

#define A "0123456789abcdef0123456789abcdef01234567"

/* The mailbot took 5.10 for less than 5.4. */
static void test_version_order(void **state)
{
	(void)state;
	assert_int_equal(version_compare("5.10", "5.4"), 1);
	assert_int_equal(version_compare("5.4", "5.10"), -1);
	assert_int_equal(version_compare("6.1", "6.1.0"), -1);
	assert_int_equal(version_compare("6.1.10", "6.1.9"), 1);
	assert_int_equal(version_compare("6.01", "6.1"), 0);
	assert_int_equal(version_compare("99999999999999999999999.1",
					 "99999999999999999999998.9"),
			 1);
}

static void assert_in(const char *text, const char *want)
{
	_cleanup_free_ char *v = version_in(text);

	if (want)
		assert_string_equal(v, want);
	else
		assert_null(v);
}

static void test_version_text(void **state)
{
	_cleanup_free_ char *before = version_before("6.1.7");
	_cleanup_free_ char *first = version_before("6.1.1");
	_cleanup_free_ char *branch = version_branch("6.1.7");

	(void)state;
	assert_in("queue-6.1", "6.1");
	assert_in("linux-5.10.y", "5.10");
	assert_in("origin/linux-6.6.y", "6.6");
	assert_in("6.1.7-rc2 review", "6.1.7");
	assert_in("x86", NULL);
	assert_in("99999999999.99999999999", NULL);
	assert_string_equal(before, "6.1.6");
	assert_string_equal(first, "6.1");
	assert_null(version_before("6.1"));
	assert_null(version_before("6.1.0"));
	assert_string_equal(branch, "6.1");
	assert_true(version_is("6.1"));
	assert_false(version_is("6.1.y"));
	assert_false(version_is("6"));
}

static void test_dropped(void **state)
{
	_cleanup_queue_ struct queue *q = queue_new("q");

	(void)state;
	q->version = xstrdup("6.1");
	queue_read_dropped(q, "# 6.1 " A "\n6.10 " A "\n\nno line\n6.6\n", false);
	assert_null(queue_find_dropped(q, A, false));
	queue_read_dropped(q, "6.1 0123456789AB\tof old", false);
	assert_non_null(queue_find_dropped(q, A, false));
	assert_null(queue_find_dropped(q, A, true));
	assert_int_equal(q->nr_dropped, 2);
}

static void test_siblings(void **state)
{
	_cleanup_queue_ struct queue *q = queue_new("q");

	(void)state;
	queue_add_sibling(q, "6.6", "fffffffff\n0123456789ab\n000000000000\nx\n");
	assert_true(queue_sibling_has(q, "6.6", A));
	assert_false(queue_sibling_has(q, "6.60", A));
	assert_false(queue_sibling_has(q, "6.6", "1" A));
}

static void assert_only(const char *subject, const char *message, bool want)
{
	struct patch p = { .subject = (char *)subject, .message = (char *)message };

	upstream_claims_read(message, &p.upstream);
	assert_int_equal(queue_is_stable_only(&p), want);
	upstream_claims_release(&p.upstream);
}

static void test_stable_only(void **state)
{
	(void)state;
	assert_only("a", "a\n\n[ no upstream commit ]\n", true);
	assert_only("a", "a\n\ncommit " A " not upstream.\n", true);
	assert_only("a", "a\n\nThis has no upstream equivalent, as it went away.\n",
		    true);
	assert_only("Linux 6.1.7", "Linux 6.1.7\n", true);
	assert_only("a", "a\n\nText.\n", false);
}

static void test_notes(void **state)
{
	(void)state;
	assert_true(queue_has_backport_note("a\n\n[ bp: no foo() here ]\nSigned-off"));
	assert_true(queue_has_backport_note("a\n\n[name: adjusted context]\n"));
	assert_true(queue_has_backport_note("a\n\nConflicts resolved by hand.\n"));
	assert_false(queue_has_backport_note("a\n\n[ Upstream commit " A " ]\n"));
	assert_false(queue_has_backport_note("a\n\n[1] https://x.org\n"));
	assert_false(queue_has_backport_note("a\n\nText [0].\n"));
}

/* "word!" = call, "word." = member, "word=" = declared, blanks between. */
static char *words_of(const char *line)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *at = line, *end = line + strlen(line);
	struct source_word w;

	while (source_next_word(&at, line, end, &w))
		buf_addf(&b, "%s%.*s%s%s%s", b.len ? " " : "", (int)w.len, w.p,
			 w.call ? "!" : "", w.member ? "." : "", w.declared ? "=" : "");
	return buf_take(&b);
}

static void test_words(void **state)
{
	static const char *const rows[][2] = {
		{ "\treturn foo(bar);", "foo! bar" },
		{ "\tint foo = bar->baz;", "int foo= bar baz." },
		{ "\tstruct vcpu *v;", "struct vcpu= v=" },
		{ "static int foo(struct x *y)", "static int= foo!= struct x= y=" },
		{ "#define FOO(n) bar(n)", "define FOO!= n bar! n" },
		{ "\t/* foo(bar) */ baz();", "baz!" },
		{ "\tpr(\"foo(%d) \\\" bar\", x); // more", "pr! x" },
		{ " * foo() in a comment", "" },
		{ "\tFOO_BAR,", "FOO_BAR=" },
		{ "\t.name = foo,", "name. foo" },
		{ "\tcase FOO:", "FOO" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *got = words_of(rows[i][0]);

		assert_string_equal(got, rows[i][1]);
	}
}

static void assert_function(const char *file, const char *name, const char *want)
{
	_cleanup_buf_ struct buf text = BUF_INIT, body = BUF_INIT;

	buf_adds(&text, file);
	assert_int_equal(source_function(&text, name, strlen(name), &body), want != NULL);
	if (want)
		assert_non_null(strstr(buf_str(&body), want));
}

static void test_functions(void **state)
{
	static const char file[] = "int foo(int a);\n#define bar(n) \\\n\t((n) + 1)\n"
				   "static int foo(int a)\n{\n\tif (a) {\n\t}\n\treturn "
				   "baz(a);\n}\n\nint one(void) { return 1; }\n";

	(void)state;
	assert_function(file, "foo", "return baz(a);\n}\n");
	assert_function(file, "bar", "((n) + 1)");
	assert_function(file, "one", "return 1;");
	assert_function(file, "baz", NULL);
	assert_function("int foo(", "foo", NULL);
}

static void test_includes(void **state)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_strv_ struct strv v = STRV_INIT;
	_cleanup_free_ char *all = NULL;

	(void)state;
	buf_adds(&text, "#include <linux/kvm.h>\n# include \"x.h\"\n#include <asm/a.h>\n"
			"#include \"../../etc/passwd\"\n");
	source_includes("arch/arm64/kvm/a.c", &text, &v);
	all = strv_join(&v, " ");
	assert_string_equal(all, "include/linux/kvm.h arch/arm64/kvm/x.h "
				 "include/asm/a.h arch/arm64/include/asm/a.h");
}

static void test_pack(void **state)
{
	_cleanup_queue_files_ struct queue_files f = { 0 }, g = { 0 };
	_cleanup_buf_ struct buf packed = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	f.folder = xstrdup("q/queue-6.1");
	buf_add(queue_files_add(&f, "a b"), "x\0y\n", 4);
	buf_adds(queue_files_add(&f, "series"), "a\n");
	queue_files_pack(&f, &packed);
	assert_int_equal(queue_files_unpack(&packed, &g, &e), 0);
	assert_string_equal(g.folder, "q/queue-6.1");
	assert_int_equal(g.nr, 2);
	assert_memory_equal(queue_files_find(&g, "a b")->data, "x\0y\n", 4);
	for (size_t cut = 1; cut < 8; cut++) {
		_cleanup_queue_files_ struct queue_files none = { 0 };
		_cleanup_err_ struct err bad = { 0 };

		packed.len -= 1;
		assert_int_not_equal(queue_files_unpack(&packed, &none, &bad), 0);
	}
}

static void test_objections(void **state)
{
	(void)state;
	assert_true(objection_is("Please drop this, it", 20));
	assert_true(objection_is("Nacked-by: X <x@x>", 18));
	assert_false(objection_is("Thanks, applied.", 16));
	assert_false(objection_is("Tested-by: X <x@x>", 18));
}

/* A report with these checks made, on a queue of none. */
static char *reply_with(const char *const *ids, enum check_severity worst)
{
	_cleanup_queue_ struct queue *q = queue_new("queue-6.1");
	_cleanup_queue_report_ struct queue_report r = { 0 };
	struct queue_base base = { 0 };
	struct queue_news news = { 0 };
	struct queue_try tried = { 0 };
	struct queue_view v = { .q = q,
				.base = &base,
				.report = &r,
				.news = &news,
				.tried = &tried,
				.tester = "T Ester <t@x.org>" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (; *ids; ids++)
		*array_push(r.made, r.nr_made) = check_find(*ids);
	*array_push(r.whole, r.nr_whole) =
		(struct finding){ check_find("S25"), worst, xstrdup("text"), NULL };
	queue_reply(&v, &b);
	return buf_take(&b);
}

/* Nobody has tested what was only read, nor what did not boot. */
static void test_tested_by(void **state)
{
	static const char *const only_read[] = { "S01", "S06", NULL };
	static const char *const built[] = { "S01", "S23", NULL };
	static const char *const booted[] = { "S01", "S23", "S25", NULL };
	_cleanup_free_ char *a = reply_with(only_read, CHECK_INFO);
	_cleanup_free_ char *b = reply_with(built, CHECK_INFO);
	_cleanup_free_ char *c = reply_with(booted, CHECK_INFO);
	_cleanup_free_ char *d = reply_with(booted, CHECK_ERROR);

	(void)state;
	assert_null(strstr(a, "Tested-by"));
	assert_non_null(strstr(a, "Nothing was built or booted"));
	assert_null(strstr(b, "Tested-by"));
	assert_non_null(strstr(c, "Tested-by: T Ester <t@x.org>\n"));
	assert_null(strstr(d, "Tested-by"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_order), cmocka_unit_test(test_version_text),
		cmocka_unit_test(test_dropped),	      cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_stable_only),   cmocka_unit_test(test_notes),
		cmocka_unit_test(test_words),	      cmocka_unit_test(test_functions),
		cmocka_unit_test(test_includes),      cmocka_unit_test(test_pack),
		cmocka_unit_test(test_objections),    cmocka_unit_test(test_tested_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
