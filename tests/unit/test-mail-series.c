// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads that mislead series assemblers: each row a fault some tool had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "mail/mbox.h"
#include "mail/pick.h"

#include "assemble-bytes.h"

#define MAX_MAILS 12

/* One mail; minute is that of its Date, file what its diff changes (NULL: no diff). */
struct m {
	const char *id, *parent, *subject, *file;
	int minute;
	const char *from, *body;
};

#define M(i, p, s, f, ...)                                                   \
	{                                                                    \
		.id = i, .parent = p, .subject = s, .file = f, ##__VA_ARGS__ \
	}

/* expect: "REV: ids" of the series, "!code" of a refusal; note: part of a note, or NULL */
struct row {
	const char *name;
	struct m mails[MAX_MAILS];
	const char *named;
	int revision;
	const char *pick;
	const char *expect, *note;
	bool no_partial;
};

/* clang-format off: one mail a line */
static const struct row rows[] = {
	{ "C001 comma between version and counter",
	  { M("1", NULL, "[PATCH v6,01/03] a", "a"),
	    M("2", "1", "[PATCH v6 02/03] b", "b"),
	    M("3", "1", "[PATCH,v6,03/03] c", "c") },
	  .expect = "6: 1 2 3" },
	{ "C003 tag glued to the counter",
	  { M("1", NULL, "[PATCH1/2] a", "a"), M("2", "1", "[PATCH2/2] b", "b") },
	  .expect = "1: 1 2" },
	{ "C004 version glued to the tag",
	  { M("1", NULL, "[RFCv2 1/2] a", "a"), M("2", "1", "[RFCv2 2/2] b", "b") },
	  .expect = "2: 1 2" },
	{ "C005 version on the first patch only",
	  { M("1", NULL, "[PATCH v2 1/3] a", "a"), M("2", "1", "[PATCH 2/3] b", "b"),
	    M("3", "1", "[PATCH 3/3] c", "c") },
	  .expect = "2: 1 2 3" },
	{ "C006 version on the cover only",
	  { M("0", NULL, "[PATCH v3 0/2] s", NULL), M("1", "0", "[PATCH 1/2] a", "a"),
	    M("2", "0", "[PATCH 2/2] b", "b") },
	  .expect = "3: 1 2" },
	{ "C006 unversioned patches that answer an older cover stay there",
	  { M("0", NULL, "[PATCH 0/2] s", NULL), M("1", "0", "[PATCH 1/2] a", "a"),
	    M("2", "0", "[PATCH 2/2] b", "b"), M("n", "0", "[PATCH v2 0/2] s", NULL) },
	  .expect = "1: 1 2",
	  .note = "of revision 2 only the cover letter" },
	{ "C007 newest by default, and said",
	  { M("0", NULL, "[PATCH 0/1] s", NULL), M("1", "0", "[PATCH 1/1] a", "a"),
	    M("n0", "1", "[PATCH v2 0/1] s", NULL),
	    M("n1", "n0", "[PATCH v2 1/1] a", "a") },
	  .named = "1",
	  .expect = "2: n1",
	  .note = "revision 2 is newer" },
	{ "C007 v1 when asked for",
	  { M("0", NULL, "[PATCH 0/1] s", NULL), M("1", "0", "[PATCH 1/1] a", "a"),
	    M("n0", "1", "[PATCH v2 0/1] s", NULL),
	    M("n1", "n0", "[PATCH v2 1/1] a", "a") },
	  .revision = 1,
	  .expect = "1: 1" },
	{ "C009 a series that answers a series, counts differ",
	  { M("a0", NULL, "[PATCH 0/2] s", NULL), M("a1", "a0", "[PATCH 1/2] a", "a"),
	    M("a2", "a0", "[PATCH 2/2] b", "b"), M("b1", "a0", "[PATCH 1/3] c", "c"),
	    M("b2", "b1", "[PATCH 2/3] d", "d"), M("b3", "b1", "[PATCH 3/3] e", "e") },
	  .named = "b2",
	  .expect = "1: b1 b2 b3",
	  .note = "another series is here: 's'" },
	{ "C009 a series that answers a series, equal counts",
	  { M("a0", NULL, "[PATCH 0/3] s", NULL), M("a1", "a0", "[PATCH 1/3] a", "a"),
	    M("b1", "a0", "[PATCH 1/3] c", "c"), M("b2", "b1", "[PATCH 2/3] d", "d"),
	    M("a2", "a0", "[PATCH 2/3] b", "b"), M("a3", "a0", "[PATCH 3/3] f", "f"),
	    M("b3", "b1", "[PATCH 3/3] e", "e") },
	  .named = "a0",
	  .expect = "1: a1 a2 a3" },
	{ "C010 single patches under one report: each its own",
	  { M("r", NULL, "bug#1: it breaks", NULL, .from = "U <u@x.org>"),
	    M("a", "r", "[bug#1] [PATCH v2] a", "a"),
	    M("b", "r", "[bug#1] [PATCH v2] b", "b"),
	    M("t", "b", "Re: [bug#1] [PATCH v2] b", NULL, .from = "U <u@x.org>") },
	  .named = "t",
	  .expect = "2: b" },
	{ "C011 a partial reroll",
	  { M("1", NULL, "[PATCH 1/3] a", "a"), M("2", "1", "[PATCH 2/3] b", "b"),
	    M("3", "1", "[PATCH 3/3] c", "c"), M("n", "2", "[PATCH v2 2/3] b", "b") },
	  .expect = "2: 1 n 3",
	  .note = "patch 2/3 is taken from revision 2" },
	{ "C011 a partial reroll, switched off",
	  { M("1", NULL, "[PATCH 1/3] a", "a"), M("2", "1", "[PATCH 2/3] b", "b"),
	    M("3", "1", "[PATCH 3/3] c", "c"), M("n", "2", "[PATCH v2 2/3] b", "b") },
	  .no_partial = true,
	  .expect = "2: n (-1 -3)" },
	{ "C2/37 a partial reroll of a partial reroll",
	  { M("1", NULL, "[PATCH 1/3] a", "a"), M("2", "1", "[PATCH 2/3] b", "b"),
	    M("3", "1", "[PATCH 3/3] c", "c"), M("n", "2", "[PATCH v2 2/3] b", "b"),
	    M("m", "3", "[PATCH v3 3/3] c", "c") },
	  .expect = "3: 1 n m" },
	{ "C2/38 a reroll that changes the count",
	  { M("1", NULL, "[PATCH 1/2] a", "a"), M("2", "1", "[PATCH 2/2] b", "b"),
	    M("n", "2", "[PATCH v2 2/4] b", "b") },
	  .expect = "2: n (-1 -3 -4)" },
	{ "C014 one patch sent three times",
	  { M("1", NULL, "[PATCH] a", "a"), M("2", NULL, "[PATCH] a", "a"),
	    M("3", NULL, "[PATCH] a", "a") },
	  .named = "2",
	  .expect = "1: 2" },
	{ "C015 sent in two goes, order by counter",
	  { M("x-0", NULL, "[PATCH 0/4] s", NULL), M("x-1", "x-0", "[PATCH 1/4] a", "a"),
	    M("x-2", "x-0", "[PATCH 2/4] b", "b"),
	    M("y-1", "x-0", "[PATCH 3/4] c", "c", .minute = 50),
	    M("y-2", "x-0", "[PATCH 4/4] d", "d", .minute = 50) },
	  .expect = "1: x-1 x-2 y-1 y-2" },
	{ "C017 no thread at all",
	  { M("1", NULL, "[PATCH v2 1/3] a", "a"),
	    M("3", NULL, "[PATCH v2 3/3] c", "c", .minute = 2),
	    M("x", NULL, "hello", NULL, .minute = 2, .from = "U <u@x.org>"),
	    M("2", NULL, "[PATCH v2 2/3] b", "b", .minute = 1) },
	  .expect = "2: 1 2 3",
	  .note = "joined by sender, count and time" },
	{ "C017 too far apart in time to be one",
	  { M("1", NULL, "[PATCH 1/2] a", "a"),
	    M("x", NULL, "hello", NULL, .minute = 2, .from = "U <u@x.org>"),
	    M("2", NULL, "[PATCH 2/2] b", "b", .minute = 6000) },
	  .named = "1",
	  .expect = "1: 1 (-2)" },
	{ "C2/49 two senders without threads are not mixed",
	  { M("1", NULL, "[PATCH 1/2] a", "a"),
	    M("x", NULL, "hello", NULL, .minute = 2, .from = "U <u@x.org>"),
	    M("2", NULL, "[PATCH 2/2] b", "b", .from = "U <u@x.org>") },
	  .named = "1",
	  .expect = "1: 1 (-2)" },
	{ "C019 a branch is no version",
	  { M("1", NULL, "[PATCH 5.10 1/2] a", "a"),
	    M("2", "1", "[PATCH 5.10 2/2] b", "b") },
	  .expect = "1: 1 2" },
	{ "C055 the cover is missing",
	  { M("1", "gone", "[PATCH 1/2] a", "a"), M("2", "gone", "[PATCH 2/2] b", "b") },
	  .expect = "1: 1 2" },
	{ "C2/48 16-deep: each answers the one before",
	  { M("0", NULL, "[PATCH 0/3] s", NULL), M("3", "2", "[PATCH 3/3] c", "c"),
	    M("2", "1", "[PATCH 2/3] b", "b"), M("1", "0", "[PATCH 1/3] a", "a") },
	  .expect = "1: 1 2 3" },
	{ "C1/8 v5.1 is newer than v5",
	  { M("1", NULL, "[PATCH v5] a", "a"), M("2", "1", "[PATCH v5.1] a", "a") },
	  .named = "1",
	  .expect = "5: 2" },
	{ "C0/B2 a late resend of v1 is no part of v2",
	  { M("1", NULL, "[PATCH v2] a", "a"),
	    M("2", "1", "[PATCH RESEND] a", "a", .minute = 900) },
	  .expect = "2: 1" },
	{ "C0/B5 two patches of one author in a thread",
	  { M("1", NULL, "[PATCH] a", "a"), M("2", "1", "[PATCH] b", "b") },
	  .named = "1",
	  .expect = "1: 1" },
	{ "C0/B9 the highest number wins, not the latest date",
	  { M("2", NULL, "[PATCH v3] a", "a"),
	    M("1", NULL, "[PATCH v2] a", "a", .minute = 900) },
	  .expect = "3: 2" },
	{ "C0/B10 one title, other files: another series",
	  { M("1", NULL, "[PATCH v2] fix warning", "a"),
	    M("2", NULL, "[PATCH v3] fix warning", "z", .minute = 900) },
	  .named = "1",
	  .expect = "2: 1" },
	{ "C0/B10 one title, other change-ids: another series",
	  { M("1", NULL, "[PATCH v2] fix", "a", .body = "T.\n---\nchange-id: 1-a"),
	    M("2", NULL, "[PATCH v3] fix", "a", .minute = 900,
	      .body = "T.\n---\nchange-id: 2-b") },
	  .named = "1",
	  .expect = "2: 1" },
	{ "one change-id, other titles: one series",
	  { M("1", NULL, "[PATCH v2] fix", "a", .body = "T.\n---\nchange-id: 1-a"),
	    M("2", NULL, "[PATCH v3] mend", "b", .minute = 900,
	      .body = "T.\n---\nchange-id: 1-a") },
	  .named = "1",
	  .expect = "3: 2" },
	{ "C2/43 a diff in an answer, picked",
	  { M("1", NULL, "[PATCH] a", "a"),
	    M("r", "1", "Re: [PATCH] a", "a", .from = "U <u@x.org>",
	      .body = "How about this?") },
	  .named = "r",
	  .pick = "_",
	  .expect = "1: r" },
	{ "-P 1-2,-1",
	  { M("1", NULL, "[PATCH 1/4] a", "a"), M("2", "1", "[PATCH 2/4] b", "b"),
	    M("3", "1", "[PATCH 3/4] c", "c"), M("4", "1", "[PATCH 4/4] d", "d") },
	  .pick = "1-2,-1",
	  .expect = "1: 1 2 4",
	  .note = "of 4 patches only 3" },
	{ "-P by title",
	  { M("1", NULL, "[PATCH 1/2] x86: a", "a"),
	    M("2", "1", "[PATCH 2/2] arm: b", "b") },
	  .pick = "*ARM*",
	  .expect = "1: 2" },
	{ "-P of a patch that is not there",
	  { M("1", NULL, "[PATCH 1/3] a", "a"), M("3", "1", "[PATCH 3/3] c", "c") },
	  .pick = "2",
	  .expect = "!not-found" },
	{ "two series of one size, none named",
	  { M("1", NULL, "[PATCH] a", "a"),
	    M("x", NULL, "[PATCH] b", "b", .from = "U <u@x.org>") },
	  .expect = "!ambiguous-series" },
	{ "two series, the larger one without asking",
	  { M("x", NULL, "[PATCH] b", "b", .from = "U <u@x.org>"),
	    M("1", NULL, "[PATCH 1/2] a", "a"), M("2", "1", "[PATCH 2/2] c", "c") },
	  .expect = "1: 1 2",
	  .note = "another series is here: 'b'" },
	{ "C2/47 obsoleted by a series in the same mails",
	  { M("1", NULL, "[PATCH] a", "a"),
	    M("r", "1", "Re: [PATCH] a", NULL,
	      .body = "Obsoleted-by: <https://x.org/r/n@x/>"),
	    M("n@x", NULL, "[PATCH] other", "z") },
	  .named = "1",
	  .expect = "1: n@x",
	  .note = "takes its place" },
	{ "C2/47 obsoleted by what is not here",
	  { M("1", NULL, "[PATCH] a", "a"),
	    M("r", "1", "Re: [PATCH] a", NULL, .body = "Obsoleted-by: <n@x>") },
	  .expect = "1: 1",
	  .note = "<n@x> takes the place of this series" },
	{ "C2/47 somebody else cannot say so",
	  { M("1", NULL, "[PATCH] a", "a"),
	    M("r", "1", "Re: [PATCH] a", NULL, .from = "U <u@x.org>",
	      .body = "Obsoleted-by: <n>"),
	    M("n", NULL, "[PATCH] other", "z", .from = "U <u@x.org>") },
	  .named = "1",
	  .expect = "1: 1" },
	{ "C2/31 a mail that answers itself",
	  { M("1", "1", "[PATCH 1/2] a", "a"), M("2", "2", "[PATCH 2/2] b", "b") },
	  .expect = "1: 1 2" },
	{ "C2/45 a cover and no patch",
	  { M("0", NULL, "[PATCH 0/2] s", NULL) },
	  .expect = "!no-patches" },
};
/* clang-format on */

static void add(struct buf *mbox, const struct m *m)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b,
		 "From: %s\nDate: Wed, %d May 2024 %02d:%02d:00 +0000\nSubject: %s\n"
		 "Message-ID: <%s>\n",
		 m->from ? m->from : "A U Thor <author@example.org>",
		 1 + m->minute / 1440, m->minute / 60 % 24, m->minute % 60, m->subject,
		 m->id);
	if (m->parent)
		buf_addf(&b, "In-Reply-To: <%s>\n", m->parent);
	buf_addf(&b, "\n%s\n", m->body ? m->body : "Text.");
	if (m->file)
		buf_addf(&b,
			 "---\ndiff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n"
			 "-a\n+b\n-- \n2.39.5\n",
			 m->file, m->file, m->file, m->file);
	mbox_add(mbox, b.data, b.len);
}

/* "REV: ids (-missing)" or "!code". */
static char *outcome(const struct row *r, struct series **ret)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT, b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_pick_ struct pick pick = { 0 };
	struct assemble_opts o = { .message_id = r->named,
				   .revision = r->revision,
				   .no_partial = r->no_partial };

	for (size_t i = 0; i < MAX_MAILS && r->mails[i].id; i++)
		add(&mbox, &r->mails[i]);
	if (r->pick) {
		assert_int_equal(pick_parse(r->pick, &pick, &e), 0);
		o.pick = &pick;
	}
	if (assemble_bytes(&mbox, &o, ret, &e) < 0)
		return xasprintf("!%s", err_word(e.code));
	buf_addf(&b, "%d:", (*ret)->revision);
	for (size_t i = 0; i < (*ret)->nr_patches; i++)
		buf_addf(&b, " %s", (*ret)->patches[i].message_id);
	for (size_t i = 0; i < (*ret)->nr_missing; i++)
		buf_addf(&b, "%s-%d", i ? " " : " (", (*ret)->missing[i]);
	if ((*ret)->nr_missing)
		buf_addc(&b, ')');
	return buf_take(&b);
}

static bool has_note(const struct series *s, const char *text)
{
	for (size_t i = 0; i < s->nr_notes; i++)
		if (strstr(s->notes[i].text, text))
			return true;
	return false;
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_series_ struct series *s = NULL;
		_cleanup_free_ char *got = outcome(&rows[i], &s);

		print_message("%s\n", rows[i].name);
		assert_string_equal(got, rows[i].expect);
		if (rows[i].note)
			assert_true(has_note(s, rows[i].note));
	}
}

/* D4: the same answer whichever mail of the series is named. */
static void test_any_id(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct row r = rows[i];

		if (strncmp(r.name, "C005", 4) &&
		    strncmp(r.name, "C011 a partial reroll", 22) &&
		    strncmp(r.name, "C017 no", 7) && strncmp(r.name, "C2/48", 5))
			continue;
		for (size_t k = 0; k < MAX_MAILS && r.mails[k].id; k++) {
			_cleanup_series_ struct series *s = NULL;
			_cleanup_free_ char *got = NULL;

			r.named = r.mails[k].id;
			got = outcome(&r, &s);
			assert_string_equal(got, r.expect);
		}
	}
}

static void test_tree_hints(void **state)
{
	static const struct row r = {
		.mails = { M("0", NULL, "[PATCH net-next 6.6.y v2 0/1] s", NULL),
			   M("1", "0", "[tool] [PATCH net-next 6.6.y v2 1/1] a", "a") },
	};
	_cleanup_series_ struct series *s = NULL;
	_cleanup_free_ char *got = outcome(&r, &s), *hints = NULL;

	(void)state;
	assert_non_null(s);
	hints = strv_join(&s->tree_hints, " ");
	assert_string_equal(hints, "net-next 6.6.y tool");
}

static const char *damage_of(const char *subject, const char *from, struct series **ret)
{
	struct row r = { .mails = { M("1", NULL, subject, "a", .from = from) } };
	_cleanup_free_ char *got = outcome(&r, ret);

	assert_string_equal(got, "1: 1");
	return (*ret)->patches[0].damage;
}

/* Patches that must not be applied as they are. */
static void test_refusals(void **state)
{
	_cleanup_series_ struct series *a = NULL, *b = NULL, *c = NULL;

	(void)state;
	print_message("C4/122 hidden characters in the title\n");
	assert_non_null(strstr(damage_of("[PATCH] a\u202eb", NULL, &a), "U+202E"));
	assert_null(damage_of("[PATCH] \u05d0\u200f b", NULL, &b));
	print_message("C057 never the list's address\n");
	assert_non_null(damage_of("[PATCH] a", "A via list <list@x.org>", &c));
}

static void test_pick_words(void **state)
{
	static const char *const bad[] = {
		"", "0", "x", "1,,2", "3-1", "1-x", "_,1", "-0"
	};
	static const char *const good[] = { "1", "1-3,5,-1", "7-", "*x*", "_", "-3" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		struct pick p = { 0 };

		assert_int_equal(pick_parse(bad[i], &p, &e), -ERR_USAGE);
	}
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		_cleanup_err_ struct err e = { 0 };
		_cleanup_pick_ struct pick p = { 0 };

		assert_int_equal(pick_parse(good[i], &p, &e), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),	   cmocka_unit_test(test_any_id),
		cmocka_unit_test(test_tree_hints), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_pick_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
