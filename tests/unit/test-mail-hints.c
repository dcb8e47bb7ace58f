// SPDX-License-Identifier: GPL-3.0-or-later
/* Dependencies and base hints: every spelling, and prose that is neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "mail/base-hint.h"
#include "mail/tags.h"

#define HASH "0123456789abcdef0123456789abcdef01234567"

/* "kind value" of prerequisites and hints, joined with ';'. */
static char *read_text(const char *text, const char *subject)
{
	_cleanup_series_ struct series *s = series_new();
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	_cleanup_subject_ struct subject sub = { 0 };

	buf_adds(&in, text);
	subject_parse(subject ? subject : "", &sub);
	tags_collect(&in, "m", s);
	base_hints_of_subject(&sub, "m", s);
	for (size_t i = 0; i < s->nr_prerequisites; i++)
		buf_addf(&out, "%s%s %s", out.len ? ";" : "", s->prerequisites[i].kind,
			 s->prerequisites[i].value);
	for (size_t i = 0; i < s->nr_base_hints; i++)
		buf_addf(&out, "%s%s %s", out.len ? ";" : "", s->base_hints[i].kind,
			 s->base_hints[i].text);
	for (size_t i = 0; i < s->nr_notes; i++)
		buf_addf(&out, "%snote", out.len ? ";" : "");
	return buf_take(&out);
}

struct row {
	const char *text, *result, *subject;
};

static void check(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *got = read_text(rows[i].text, rows[i].subject);

		print_message("%s\n", rows[i].text);
		assert_string_equal(got, rows[i].result);
	}
}

#define CHECK(rows) check(rows, ARRAY_SIZE(rows))

/* C0/B4: a tag is a base too, and the base of the prerequisites is read. */
static void test_base_lines(void **state)
{
	static const struct row rows[] = {
		{ "base-commit: " HASH "\n", "base-commit " HASH, NULL },
		{ "Base-commit: 0123456\n", "base-commit 0123456", NULL },
		{ "base-commit: v6.1-rc1\n", "base-commit v6.1-rc1", NULL },
		{ "base-commit: " HASH " (v6.9, kvm/next)\n", "base-commit " HASH, NULL },
		{ "prerequisite-base-commit: v6.1\nbase-commit: abcdef1\n",
		  "base-commit abcdef1;prerequisite-base-commit v6.1", NULL },
		{ "base-commit: see the cover\n", "note", NULL },
		{ "base-commit: --upload-pack=x\n", "note", NULL },
		{ "> base-commit: " HASH "\n", "", NULL },
		{ "base-commit:\n", "", NULL },
	};

	(void)state;
	CHECK(rows);
}

/* D/3: all five spellings, and C2/48: one key is not the beginning of another. */
static void test_dependencies(void **state)
{
	static const struct row rows[] = {
		{ "prerequisite-patch-id: " HASH "\n", "patch-id " HASH, NULL },
		{ "prerequisite-patch-id: later\n", "note", NULL },
		{ "prerequisite-change-id: 20240101-x-012345:v2\n",
		  "change-id 20240101-x-012345:v2", NULL },
		{ "prerequisite-message-id: <a@b>\n", "message-id a@b", NULL },
		{ "prerequisite-message-id: a@b\n", "message-id a@b", NULL },
		{ "Based-on: <a@b>\n", "based-on a@b", NULL },
		{ "Based-on: <a@b> (\"[PATCH] x\")\n", "based-on a@b", NULL },
		{ "based-on: a@b\nBased-on: <c@d>\nBased-on: <a@b>\n",
		  "based-on a@b;based-on c@d", NULL },
		{ "Depends-on: <a@b>\n", "depends-on a@b", NULL },
		{ "Depends-on: https://lore.kernel.org/all/a%2Fx@b/\n",
		  "depends-on a/x@b", NULL },
		{ "Depends-on: https://x.org/project/x/list/?series=1\n",
		  "depends-on https://x.org/project/x/list/?series=1", NULL },
		{ "Depends-on:\n> Depends-on: <a@b>\n", "", NULL },
	};

	(void)state;
	CHECK(rows);
}

static void test_prose(void **state)
{
	static const struct row rows[] = {
		{ "This series is based on commit " HASH ".\n", "commit " HASH, NULL },
		{ "Based on top of commit 0123456789ab\n(\"x: y\") of kvm/next.\n",
		  "commit 0123456789ab;name kvm/next", NULL },
		{ "Rebased onto v6.9-rc1.\n", "name v6.9-rc1", NULL },
		{ "It applies on top of 6.10-rc3. See 5.1 there.\n", "name v6.10-rc3",
		  NULL },
		{ "Patches apply to linux-next\n(next-20240501), thanks\n",
		  "name linux-next;name next-20240501", NULL },
		{ "against net-next\n", "name net-next", NULL },
		{ "Based on a discussion with N, v2.\n\nv6.8 is old\n", "", NULL },
		{ "> based on v6.9\n", "", NULL },
		{ "It depends on top of the world in mm/slab.c\n", "", NULL },
		{ "T\n---\ndiff --git a/x b/x\n+ based on v6.9\n", "", NULL },
		{ "based on v6.1\nbase-commit: v6.2\n", "base-commit v6.2;name v6.1",
		  NULL },
	};

	(void)state;
	CHECK(rows);
}

/* C019 and C1/11, 12: words of the prefix that are no revision. */
static void test_subjects(void **state)
{
	static const struct row rows[] = {
		{ "", "subject 5.10", "[PATCH 5.10] x" },
		{ "", "subject net-next", "[PATCH net-next v3 1/2] x" },
		{ "", "subject 6.6", "[PATCH 6.6 000/123] 6.6.1-rc1 review" },
		{ "", "subject 6.6.y;subject 6.1.y", "[PATCH 6.6.y,6.1.y] x" },
		{ "", "", "[bug#60788] [PATCH v2] x" },
		{ "", "", "[PATCH v2 RFC 1/2] x" },
	};

	(void)state;
	CHECK(rows);
}

/* Thousands of lines are bounded. */
static void test_limits(void **state)
{
	_cleanup_series_ struct series *s = series_new();
	_cleanup_buf_ struct buf in = BUF_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++)
		buf_addf(&in, "Depends-on: <%d@x>\nbased on v%d.%d\n", i, i % 90, i);
	tags_collect(&in, "m", s);
	assert_int_equal(s->nr_prerequisites, 1000);
	assert_true(s->nr_base_hints <= 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base_lines), cmocka_unit_test(test_dependencies),
		cmocka_unit_test(test_prose),	   cmocka_unit_test(test_subjects),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
