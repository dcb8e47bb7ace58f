// SPDX-License-Identifier: GPL-3.0-or-later
/* What messages say of other commits, in the spellings of Linux' history. */
#include "core/series/commit-notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/series/upstream.h"
#include "core/stable/queue-names.h"

/* "hex|title" of each, "~" before one that is partial. */
static char *flat(const struct commit_names *v)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < v->nr; i++)
		buf_addf(&b, "%s%s%s|%s", i ? " " : "", v->v[i].partial ? "~" : "",
			 v->v[i].hex ? v->v[i].hex : "",
			 v->v[i].title ? v->v[i].title : "");
	return xstrdup(buf_str(&b));
}

struct spelling {
	const char *line, *want;
};

static void check(const struct spelling *s, bool reverts)
{
	_cleanup_free_ char *text = xasprintf("title\n\n%s\n", s->line), *got = NULL;
	_cleanup_commit_notes_ struct commit_notes n = { 0 };

	commit_notes_read(text, &n);
	got = flat(reverts ? &n.reverts : &n.fixes);
	if (strcmp(got, s->want))
		fail_msg("'%s': '%s', not '%s'", s->line, got, s->want);
}

static void fixes(void **state)
{
	static const struct spelling v[] = {
		{ "Fixes: 0123456789ab (\"a: b\")", "0123456789ab|a: b" },
		{ "fixes: 0123456789AB (\"a \"quoted\" b\")",
		  "0123456789ab|a \"quoted\" b" },
		{ "  Fixes: commit 01234567 (\"t\")", "01234567|t" },
		{ "Fixes: <0123456789ab> (\"t\")", "0123456789ab|t" },
		{ "Fixes: 0123456789ab (t without quotes)",
		  "0123456789ab|t without quotes" },
		{ "Fixes: 0123456789ab \"t\"", "0123456789ab|t" },
		{ "Fixes: 0123456789ab ('t')", "0123456789ab|t" },
		{ "Fixes: 0123456789ab", "0123456789ab|" },
		{ "Fixes: 0123456789ab (\"cut off", "0123456789ab|" },
		{ "Fixes: (\"t\")", "|t" },
		{ "Fixes: 0123456789012345678901234567890123456789 (\"t\")",
		  "0123456789012345678901234567890123456789|t" },
		{ "Fixes: 01234567890123456789012345678901234567890 (\"t\")",
		  "01234567890123456789012345678901234567890|t" },
		{ "Fixes: 012345 (\"too short\")", "" },
		{ "Fixes: https://bugzilla.kernel.org/show_bug.cgi?id=1", "" },
		{ "Fixes: CVE-2024-0001", "" },
		{ "Fixes: the build", "" },
		{ "This Fixes: 0123456789ab", "" },
		{ "Fixes: 0123456789ab (\"a\")\nFixes: 0123456789ac (\"b\")",
		  "0123456789ab|a 0123456789ac|b" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		check(&v[i], false);
}

static void reverts(void **state)
{
	static const struct spelling v[] = {
		{ "This reverts commit 0123456789ab.", "0123456789ab|" },
		{ "This reverts commit\n0123456789ab.", "0123456789ab|" },
		{ "this reverts commit 0123456789ab (\"t\").", "0123456789ab|t" },
		{ "This partially reverts commit 0123456789ab.", "~0123456789ab|" },
		{ "This reverts part of commit 0123456789ab.", "~0123456789ab|" },
		{ "This effectively reverts commit 0123456789ab", "0123456789ab|" },
		{ "This reverts commits 0123456789ab, 0123456789ac and 0123456789ad.",
		  "0123456789ab| 0123456789ac| 0123456789ad|" },
		{ "This reverts commits 0123456789ab (\"a\") and\n0123456789ac (\"b\").",
		  "0123456789ab|a 0123456789ac|b" },
		{ "This reverts commit 0123456789ab, reversing\nchanges made to "
		  "0123456789ac.",
		  "0123456789ab|" },
		{ "This reverts commit 0123456789ab which is commit 0123456789ac "
		  "upstream.",
		  "0123456789ab|" },
		{ "This reverts commit 0123456789ab (\"a\nb\").", "0123456789ab|a b" },
		{ "Reverts: 0123456789ab (\"t\")", "0123456789ab|t" },
		{ "This reverts what was done.", "" },
		{ "This commit reverts nothing", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		check(&v[i], true);
}

static void subjects(void **state)
{
	static const struct spelling v[] = {
		{ "Revert \"a: b\"\n", "|a: b" },
		{ "Reapply \"a: b\"\n", "|Revert \"a: b\"" },
		{ "Revert \"Revert \"a\"\"\n", "|Revert \"a\"" },
		{ "Revert \"a: b\"\n\nThis reverts commit 0123456789ab.\n",
		  "0123456789ab|" },
		{ "Revert \"a title\n that wraps\"\n", "|a title that wraps" },
		{ "Revert \"\n", "" },
		{ "Revert the thing\n", "" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		_cleanup_commit_notes_ struct commit_notes n = { 0 };
		_cleanup_free_ char *got = NULL;

		commit_notes_read(v[i].line, &n);
		got = flat(&n.reverts);
		assert_string_equal(got, v[i].want);
	}
}

static void links(void **state)
{
	static const struct spelling v[] = {
		{ "Link: https://lore.kernel.org/r/20240101.1-1-a@b",
		  "20240101.1-1-a@b" },
		{ "Link: https://lore.kernel.org/all/x%40y%2Bz@b/ [1]", "x@y+z@b" },
		{ "Link: https://lore.kernel.org/linux-kernel/a@b/T/#u", "a@b" },
		{ "Link: https://patch.msgid.link/a@b", "a@b" },
		{ "Link: http://lkml.kernel.org/r/a@b # [2]", "a@b" },
		{ "Message-ID: <a@b>", "a@b" },
		{ "Link: https://github.com/x/y/issues/1", "" },
		{ "Link: https://lore.kernel.org/r/a%0a@b", "" },
		{ "Link: a@b", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		_cleanup_free_ char *text = xasprintf("t\n\n%s\n", v[i].line),
				    *got = NULL;
		_cleanup_commit_notes_ struct commit_notes n = { 0 };

		commit_notes_read(text, &n);
		got = strv_join(&n.links, " ");
		if (strcmp(got, v[i].want))
			fail_msg("'%s': '%s'", v[i].line, got);
	}
}

static void stable_ranges(void **state)
{
	static const struct spelling v[] = {
		{ "Cc: stable@vger.kernel.org", "{}" },
		{ "Cc: <stable@vger.kernel.org> # 5.15.x", "{5.15.x}" },
		{ "CC: stable <stable@kernel.org> # v5.4+", "{v5.4+}" },
		{ "Cc: stable@vger.kernel.org [5.4+]", "{5.4+}" },
		{ "Cc: stable@vger.kernel.org (v6.1)", "{v6.1}" },
		{ "Cc: <stable@vger.kernel.org> # 3.3.x: a1f84a3: sched: Check for idle",
		  "{3.3.x: a1f84a3: sched: Check for idle}" },
		{ "Cc: unstable@vger.kernel.org", "" },
		{ "Cc: a@b", "" },
		{ "Cc: stable+noautosel@kernel.org # needs others", "no" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		_cleanup_free_ char *text = xasprintf("t\n\n%s\n", v[i].line);
		_cleanup_commit_notes_ struct commit_notes n = { 0 };
		_cleanup_buf_ struct buf got = BUF_INIT;

		commit_notes_read(text, &n);
		for (size_t k = 0; k < n.stable.nr; k++)
			buf_addf(&got, "{%s}", n.stable.v[k]);
		if (n.no_autosel)
			buf_adds(&got, "no");
		if (strcmp(buf_str(&got), v[i].want))
			fail_msg("'%s': '%s'", v[i].line, buf_str(&got));
	}
}

static void series_of_ids(void **state)
{
	static const struct spelling v[] = {
		{ "20240131120000.12345-3-you@e.org", "20240131120000.12345--you@e.org" },
		{ "20240131-topic-of-it-v2-13-0123456789ab@e.org",
		  "20240131-topic-of-it-v2--0123456789ab@e.org" },
		{ "0123456789012345678901234567890123456789.17.git.you@e.org",
		  ".17.git.you@e.org" },
		{ "cover.17.git.you@e.org", ".17.git.you@e.org" },
		{ "20240131-topic-0123456789ab@e.org", NULL },
		{ "CAHk-=wh@mail.gmail.com", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		_cleanup_free_ char *got = message_id_series(v[i].line);

		assert_string_equal(got ? got : "none", v[i].want ? v[i].want : "none");
	}
}

/* A hostile message costs no more than its length. */
static void endless(void **state)
{
	_cleanup_commit_notes_ struct commit_notes n = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_addf(&b, "Fixes: %012x (\"\n%d\")\nThis reverts commit\n", i, i);
	commit_notes_read(buf_str(&b), &n);
	assert_int_equal(n.fixes.nr, 100);
	assert_true(n.reverts.nr <= 100);
}

/* 5.10 is not 5.1, nor the other way round. */
static void dropped_lines(void **state)
{
	static const char text[] =
		"5.10 0123456789ab\n5.1 0123456789ac\n# 5.1 0123456789ad\n"
		"5.1\n 5.1\t0123456789ae\n5.1 not hex\n5.1 012345\n";
	struct commit_names v = { 0 };
	_cleanup_free_ char *got = NULL;

	(void)state;
	queue_dropped_read(text, "5.1", &v);
	got = flat(&v);
	assert_string_equal(got, "0123456789ac| 0123456789ae|");
	for (size_t i = 0; i < v.nr; i++)
		free(v.v[i].hex);
	free(v.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixes),	 cmocka_unit_test(reverts),
		cmocka_unit_test(subjects),	 cmocka_unit_test(links),
		cmocka_unit_test(stable_ranges), cmocka_unit_test(series_of_ids),
		cmocka_unit_test(endless),	 cmocka_unit_test(dropped_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
