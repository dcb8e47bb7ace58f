// SPDX-License-Identifier: GPL-3.0-or-later
/* Trailers over a whole thread: covers, older revisions, and the user's own. */
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
#include "mail/own-trailers.h"
#include "assemble-bytes.h"

#define MAIL(id, parent, subject, from, body)                                    \
	"From: " from "\nDate: Wed, 1 May 2024 12:00:00 +0200\nMessage-ID: <" id \
	">\nIn-Reply-To: <" parent ">\nSubject: " subject "\n\n" body "\n"
#define DIFF(file, new)                                                           \
	"---\ndiff --git a/" file " b/" file "\n--- a/" file "\n+++ b/" file "\n" \
	"@@ -1 +1 @@\n-a\n+" new "\n"
#define SOB "Signed-off-by: A <a@x.org>\n"
#define PATCH(file, new) "T\n\n" SOB DIFF(file, new)
#define RV "Reviewed-by: R Viewer <r@x.org>"
#define ACK "Acked-by: B <b@x.org>"

#define ASSEMBLE(mails, ...) \
	assemble(mails, ARRAY_SIZE(mails), &(struct assemble_opts){ __VA_ARGS__ })

static struct series *assemble(const char *const *mails, size_t nr,
			       const struct assemble_opts *o)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct series *s = NULL;

	for (size_t i = 0; i < nr; i++)
		mbox_add(&mbox, mails[i], strlen(mails[i]));
	assert_int_equal(assemble_bytes(&mbox, o, &s, &e), 0);
	return s;
}

/* "number state key (reason)" of all trailers not kept, joined with ';'. */
static char *decisions(const struct series *s)
{
	static const char *const states[] = { "kept", "added", "flagged", "ignored" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->nr_patches; i++) {
		for (size_t k = 0; k < s->patches[i].nr_trailers; k++) {
			const struct trailer *t = &s->patches[i].trailers[k];

			if (t->state == TRAILER_KEPT)
				continue;
			buf_addf(&b, "%s%d %s %s", b.len ? ";" : "", s->patches[i].number,
				 states[t->state], t->key);
			if (t->reason)
				buf_addf(&b, " (%s)", t->reason);
		}
	}
	return buf_take(&b);
}

static void assert_decisions(const struct series *s, const char *expect)
{
	_cleanup_free_ char *got = decisions(s);

	assert_string_equal(got, expect);
}

static bool has_note(const struct series *s, const char *text)
{
	for (size_t i = 0; i < s->nr_notes; i++)
		if (strstr(s->notes[i].text, text))
			return true;
	return false;
}

#define COVER MAIL("c", "-", "[PATCH 0/2] c", "A <a@x.org>", "C")
#define ONE MAIL("1", "c", "[PATCH 1/2] one", "A <a@x.org>", PATCH("f", "b"))
#define TWO MAIL("2", "c", "[PATCH 2/2] two", "A <a@x.org>", PATCH("g", "b"))

/* C3/73, C023: on the cover, for every patch; the source says from which mail. */
static void test_cover(void **state)
{
	static const char *const mails[] = {
		COVER,
		ONE,
		TWO,
		MAIL("rc", "c", "Re: [PATCH 0/2] c", "R Viewer <r@x.org>", RV),
		MAIL("r2", "rc", "Re: [PATCH 0/2] c", "B <b@x.org>", ACK),
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "D <d@x.org>",
		     "Tested-by: D <d@x.org>"),
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0);
	_cleanup_series_ struct series *bare = ASSEMBLE(mails, .no_cover_trailers = true);
	_cleanup_series_ struct series *none = ASSEMBLE(mails, .no_trailers = true);

	(void)state;
	assert_decisions(s, "1 added Tested-by;1 added Reviewed-by;1 added Acked-by;"
			    "2 added Reviewed-by;2 added Acked-by");
	assert_string_equal(s->patches[1].trailers[1].source, "rc");
	assert_string_equal(s->patches[1].message, "two\n\nT\n\n" SOB RV "\n" ACK "\n");
	assert_decisions(bare, "1 added Tested-by");
	assert_decisions(none, "");
	assert_string_equal(none->patches[1].message, "two\n\nT\n\n" SOB);
}

/* C021: words that limit a tag on the cover; a note that does not is kept. */
static void test_cover_scope(void **state)
{
	static const char *const above[] = { COVER, ONE, TWO,
					     MAIL("r", "c", "Re: [PATCH 0/2] c",
						  "B <b@x.org>",
						  "For patches 1-2: " ACK) };
	static const char *const behind[] = { COVER, ONE, TWO,
					      MAIL("r", "c", "Re: [PATCH 0/2] c",
						   "B <b@x.org>", ACK " # patch 2") };
	static const char *const other[] = { COVER, ONE, TWO,
					     MAIL("r", "c", "Re: [PATCH 0/2] c",
						  "B <b@x.org>", ACK " # on rpi4") };
	_cleanup_series_ struct series *a = ASSEMBLE(above, 0), *b = ASSEMBLE(behind, 0);
	_cleanup_series_ struct series *c = ASSEMBLE(other, 0);

	(void)state;
	assert_decisions(
		a, "1 flagged Acked-by (given for some patches only: 'For patches 1-2: "
		   "Acked-by: B <b@x.org>');2 flagged Acked-by (given for some patches "
		   "only: 'For patches 1-2: Acked-by: B <b@x.org>')");
	assert_true(has_note(a, "is not added: given for some patches only"));
	assert_int_equal(a->nr_notes, 1);
	assert_decisions(b, "1 flagged Acked-by (given for some patches only: '# patch "
			    "2');2 flagged Acked-by (given for some patches only: '# "
			    "patch 2')");
	assert_decisions(c, "1 added Acked-by;2 added Acked-by");
	assert_non_null(strstr(c->patches[0].message, ACK " # on rpi4\n"));
}

#define V2_COVER MAIL("n", "c", "[PATCH v2 0/2] c", "A <a@x.org>", "C")
#define V2_ONE MAIL("n1", "n", "[PATCH v2 1/2] one", "A <a@x.org>", PATCH("f", "b"))
#define V2_TWO MAIL("n2", "n", "[PATCH v2 2/2] two", "A <a@x.org>", PATCH("g", "c"))

/* C024, C3/53: of an older revision only where the diff is the same, and said so. */
static void test_older(void **state)
{
	static const char *const mails[] = {
		COVER,
		ONE,
		TWO,
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "R Viewer <r@x.org>", RV),
		MAIL("r2", "2", "Re: [PATCH 2/2] two", "R Viewer <r@x.org>", RV),
		MAIL("r3", "2", "Re: [PATCH 2/2] two", "N <n@x.org>",
		     "Nacked-by: N <n@x.org>"),
		V2_COVER,
		V2_ONE,
		V2_TWO,
		MAIL("r4", "n2", "Re: [PATCH v2 2/2] two", "B <b@x.org>", ACK),
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0);
	_cleanup_series_ struct series *v1 = ASSEMBLE(mails, .revision = 1);

	(void)state;
	assert_decisions(s,
			 "1 added Reviewed-by (given to v1 1/2, which has the same diff);"
			 "2 added Acked-by;"
			 "2 flagged Reviewed-by (given to v1 2/2, which differs);"
			 "2 flagged Nacked-by (objection, to v1 2/2)");
	assert_non_null(strstr(s->patches[0].message, RV));
	assert_null(strstr(s->patches[1].message, RV));
	assert_decisions(v1, "1 added Reviewed-by;2 added Reviewed-by;"
			     "2 flagged Nacked-by (objection)");
}

/* A patch that moved within the series, and one that is gone. */
static void test_moved(void **state)
{
	static const char *const mails[] = {
		COVER,
		ONE,
		TWO,
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "R Viewer <r@x.org>", RV),
		MAIL("r2", "2", "Re: [PATCH 2/2] two", "B <b@x.org>", ACK),
		MAIL("n", "c", "[PATCH v2 0/3] c", "A <a@x.org>", "C"),
		MAIL("n1", "n", "[PATCH v2 1/3] zero", "A <a@x.org>", PATCH("z", "b")),
		MAIL("n2", "n", "[PATCH v2 2/3] one, better", "A <a@x.org>",
		     PATCH("f", "b")),
		MAIL("n3", "n", "[PATCH v2 3/3] three", "A <a@x.org>", PATCH("y", "b")),
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0);

	(void)state;
	assert_decisions(
		s, "2 added Reviewed-by (given to v1 1/2, which has the same diff)");
	assert_true(has_note(s, "was given to v1 2/2, which is no longer there"));
}

/* C3/74: on an older cover, for that series as a whole. */
static void test_older_cover(void **state)
{
	static const char *const changed[] = {
		COVER,	  ONE,
		TWO,	  MAIL("rc", "c", "Re: [PATCH 0/2] c", "R Viewer <r@x.org>", RV),
		V2_COVER, V2_ONE,
		V2_TWO,
	};
	static const char *const same[] = {
		COVER,
		ONE,
		TWO,
		MAIL("rc", "c", "Re: [PATCH 0/2] c", "R Viewer <r@x.org>", RV),
		V2_COVER,
		V2_ONE,
		MAIL("n2", "n", "[PATCH v2 2/2] two", "A <a@x.org>", PATCH("g", "b")),
	};
	_cleanup_series_ struct series *s = ASSEMBLE(changed, 0), *t = ASSEMBLE(same, 0);

	(void)state;
	assert_decisions(s,
			 "1 flagged Reviewed-by (given to v1 as a whole, which differs);"
			 "2 flagged Reviewed-by (given to v1 as a whole, which differs)");
	assert_decisions(
		t, "1 added Reviewed-by (given to v1 as a whole, which has the same "
		   "diff);2 added Reviewed-by (given to v1 as a whole, which has the "
		   "same diff)");
}

/* What was said to the patch that a partial revision replaces, and to their cover. */
static void test_partial(void **state)
{
	static const char *const mails[] = {
		COVER,
		ONE,
		TWO,
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "R Viewer <r@x.org>", RV),
		MAIL("r2", "2", "Re: [PATCH 2/2] two", "R Viewer <r@x.org>", RV),
		MAIL("rc", "c", "Re: [PATCH 0/2] c", "B <b@x.org>", ACK),
		MAIL("n2", "2", "[PATCH v2 2/2] two", "A <a@x.org>", PATCH("g", "c")),
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0);

	(void)state;
	assert_int_equal(s->revision, 2);
	assert_decisions(s, "1 added Reviewed-by;1 added Acked-by;"
			    "2 flagged Reviewed-by (given to v1 2/2, which differs);"
			    "2 flagged Acked-by (given to v1 as a whole, which differs)");
}

/* C3/57, -S; kiln.trailersIgnoreFrom. */
static void test_rules(void **state)
{
	static const char *const mails[] = {
		COVER,
		ONE,
		TWO,
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "Other <o@y.org>", RV),
		MAIL("r2", "2", "Re: [PATCH 2/2] two", "B <b@x.org>", ACK),
	};
	_cleanup_strv_ struct strv ignore = STRV_INIT;
	_cleanup_series_ struct series *s = NULL, *t = NULL;

	(void)state;
	strv_add(&ignore, "Boss <B@x.org>");
	s = ASSEMBLE(mails, .sloppy_trailers = true);
	assert_decisions(s, "1 added Reviewed-by;2 added Acked-by");
	t = ASSEMBLE(mails, .ignore_from = &ignore);
	assert_decisions(t, "1 flagged Reviewed-by (sent by somebody else: 'Other');"
			    "2 ignored Acked-by (its sender is to be ignored)");
}

/* C034, C3/71: an answer without "Re:". C3/75: one without From. */
static void test_plain_subject(void **state)
{
	static const char *const mails[] = {
		COVER, ONE, TWO, MAIL("r1", "1", "one", "R Viewer <r@x.org>", RV),
		"Message-ID: <r2>\nIn-Reply-To: <2>\nSubject: two\n\n" ACK "\n"
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0);

	(void)state;
	assert_decisions(s, "1 added Reviewed-by;"
			    "2 flagged Acked-by (sent by somebody else: '')");
}

/* C036 */
static void test_unsigned(void **state)
{
	static const char *const mails[] = { COVER, ONE,
					     MAIL("2", "c", "[PATCH 2/2] two",
						  "A <a@gmail.com>", PATCH("g", "b")) };
	static const char *const none[] = {
		COVER, MAIL("1", "c", "[PATCH 1/2] one", "A <a@x.org>", DIFF("f", "b")),
		MAIL("2", "c", "[PATCH 2/2] two", "A <a@x.org>", DIFF("g", "b"))
	};
	_cleanup_series_ struct series *s = ASSEMBLE(mails, 0), *n = ASSEMBLE(none, 0);

	(void)state;
	assert_int_equal(s->nr_notes, 1);
	assert_true(has_note(s, "no sign-off of the author in patch 2"));
	assert_int_equal(n->nr_notes, 1);
	assert_true(has_note(n, "no patch has a sign-off of its author"));
}

static struct series *one_patch(const char *block, const char *format, const char *who)
{
	_cleanup_free_ char *mail = xasprintf(
		"From: A <a@x.org>\nMessage-ID: <i/d@x>\nSubject: [PATCH] x\n\nT\n\n%s"
		"%s",
		block, DIFF("f", "b"));
	const char *const mails[] = {
		mail, "From: R Viewer <r@x.org>\nMessage-ID: <r>\nIn-Reply-To: "
		      "<i/d@x>\nSubject: Re: x\n\n" RV "\n"
	};

	return ASSEMBLE(mails, .link_format = format, .sign_off = who);
}

/* C3/54 custody: the own sign-off is last, and the order of hands stays true. */
static void test_sign_off(void **state)
{
	static const char *const rows[][2] = {
		{ SOB, SOB RV "\nSigned-off-by: Me <me@x.org>\n" },
		{ SOB "Signed-off-by: Me <me@x.org>\n",
		  SOB RV "\nSigned-off-by: Me <me@x.org>\n" },
		{ SOB "Signed-off-by: me <Me@x.org>\n[me: rebased]\nCc: L <l@x.org>\n",
		  SOB "Cc: L <l@x.org>\n" RV
		      "\nSigned-off-by: me <Me@x.org>\n[me: rebased]\n" },
		{ "Signed-off-by: Me <me@x.org>\n" SOB,
		  "Signed-off-by: Me <me@x.org>\n" SOB RV
		  "\nSigned-off-by: Me <me@x.org>\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_series_ struct series *s =
			one_patch(rows[i][0], NULL, "Me <me@x.org>");
		_cleanup_free_ char *expect = xasprintf("x\n\nT\n\n%s", rows[i][1]);

		assert_string_equal(s->patches[0].message, expect);
	}
}

/* C3/66: the mail's own address, once whatever the server is called. */
static void test_link(void **state)
{
	static const char *const rows[][2] = {
		{ SOB, SOB RV "\nLink: https://patch.msgid.link/i%2Fd@x\n" },
		{ SOB "Link: https://lore.kernel.org/r/i%2Fd@x\n",
		  SOB "Link: https://lore.kernel.org/r/i%2Fd@x\n" RV "\n" },
		{ SOB "Link: https://lore.kernel.org/r/other@x\n",
		  SOB "Link: https://lore.kernel.org/r/other@x\n" RV
		      "\nLink: https://patch.msgid.link/i%2Fd@x\n" },
	};
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_series_ struct series *s =
			one_patch(rows[i][0], LINK_FORMAT_DEFAULT, NULL);
		_cleanup_free_ char *expect = xasprintf("x\n\nT\n\n%s", rows[i][1]);

		assert_string_equal(s->patches[0].message, expect);
	}
	assert_int_equal(link_format_check(LINK_FORMAT_DEFAULT, &e), 0);
	assert_int_equal(link_format_check("https://x.org/", &e), -ERR_USAGE);
	assert_int_equal(link_format_check("%s%s", &e), -ERR_USAGE);
}

/* C030: what is malformed stays text, and new tags join the block it stands in. */
static void test_malformed(void **state)
{
	_cleanup_series_ struct series *s =
		one_patch("Reported by: X <x@x.org>\n" SOB, NULL, NULL);

	(void)state;
	assert_string_equal(s->patches[0].message,
			    "x\n\nT\n\nReported by: X <x@x.org>\n" SOB RV "\n");
	assert_int_equal(s->patches[0].nr_trailers, 2);
}

/* Thousands of tags on the cover do not go to every patch without end. */
static void test_limits(void **state)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *s = NULL;
	const char *const first[] = { COVER, ONE, TWO };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		mbox_add(&mbox, first[i], strlen(first[i]));
	for (int i = 0; i < 3000; i++) {
		_cleanup_free_ char *m =
			xasprintf("From: R%d <r%d@x.org>\nIn-Reply-To: <c>\n\n"
				  "Tested-by: R%d <r%d@x.org>\n",
				  i, i, i, i);

		mbox_add(&mbox, m, strlen(m));
	}
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ 0 }, &s, &e), 0);
	assert_int_equal(s->patches[0].nr_trailers, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cover),	    cmocka_unit_test(test_cover_scope),
		cmocka_unit_test(test_older),	    cmocka_unit_test(test_moved),
		cmocka_unit_test(test_older_cover), cmocka_unit_test(test_partial),
		cmocka_unit_test(test_rules),	    cmocka_unit_test(test_plain_subject),
		cmocka_unit_test(test_unsigned),    cmocka_unit_test(test_sign_off),
		cmocka_unit_test(test_link),	    cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
