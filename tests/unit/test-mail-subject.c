// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/base.h"
#include "core/base/strv.h"
#include "mail/subject.h"

struct row {
	const char *text;
	int revision, number, total; /* 0 = not given */
	const char *flags; /* p patch, c counted, f RFC, s resend, r reply, g pull */
	const char *tags;  /* joined with blanks */
	const char *title;
};

static const struct row rows[] = {
	{ "[PATCH] x: y", 0, 0, 0, "p", "", "x: y" },
	{ "[PATCH v2 01/10] x", 2, 1, 10, "pc", "", "x" },
	{ "[PATCH V2] x", 2, 0, 0, "p", "", "x" },
	{ "[PATCHv3 2/3] x", 3, 2, 3, "pc", "", "x" },
	{ "[PATCHV3] x", 3, 0, 0, "p", "", "x" },
	{ "[v2 PATCH 1/2] x", 2, 1, 2, "pc", "", "x" },
	{ "[PATCH 1/2 v2] x", 2, 1, 2, "pc", "", "x" },
	{ "[PATCH v02] x", 2, 0, 0, "p", "", "x" },
	{ "[PATCH v5.1 1/2] x", 5, 1, 2, "pc", "", "x" },
	{ "[PATCH v5.10 1/2] x", 0, 1, 2, "pc", "v5.10", "x" },
	{ "[PATCH v2-resend] x", 2, 0, 0, "ps", "", "x" },
	{ "[PATCH v2 (resend)] x", 2, 0, 0, "ps", "", "x" },
	{ "[PATCH RESEND v3 1/4] x", 3, 1, 4, "pcs", "", "x" },
	{ "[RFC PATCH v2] x", 2, 0, 0, "pf", "", "x" },
	{ "[PATCH RFC v2] x", 2, 0, 0, "pf", "", "x" },
	{ "[RFC v2 1/2] x", 2, 1, 2, "pcf", "", "x" },
	{ "[RFCv2 1/2] x", 2, 1, 2, "pcf", "", "x" },
	{ "[RFC/PATCH 1/2] x", 0, 1, 2, "pcf", "", "x" },
	{ "[RFC][PATCH 2/7] x", 0, 2, 7, "pcf", "", "x" },
	{ "[PATCH][next][V2] x", 2, 0, 0, "p", "next", "x" },
	{ "[PATCH net-next v3 1/2] x", 3, 1, 2, "pc", "net-next", "x" },
	{ "[net-next v3 0/8] x", 3, 0, 8, "pc", "net-next", "x" },
	{ "[PATCH 6.6 000/123] x", 0, 0, 123, "pc", "6.6", "x" },
	{ "[PATCH -stable,5.4 01/10] x", 0, 1, 10, "pc", "stable 5.4", "x" },
	{ "[PATCH 5.10.y] x", 0, 0, 0, "p", "5.10.y", "x" },
	{ "[PATCH v6.1.y] x", 0, 0, 0, "p", "v6.1.y", "x" },
	{ "[PATCH v2] [2/3] x", 2, 2, 3, "pc", "", "x" },
	{ "[PATCH[v2] 1/2] x", 2, 1, 2, "pc", "", "x" },
	{ "[PATCH [v2 1/2] x", 2, 1, 2, "pc", "", "x" },
	{ "[foo] [PATCH [RFC] v1 x/n] [RESEND] s", 1, 0, 0, "pfs", "foo", "s" },
	{ "[Navy-patches] [PATCH] s", 0, 0, 0, "p", "Navy-patches", "s" },
	{ "[PATCH 1 of 3] x", 0, 1, 3, "pc", "", "x" },
	{ "[patch V2 03/18] x", 2, 3, 18, "pc", "", "x" },
	{ "[PATCH1/8] x", 0, 1, 8, "pc", "", "x" },
	{ "[PATCH,v6,01/24] x", 6, 1, 24, "pc", "", "x" },
	{ "PATCH: a", 0, 0, 0, "", "", "PATCH: a" },
	{ "[PATCH 6/5] x", 0, 6, 5, "pc", "", "x" },
	{ "[PATCH 0001/1200] x", 0, 1, 1200, "pc", "", "x" },
	{ "[PATCH 00001/12000] x", 0, 1, 12000, "pc", "", "x" },
	{ "[PATCH 1/99999999999] x", 0, 0, 0, "p", "1/99999999999", "x" },
	{ "[PATCH v99999999999] x", 0, 0, 0, "p", "v99999999999", "x" },
	{ "Re: [PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "RE: [PATCH v2] x", 2, 0, 0, "pr", "", "x" },
	{ "AW: [PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "Fwd: [PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "Re[2]: [PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "回复: [PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "回复：[PATCH] x", 0, 0, 0, "pr", "", "x" },
	{ "[list] Re: [PATCH 1/2] x", 0, 1, 2, "pcr", "list", "x" },
	{ "[PATCH] regulator: re-use x", 0, 0, 0, "p", "", "regulator: re-use x" },
	{ "[PATCH] x (v2)", 2, 0, 0, "p", "", "x (v2)" },
	{ "[PATCH 1/3] x [ver #2]", 2, 1, 3, "pc", "", "x [ver #2]" },
	{ "[PATCH v4] x (v2)", 4, 0, 0, "p", "", "x (v2)" },
	{ "s [PATCH v2]", 0, 0, 0, "", "", "s [PATCH v2]" },
	{ "[tip: x86/urgent] x", 0, 0, 0, "", "tip: x86/urgent", "x" },
	{ "[GIT PULL] x", 0, 0, 0, "g", "GIT", "x" },
	{ "[PATCH FIX] x", 0, 0, 0, "p", "FIX", "x" },
	{ "[PATCHWORK] x", 0, 0, 0, "", "PATCHWORK", "x" },
	{ "", 0, 0, 0, "", "", "" },
	{ "[", 0, 0, 0, "", "", "[" },
	{ "[PATCH", 0, 0, 0, "", "", "[PATCH" },
	{ "[]", 0, 0, 0, "", "", "" },
	{ "Re:", 0, 0, 0, "r", "", "" },
};

static void flags_of(const struct subject *s, char out[8])
{
	size_t n = 0;

	if (s->patch)
		out[n++] = 'p';
	if (s->counted)
		out[n++] = 'c';
	if (s->rfc)
		out[n++] = 'f';
	if (s->resend)
		out[n++] = 's';
	if (s->reply)
		out[n++] = 'r';
	if (s->pull)
		out[n++] = 'g';
	out[n] = '\0';
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_subject_ struct subject s = { 0 };
		_cleanup_free_ char *tags = NULL;
		char flags[8];

		print_message("'%s'\n", rows[i].text);
		subject_parse(rows[i].text, &s);
		tags = strv_join(&s.tags, " ");
		flags_of(&s, flags);
		assert_int_equal(s.revision, rows[i].revision);
		assert_int_equal(s.number, rows[i].number);
		assert_int_equal(s.total, rows[i].total);
		assert_string_equal(flags, rows[i].flags);
		assert_string_equal(tags, rows[i].tags);
		assert_string_equal(s.title, rows[i].title);
	}
}

static void test_subrevision_and_version(void **state)
{
	_cleanup_subject_ struct subject a = { 0 }, b = { 0 }, c = { 0 };

	(void)state;
	subject_parse("[PATCH v5.1] x", &a);
	assert_int_equal(a.subrevision, 1);
	assert_null(subject_version(&a));
	subject_parse("[PATCH -stable,5.4 01/10] x", &b);
	assert_string_equal(subject_version(&b), "5.4");
	subject_parse("[PATCH net v2] x", &c);
	assert_null(subject_version(&c));
}

/* Titles as git am cleans them: [brackets] and Re: in front only, blanks squeezed. */
static void test_title(void **state)
{
	static const char *const pairs[][2] = {
		{ "[PATCH] x", "x" },
		{ "[foo] bar: baz", "bar: baz" },
		{ "re: [PATCH] x", "x" },
		{ "  [a] [b]  : x   y ", "x y" },
		{ "Revert \"[PATCH] x\"", "Revert \"[PATCH] x\"" },
		{ "AW: x", "AW: x" },
		{ "[open x", "[open x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		_cleanup_free_ char *t = subject_title(pairs[i][0]);

		assert_string_equal(t, pairs[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_subrevision_and_version),
		cmocka_unit_test(test_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
