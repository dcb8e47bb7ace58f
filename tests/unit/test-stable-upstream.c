// SPDX-License-Identifier: GPL-3.0-or-later
/* What messages say of their upstream commit: every spelling, and what only looks so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/series/upstream.h"

#define A "0123456789abcdef0123456789abcdef01234567"
#define B "fedcba9876543210fedcba9876543210fedcba98"

struct row {
	const char *text, *result;
};

static char *read_all(const char *text)
{
	_cleanup_upstream_claims_ struct upstream_claims c = UPSTREAM_CLAIMS_INIT;
	_cleanup_buf_ struct buf b = BUF_INIT;

	upstream_claims_read(text, &c);
	for (size_t i = 0; i < c.nr; i++) {
		buf_addf(&b, "%s%s", b.len ? ";" : "", upstream_form_word(c.v[i].form));
		if (c.v[i].commit)
			buf_addf(&b, " %s", c.v[i].commit);
		if (c.v[i].reverted)
			buf_addf(&b, " of %s", c.v[i].reverted);
	}
	return buf_take(&b);
}

static void check(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *got = read_all(rows[i].text);

		print_message("%s\n", rows[i].text);
		assert_string_equal(got, rows[i].result);
	}
}

#define CHECK(rows) check(rows, ARRAY_SIZE(rows))

/* C6/151, boot C3: the variants, in any case, abbreviated, indented. */
static void test_spellings(void **state)
{
	static const struct row rows[] = {
		{ "T\n\ncommit " A " upstream.\n\nx", "commit " A },
		{ "commit " A " upstream", "commit " A },
		{ "  Commit 0123456789AB Upstream.", "commit 0123456789ab" },
		{ "commit " A " in upstream.", "commit " A },
		{ "[ Upstream commit " A " ]", "bracket " A },
		{ "[Upstream commit " A "]", "bracket " A },
		{ "    [ upstream commit 0123456789ab ]\n", "bracket 0123456789ab" },
		{ "Upstream commit " A, "plain " A },
		{ "upstream commit: " A ".", "plain " A },
		{ "Mainline commit " A, "plain " A },
		{ "(cherry picked from commit " A ")", "cherry-pick " A },
		{ "(cherry-picked from commit " A ")", "cherry-pick " A },
		{ "(cherry picked from commit " A " linux-6.1.y)", "cherry-pick " A },
		{ "(backported from commit " A ")", "cherry-pick " A },
		{ "Stable-dep-of: 0123456789ab (\"x: y\")", "dep-of 0123456789ab" },
		{ "[no upstream commit]", "none" },
		{ "commit " A " not upstream", "none" },
		{ "[ not upstream ]", "none" },
		{ "Stable-only patch.", "none" },
	};

	(void)state;
	CHECK(rows);
}

/* C6/154: X is in stable, Y upstream; over line ends; without Y. */
static void test_reverts(void **state)
{
	static const struct row rows[] = {
		{ "This reverts commit " B " which is commit " A " upstream.",
		  "revert " A " of " B },
		{ "This reverts commit " B "\nwhich is commit " A "\nupstream.\n",
		  "revert " A " of " B },
		{ "This reverts commit " B ", which is upstream commit " A ".",
		  "revert " A " of " B },
		{ "this reverts commit 0123456789ab (\"x: y\n z\") which is commit "
		  "fedcba987654 upstream.",
		  "revert fedcba987654 of 0123456789ab" },
		{ "This reverts commit " B ".\n\nwhich is commit " A " upstream.",
		  "revert of " B },
		{ "This reverts commit " B " which is commit " A " downstream.",
		  "revert of " B },
	};

	(void)state;
	CHECK(rows);
}

static void test_no_claims(void **state)
{
	static const struct row rows[] = {
		{ "Since commit " A " upstream has a bug.", "" },
		{ "commit 01234 upstream.", "" },
		{ "commit " A "0123456789abcdef0123456789 upstream.", "" },
		{ "commit " A "x upstream.", "" },
		{ "commit message upstream.", "" },
		{ "commit " A " upstreamed.", "" },
		{ "> commit " A " upstream.", "" },
		{ "Upstream commit " A " broke it", "" },
		{ "no upstream user is left", "" },
		{ "", "" },
		{ "x\ndiff --git a/f b/f\ncommit " A " upstream.\n", "" },
	};

	(void)state;
	CHECK(rows);
}

static void test_main_claim(void **state)
{
	static const struct row rows[] = {
		{ "Stable-dep-of: fedcba987654\n\n[ Upstream commit " A " ]\n"
		  "This reverts commit " B ".",
		  A },
		{ "This reverts commit " B " which is commit " A " upstream.", A },
		{ "This reverts commit " B ".", NULL },
		{ "[no upstream commit]", NULL },
		{ "commit " A " upstream.\n(cherry picked from commit " B ")", A },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_upstream_claims_ struct upstream_claims c = UPSTREAM_CLAIMS_INIT;
		const struct upstream_claim *m;

		upstream_claims_read(rows[i].text, &c);
		m = upstream_claims_main(&c);
		if (rows[i].result)
			assert_string_equal(m->commit, rows[i].result);
		else
			assert_null(m);
	}
}

/* Many claims, the same claims, and lines without end are bounded. */
static void test_limits(void **state)
{
	_cleanup_upstream_claims_ struct upstream_claims c = UPSTREAM_CLAIMS_INIT;
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_addf(&b, "commit %012d upstream.\nthis reverts commit %012d\n", i, i);
	upstream_claims_read(buf_str(&b), &c);
	assert_int_equal(c.nr, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings), cmocka_unit_test(test_reverts),
		cmocka_unit_test(test_no_claims), cmocka_unit_test(test_main_claim),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
