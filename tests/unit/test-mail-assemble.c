// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads to series: revisions, order, gaps, covers, and mails that lie about their
 * relations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/buf.h"
#include "assemble-bytes.h"
#include "mail/mbox.h"
#include "mail/write.h"

#define DIFF "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n"

/* One mail of a thread; patch says that it carries a diff. */
struct m {
	const char *id, *parent, *subject, *from, *body;
	bool patch;
};

static void add(struct buf *mbox, const struct m *m)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "From: %s\nDate: Wed, 1 May 2024 12:00:00 +0200\nSubject: %s\n",
		 m->from ? m->from : "A U Thor <author@example.org>", m->subject);
	if (m->id)
		buf_addf(&b, "Message-ID: <%s>\n", m->id);
	if (m->parent)
		buf_addf(&b, "In-Reply-To: <%s>\n", m->parent);
	buf_addf(&b, "\n%s\n", m->body ? m->body : "Text.");
	if (m->patch)
		buf_addf(&b, "---\n%s", DIFF);
	mbox_add(mbox, b.data, b.len);
}

static struct series *assemble_with(const struct m *v, size_t nr,
				    const struct assemble_opts *o)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct series *s = NULL;

	for (size_t i = 0; i < nr; i++)
		add(&mbox, &v[i]);
	if (assemble_bytes(&mbox, o, &s, &e) < 0) {
		for (unsigned int i = 0; i < e.nr; i++)
			print_message("%s\n", e.frame[i]);
		fail();
	}
	return s;
}

static int assemble_code(const struct m *v, size_t nr, const struct assemble_opts *o)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *s = NULL;

	for (size_t i = 0; i < nr; i++)
		add(&mbox, &v[i]);
	return -assemble_bytes(&mbox, o, &s, &e);
}

#define ASSEMBLE(v, ...) \
	assemble_with(v, ARRAY_SIZE(v), &(struct assemble_opts){ __VA_ARGS__ })
#define CODE(v, ...) \
	assemble_code(v, ARRAY_SIZE(v), &(struct assemble_opts){ __VA_ARGS__ })

/* The ids of the patches in order, joined with blanks. */
static void assert_ids(const struct series *s, const char *ids)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->nr_patches; i++)
		buf_addf(&b, "%s%s", i ? " " : "", s->patches[i].message_id);
	assert_string_equal(buf_str(&b), ids);
}

static bool has_note(const struct series *s, const char *text)
{
	for (size_t i = 0; i < s->nr_notes; i++)
		if (strstr(s->notes[i].text, text))
			return true;
	return false;
}

static void test_order_and_gaps(void **state)
{
	static const struct m v[] = {
		{ "c", NULL, "[PATCH 0/4] cover", NULL,
		  "Words.\n\nbase-commit: 0123456789ab", false },
		{ "3", "c", "[PATCH 3/4] three", NULL, NULL, true },
		{ "1", "c", "[PATCH 1/4] one", NULL, NULL, true },
		{ "4", "c", "[PATCH 4/4] four", NULL, NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);

	(void)state;
	assert_ids(s, "1 3 4");
	assert_int_equal(s->total, 4);
	assert_int_equal(s->nr_missing, 1);
	assert_int_equal(s->missing[0], 2);
	assert_false(series_is_complete(s));
	assert_string_equal(s->title, "cover");
	assert_string_equal(s->message_id, "c");
	assert_string_equal(s->cover->subject, "cover");
	assert_string_equal(s->base_commit, "0123456789ab");
	assert_int_equal(s->patches[0].date, 1714557600);
	assert_int_equal(s->patches[0].date_tz, 120);
}

/* v2 sent as reply to v1: the newest, unless another is asked for. */
static const struct m reroll[] = {
	{ "c1", NULL, "[PATCH 0/2] cover", NULL, NULL, false },
	{ "a1", "c1", "[PATCH 1/2] one", NULL, NULL, true },
	{ "a2", "c1", "[PATCH 2/2] two", NULL, NULL, true },
	{ "c2", "c1", "[PATCH v2 0/2] cover", NULL, NULL, false },
	{ "b1", "c2", "[PATCH v2 1/2] one", NULL, NULL, true },
	{ "b2", "c2", "[PATCH v2 2/2] two", NULL, NULL, true },
};

static void test_revisions(void **state)
{
	_cleanup_series_ struct series *newest = ASSEMBLE(reroll, 0);
	_cleanup_series_ struct series *one = ASSEMBLE(reroll, .revision = 1);
	_cleanup_series_ struct series *named = ASSEMBLE(reroll, .message_id = "a2");

	(void)state;
	assert_ids(newest, "b1 b2");
	assert_int_equal(newest->revision, 2);
	assert_int_equal(newest->nr_revisions, 2);
	assert_ids(one, "a1 a2");
	assert_string_equal(one->cover->message_id, "c1");
	assert_ids(named, "b1 b2");
	assert_true(has_note(named, "belongs to revision 1"));
	assert_false(has_note(newest, "belongs to"));
	assert_int_equal(CODE(reroll, .revision = 7), ERR_NOT_FOUND);
}

/* One patch of a series sent anew as answer to the old one. */
static void test_partial_reroll(void **state)
{
	static const struct m v[] = {
		{ "c", NULL, "[PATCH 0/3] cover", NULL, NULL, false },
		{ "1", "c", "[PATCH 1/3] one", NULL, NULL, true },
		{ "2", "c", "[PATCH 2/3] two", NULL, NULL, true },
		{ "3", "c", "[PATCH 3/3] three", NULL, NULL, true },
		{ "r", "2", "Re: [PATCH 2/3] two", "B <b@example.org>", "Fix it.",
		  false },
		{ "2b", "r", "[PATCH v2 2/3] two, fixed", NULL, NULL, true },
	};
	static const struct m uncounted[] = {
		{ "1", NULL, "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "1", "[PATCH 2/2] two", NULL, NULL, true },
		{ "2b", "2", "[PATCH v2] two", NULL, NULL, true },
	};
	static const struct m other_count[] = {
		{ "1", NULL, "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "1", "[PATCH 2/2] two", NULL, NULL, true },
		{ "2b", "2", "[PATCH v2 2/4] two", NULL, NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);
	_cleanup_series_ struct series *u = ASSEMBLE(uncounted, 0);
	_cleanup_series_ struct series *o = ASSEMBLE(other_count, 0);

	(void)state;
	assert_ids(s, "1 2b 3");
	assert_int_equal(s->revision, 2);
	assert_string_equal(s->cover->message_id, "c");
	assert_true(has_note(s, "patch 2/3 is taken from revision 2"));
	assert_ids(u, "1 2b");
	assert_ids(o, "2b");
	assert_int_equal(o->nr_missing, 3);
}

/* A late resend of v1 is no part of v2, nor newer than it. */
static void test_resend_of_old(void **state)
{
	static const struct m v[] = {
		{ "b", NULL, "[PATCH v2] x", NULL, NULL, true },
		{ "a", "b", "[PATCH RESEND] x", NULL, NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);

	(void)state;
	assert_ids(s, "b");
	assert_int_equal(s->revision, 2);
}

/* Two single patches in one thread are two series, whoever sent them. */
static void test_unrelated(void **state)
{
	static const struct m v[] = {
		{ "a", NULL, "[PATCH] one", NULL, NULL, true },
		{ "b", "a", "[PATCH] other", NULL, NULL, true },
		{ "c", "a", "[PATCH] bot's", "Bot <bot@example.org>", NULL, true },
	};
	_cleanup_series_ struct series *a = ASSEMBLE(v, 0);
	_cleanup_series_ struct series *b = ASSEMBLE(v, .message_id = "b");
	_cleanup_series_ struct series *c = ASSEMBLE(v, .message_id = "c");

	(void)state;
	assert_ids(a, "a");
	assert_ids(b, "b");
	assert_ids(c, "c");
	assert_int_equal(b->nr_revisions, 1);
}

/* Two series in one thread: the one around the mail named. */
static void test_named_series(void **state)
{
	static const struct m v[] = {
		{ "c", NULL, "[PATCH 0/3] kernel", NULL, NULL, false },
		{ "1", "c", "[PATCH 1/3] a", NULL, NULL, true },
		{ "2", "c", "[PATCH 2/3] b", NULL, NULL, true },
		{ "3", "c", "[PATCH 3/3] c", NULL, NULL, true },
		{ "t", "c", "[PATCH tool 0/1] tool", NULL, NULL, false },
		{ "t1", "t", "[PATCH tool 1/1] tool", NULL, NULL, true },
		{ "r", "t1", "Re: [PATCH tool 1/1] tool", "B <b@x.org>", "Hm.", false },
	};
	_cleanup_series_ struct series *k = ASSEMBLE(v, .message_id = "c");
	_cleanup_series_ struct series *t = ASSEMBLE(v, .message_id = "r");

	(void)state;
	assert_ids(k, "1 2 3");
	assert_ids(t, "t1");
}

static void test_covers(void **state)
{
	static const struct m naked[] = {
		{ "c", NULL, "nested: make it fast", NULL, "Words.", false },
		{ "1", "c", "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "c", "[PATCH 2/2] two", NULL, NULL, true },
	};
	static const struct m report[] = {
		{ "c", NULL, "nested: it is slow", "User <user@example.org>", "Words.",
		  false },
		{ "1", "c", "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "c", "[PATCH 2/2] two", NULL, NULL, true },
	};
	static const struct m alone[] = { { "c", NULL, "[PATCH 0/2] cover", NULL, NULL,
					    false } };
	static const struct m absent[] = {
		{ "1", "gone", "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "gone", "[PATCH 2/2] two", NULL, NULL, true },
	};
	_cleanup_series_ struct series *n = ASSEMBLE(naked, 0);
	_cleanup_series_ struct series *r = ASSEMBLE(report, 0);
	_cleanup_series_ struct series *a = ASSEMBLE(absent, 0);

	(void)state;
	assert_string_equal(n->title, "nested: make it fast");
	assert_null(r->cover);
	assert_string_equal(r->title, "one");
	assert_ids(a, "1 2");
	assert_int_equal(CODE(alone, 0), ERR_NO_PATCHES);
}

static void test_no_patches(void **state)
{
	static const struct m v[] = { { "a", NULL, "Hello", NULL, "> diff --git a/f b/f",
					false } };
	_cleanup_buf_ struct buf empty = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *s = NULL;

	(void)state;
	assert_int_equal(CODE(v, 0), ERR_NO_PATCHES);
	assert_int_equal(assemble_bytes(&empty, &(struct assemble_opts){ 0 }, &s, &e),
			 -ERR_NO_PATCHES);
}

/* "How about this instead?" is no patch of the series, unless nothing else is there. */
static void test_reply_with_diff(void **state)
{
	static const struct m v[] = {
		{ "1", NULL, "[PATCH] one", NULL, NULL, true },
		{ "r", "1", "Re: [PATCH] one", "B <b@x.org>", "How about this?", true },
	};
	static const struct m only[] = { { "r", "1", "Re: [PATCH] one", NULL, "So.",
					   true } };
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);
	_cleanup_series_ struct series *o = ASSEMBLE(only, 0);

	(void)state;
	assert_ids(s, "1");
	assert_ids(o, "r");
}

static void test_numbers_that_lie(void **state)
{
	static const struct m v[] = {
		{ "1", NULL, "[PATCH 1/2] one", NULL, NULL, true },
		{ "2", "1", "[PATCH 2/2] two", NULL, NULL, true },
		{ "3", "1", "[PATCH 3/2] three", NULL, NULL, true },
		{ "2b", "2", "[PATCH 2/2] two", NULL, NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);

	(void)state;
	assert_ids(s, "1 2 3");
	assert_true(series_is_complete(s));
	assert_true(has_note(s, "patch 3/2 goes beyond the count"));
	assert_true(has_note(s, "another mail with number 2/2"));
}

/* Files of git format-patch: no ids, no thread, each patch by its author. */
static void test_unthreaded(void **state)
{
	static const struct m v[] = {
		{ NULL, NULL, "[PATCH v3 2/2] two", "B <b@example.org>", NULL, true },
		{ NULL, NULL, "[PATCH v3 1/2] one", "A <a@example.org>", NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0), *again = ASSEMBLE(v, 0);

	(void)state;
	assert_int_equal(s->nr_patches, 2);
	assert_string_equal(s->patches[0].subject, "one");
	assert_string_equal(s->patches[1].author_email, "b@example.org");
	assert_non_null(strstr(s->message_id, "@kiln.invalid"));
	assert_string_equal(s->message_id, again->message_id);
}

/* Backports of one fix to two kernels are not revisions of each other. */
static void test_kernel_versions(void **state)
{
	static const struct m v[] = {
		{ "a", NULL, "[PATCH 6.1 1/2] one", NULL, NULL, true },
		{ "b", "a", "[PATCH 6.1 2/2] two", NULL, NULL, true },
		{ "c", "a", "[PATCH 6.6 1/2] one", NULL, NULL, true },
		{ "d", "c", "[PATCH 6.6 2/2] two", NULL, NULL, true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, .message_id = "d");
	_cleanup_series_ struct series *t = ASSEMBLE(v, .message_id = "a");

	(void)state;
	assert_ids(s, "c d");
	assert_ids(t, "a b");
}

/* One mail by several lists counts once, and the copy whose From is intact. */
static void test_copies(void **state)
{
	static const struct m v[] = {
		{ "1", NULL, "[PATCH] one", "A U Thor via List <list@example.org>",
		  "Text.\n\nSigned-off-by: A <a@x>", true },
		{ "1", NULL, "[PATCH] one", NULL, "Text.\n\nSigned-off-by: A <a@x>",
		  true },
		{ "1", NULL, "[list] [PATCH] one", NULL,
		  "Text.\n\nSigned-off-by: A <a@x>\nfooter", true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);

	(void)state;
	assert_ids(s, "1");
	assert_string_equal(s->patches[0].author_name, "A U Thor");
	assert_null(strstr(s->patches[0].message, "footer"));
}

/* Ids that form a circle, name themselves or are empty end nowhere else than here. */
static void test_circles(void **state)
{
	static const struct m v[] = {
		{ "a", "b", "[PATCH 1/2] one", NULL, NULL, true },
		{ "b", "a", "[PATCH 2/2] two", NULL, NULL, true },
		{ "c", "c", "Re: [PATCH 2/2] two", NULL, NULL, false },
		{ "", "", "Re: x", NULL, NULL, false },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0);

	(void)state;
	assert_ids(s, "a b");
}

static void test_tags(void **state)
{
	static const struct m v[] = {
		{ "1", NULL, "[PATCH] one", NULL,
		  "Text.\n---\nprerequisite-change-id: 20240101-x-0123456789ab:v2\n"
		  "prerequisite-patch-id: 0123456789012345678901234567890123456789\n"
		  "base-commit: v6.1-rc1\nprerequisite-base-commit: cafe\n",
		  true },
	};
	static const struct m bad[] = { { "1", NULL, "[PATCH] one", NULL,
					  "Text.\n---\nbase-commit: see the cover\n",
					  true } };
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0), *b = ASSEMBLE(bad, 0);

	(void)state;
	assert_string_equal(s->base_commit, "v6.1-rc1");
	assert_null(s->change_id);
	assert_int_equal(s->nr_prerequisites, 2);
	assert_string_equal(s->prerequisites[0].kind, "change-id");
	assert_string_equal(s->prerequisites[1].kind, "patch-id");
	assert_null(b->base_commit);
	assert_true(has_note(b, "is no commit"));
}

static void test_damage(void **state)
{
	_cleanup_buf_ struct buf in = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *s = NULL;

	(void)state;
	buf_adds(&in,
		 "From: A <a@b.c>\nSubject: [PATCH] x\n\nT\n---\ndiff --git a/f b/f\n"
		 "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-long line\nwrapped\n+b\n c\n");
	assert_int_equal(assemble_bytes(&in, &(struct assemble_opts){ 0 }, &s, &e), 0);
	assert_non_null(s->patches[0].damage);
	assert_non_null(strstr(s->patches[0].damage, "line 7"));
}

/* What is written for git am is read back as the same series. */
static void test_write(void **state)
{
	static const struct m v[] = {
		{ "1", NULL, "[RFC PATCH v4 1/2] one", "\"Doe, J (X)\" <j@example.org>",
		  "Text.\n\n>From x\nFrom me\n", true },
		{ "2", "1", "[RFC PATCH v4 2/2] two", NULL,
		  "\nSubject: not a header?\n\nBut text.", true },
	};
	_cleanup_series_ struct series *s = ASSEMBLE(v, 0), *t = NULL;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	series_to_mbox(s, &out);
	assert_int_equal(assemble_bytes(&out, &(struct assemble_opts){ 0 }, &t, &e), 0);
	assert_int_equal(t->nr_patches, 2);
	assert_int_equal(t->revision, 4);
	assert_true(t->rfc);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(t->patches[i].message, s->patches[i].message);
		assert_string_equal(t->patches[i].author_name, s->patches[i].author_name);
		assert_string_equal(buf_str(&t->patches[i].diff),
				    buf_str(&s->patches[i].diff));
		assert_int_equal(t->patches[i].date, s->patches[i].date);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_gaps),
		cmocka_unit_test(test_revisions),
		cmocka_unit_test(test_partial_reroll),
		cmocka_unit_test(test_resend_of_old),
		cmocka_unit_test(test_unrelated),
		cmocka_unit_test(test_named_series),
		cmocka_unit_test(test_covers),
		cmocka_unit_test(test_no_patches),
		cmocka_unit_test(test_reply_with_diff),
		cmocka_unit_test(test_numbers_that_lie),
		cmocka_unit_test(test_unthreaded),
		cmocka_unit_test(test_kernel_versions),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_circles),
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
