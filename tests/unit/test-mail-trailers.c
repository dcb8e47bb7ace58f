// SPDX-License-Identifier: GPL-3.0-or-later
/* Trailers of replies: which are added, which are shown only, which are nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "assemble-bytes.h"
#include "mail/mbox.h"

#define PATCH                                                                           \
	"From: A U Thor <a@x.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\n"              \
	"Message-ID: <p>\nSubject: [PATCH] x\n\nText.\n\nFixes: 0123456789ab (\"y\")\n" \
	"Signed-off-by: A U Thor <a@x.org>\n---\nReviewed-by: Under Dashes "            \
	"<u@x.org>\n\n"                                                                 \
	"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"

/* The patch and one reply by "R Viewer <r@x.org>" unless from says otherwise. */
static struct series *reply(const char *from, const char *body)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *mail = xasprintf("From: %s\nMessage-ID: <r>\nIn-Reply-To: "
					      "<p>\nSubject: Re: [PATCH] x\n\n%s",
					      from ? from : "R Viewer <r@x.org>", body);
	struct series *s = NULL;

	mbox_add(&mbox, PATCH, strlen(PATCH));
	mbox_add(&mbox, mail, strlen(mail));
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ 0 }, &s, &e), 0);
	assert_int_equal(s->nr_patches, 1);
	return s;
}

/* "state Key: value" of all trailers that are not the patch's own, joined with ';'. */
static char *added(const struct series *s)
{
	static const char *const states[] = { "kept", "added", "flagged", "ignored" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->patches[0].nr_trailers; i++) {
		const struct trailer *t = &s->patches[0].trailers[i];

		if (t->state == TRAILER_KEPT) {
			assert_null(t->source);
			continue;
		}
		assert_string_equal(t->source, "r");
		buf_addf(&b, "%s%s %s: %s", b.len ? ";" : "", states[t->state], t->key,
			 t->value);
	}
	return buf_take(&b);
}

struct row {
	const char *name, *from, *body, *result;
};

static void check(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		_cleanup_series_ struct series *s = reply(rows[i].from, rows[i].body);
		_cleanup_free_ char *got = added(s);

		print_message("%s\n", rows[i].name);
		assert_string_equal(got, rows[i].result);
	}
}

#define CHECK(rows) check(rows, ARRAY_SIZE(rows))
#define RV "Reviewed-by: R Viewer <r@x.org>"

static void test_taken(void **state)
{
	static const struct row rows[] = {
		{ "C3/54 a tag", NULL, RV "\n", "added " RV },
		{ "below a quote", NULL, "> quoted\n\n" RV "\n\nBye\n", "added " RV },
		{ "C3/55 twice, other case", NULL,
		  RV "\n" RV "\nreviewed-by: r viewer <R@X.ORG>\n", "added " RV },
		{ "C3/63 a note behind #", NULL,
		  RV "\nTested-by: R Viewer <r@x.org> # on rpi4\n",
		  "added " RV ";added Tested-by: R Viewer <r@x.org> # on rpi4" },
		{ "C3/60 a bare address", NULL, "Tested-by: r@x.org\n",
		  "added Tested-by: r@x.org" },
		{ "C3/62 address on the next line, indented", NULL,
		  "Acked-by: R Viewer\n <r@x.org>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ "C3/62 address on the next line", NULL,
		  "Acked-by: R Viewer\n<r@x.org>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ "C3/62 address cut in two", NULL, "Acked-by: R Viewer <r@\nx.org>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ "a whole tag does not go on", NULL, RV "\n  Thanks,\n  R\n",
		  "added " RV },
		{ "C3/61 what HTML left", NULL,
		  "Acked-by: R Viewer <r@x.org <mailto:r@x.org>>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ "C3/62 a wrapped title", NULL,
		  "Fixes: abcdef012345 (\"long\n subject\")\n",
		  "added Fixes: abcdef012345 (\"long subject\")" },
		{ "C3/62 a wrapped title without quotes", NULL,
		  "Fixes: abcdef012345 (long\nsubject)\n",
		  "added Fixes: abcdef012345 (long subject)" },
		{ "C3/57 a tag in the address", "R Viewer <r+lists@x.org>",
		  "Acked-by: Other <r@x.org>\n", "added Acked-by: Other <r@x.org>" },
		{ "C3/57 one label of the domain", "R Viewer <r@mail.x.org>",
		  "Acked-by: Other <r@x.org>\n", "added Acked-by: Other <r@x.org>" },
		{ "C3/57 the same name", "R Viewer <home@y.net>", RV "\n", "added " RV },
		{ "the same name turned round", "\"Viewer, R\" <home@y.net>", RV "\n",
		  "added " RV },
		{ "C3/58 brackets in the name", NULL,
		  "Acked-by: R Viewer (Company) <r@x.org>\n",
		  "added Acked-by: R Viewer (Company) <r@x.org>" },
		{ "C032 quotes and a comma in the name", NULL,
		  "Acked-by: \"Viewer, R\" (X) <r@x.org>\n"
		  "Tested-by: R \"RV\" Viewer <r@x.org>\n",
		  "added Acked-by: \"Viewer, R\" (X) <r@x.org>;"
		  "added Tested-by: R \"RV\" Viewer <r@x.org>" },
		{ "praise above", NULL, "Looks good.\n\n" RV "\n", "added " RV },
		{ "words above", NULL, "I compared it with the manual.\n\n" RV "\n",
		  "added " RV },
		{ "a question further up", NULL,
		  "Not sure if that matters. It works on both machines. No "
		  "splats.\n\n" RV "\n",
		  "added " RV },
		{ "words around", NULL, "Nice!\n" RV "\nThanks,\nR\n", "added " RV },
		{ "C3/68 indented in a block", NULL, "Hi\n\n  " RV "\n", "added " RV },
		{ "a link in a block", NULL, RV "\nLink: https://x.org/1\n",
		  "added " RV ";added Link: https://x.org/1" },
		{ "C3/78 nothing but trailers", NULL, RV "\nFixes: abcdef0 (\"z\")",
		  "added " RV ";added Fixes: abcdef0 (\"z\")" },
	};

	(void)state;
	CHECK(rows);
}

/* C3/63: the note on a line of its own stays with its trailer, in the message too. */
static void test_ext(void **state)
{
	_cleanup_series_ struct series *s =
		reply(NULL, "Acked-by: R Viewer <r@x.org>\n[r: the tty part]\n" RV "\n");

	(void)state;
	assert_int_equal(s->patches[0].nr_trailers, 4);
	assert_string_equal(s->patches[0].trailers[2].ext, "[r: the tty part]");
	assert_non_null(strstr(s->patches[0].message,
			       "\nAcked-by: R Viewer <r@x.org>\n[r: the tty part]\n" RV
			       "\n"));
}

static void test_not_trailers(void **state)
{
	static const struct row rows[] = {
		{ "C029, C3/56 restated", NULL,
		  "Signed-off-by: A U Thor <a@x.org>\n> Signed-off-by: A U Thor "
		  "<a@x.org>\nFixes: 0123456789 (\"y\")\n",
		  "" },
		{ "C3/65, C3/67 lines of that form", NULL,
		  "Message-ID: <x@y>\nPhone: 1\nhttp://x.org/Reviewed-by:\nC++: "
		  "x\nCc: R Viewer <r@x.org>\nFrom: R Viewer <r@x.org>\n",
		  "" },
		{ "C3/68 indented among text", NULL, "Hi\n  Acked-by: R <r@x.org>\n",
		  "flagged Acked-by: R <r@x.org>" },
		{ "talk", NULL, "Hello\n", "" },
		{ "C3/78 an empty body", NULL, "", "" },
		{ "a copy of the mail answered", NULL,
		  "Ok\n\n-----Original Message-----\nFrom: A\n\n" RV "\n", "" },
	};

	(void)state;
	CHECK(rows);
}

static void test_shown_only(void **state)
{
	static const struct row rows[] = {
		{ "C0/B3 an objection", NULL, "Nacked-by: R Viewer <r@x.org>\n",
		  "flagged Nacked-by: R Viewer <r@x.org>" },
		{ "C0/B3 if you drop this", NULL, "If you drop the goto, then\n" RV "\n",
		  "flagged " RV },
		{ "C0/B3 with that fixed", NULL, "With the nit fixed:\n\n" RV "\n",
		  "flagged " RV },
		{ "C0/B3 inside a sentence", NULL, "With that, " RV "\n", "flagged " RV },
		{ "a whole sentence of condition", NULL,
		  "If you fix them, feel free to add.\n\n" RV "\n", "flagged " RV },
		{ "a condition before praise", NULL,
		  "Once the typo is gone it is fine. Nice work!\n\n" RV "\n",
		  "flagged " RV },
		{ "otherwise", NULL, "Otherwise looks good.\n\n" RV "\n", "flagged " RV },
		{ "a condition behind it", NULL, RV "\nif you rename the flag\n",
		  "flagged " RV },
		{ "a condition in the note", NULL, RV " (with the typo fixed)\n",
		  "flagged " RV " (with the typo fixed)" },
		{ "C021 for patches", NULL, "For patches 1-2:\n" RV "\n", "flagged " RV },
		{ "C3/70 quoted", NULL, "> " RV "\n\nThanks!\n", "flagged " RV },
		{ "C3/70 quoted twice, indented", NULL, "  > > " RV "\n", "flagged " RV },
		{ "a quote is nothing once it is given", NULL, "> " RV "\n\n" RV "\n",
		  "added " RV },
		{ "C3/69 in the signature", NULL, "Bye\n-- \n" RV "\n", "flagged " RV },
		{ "C3/57 another person", "Other <o@y.org>", RV "\n", "flagged " RV },
		{ "C3/57 two labels", "Other <r@a.b.x.org>", RV "\n", "flagged " RV },
		{ "C3/57 a whole top domain", "Other <r@org>", RV "\n", "flagged " RV },
		{ "for a third", "Other <o@y.org>",
		  "Reviewed-by: Third Person <t@z.org>\n",
		  "flagged Reviewed-by: Third Person <t@z.org>" },
		{ "no address", NULL, "Reviewed-by: R Viewer\n",
		  "ignored Reviewed-by: R Viewer" },
		{ "C026, C3/64 no commit", NULL, "Fixes: TBD\n", "ignored Fixes: TBD" },
		{ "C026, C3/64 a question", NULL, "Fixes: ?\n", "ignored Fixes: ?" },
		{ "C026 too short", NULL, "Fixes: abcde (\"x\")\n",
		  "ignored Fixes: abcde (\"x\")" },
		{ "C026 not in a block of trailers", NULL,
		  "I think this\nFixes: abcdef012345 (\"z\")\nis missing\n",
		  "flagged Fixes: abcdef012345 (\"z\")" },
	};

	(void)state;
	CHECK(rows);
}

/* C028 */
static void test_bots(void **state)
{
	static const struct row rows[] = {
		{ "C0/B3 tags behind bars", "robot <lkp@intel.com>",
		  "If you fix the issue in a separate patch/commit (i.e. not just a new "
		  "version of\n"
		  "the same patch/commit), kindly add following tags\n"
		  "| Reported-by: kernel test robot <lkp@intel.com>\n"
		  "| Closes: https://x.org/1\n",
		  "flagged Reported-by: kernel test robot <lkp@intel.com>" },
		{ "C028 plain tags", "robot <lkp@intel.com>",
		  "If you fix the issue, kindly add following tag where applicable\n"
		  "Reported-by: robot <lkp@intel.com>\nCloses: https://x.org/1\n",
		  "flagged Reported-by: robot <lkp@intel.com>;flagged Closes: "
		  "https://x.org/1" },
		{ "C028 indented tags", "robot <lkp@intel.com>",
		  "Please add:\n\n  Reported-by: robot <lkp@intel.com>\n",
		  "flagged Reported-by: robot <lkp@intel.com>" },
		{ "a person who asks for a tag", NULL,
		  "Please add the following tag:\nReported-by: R Viewer <r@x.org>\n",
		  "flagged Reported-by: R Viewer <r@x.org>" },
		{ "two reports are two", "syzbot <syzbot@x.org>",
		  "Tested-by: syzbot+1@x.org\nTested-by: syzbot+2@x.org\n",
		  "added Tested-by: syzbot+1@x.org;added Tested-by: syzbot+2@x.org" },
	};

	(void)state;
	CHECK(rows);
}

/* Trailers of a patch that the reply carries are that patch's, but a review is a review.
 */
static void test_reply_with_patch(void **state)
{
	static const struct row rows[] = {
		{ "C2/43", NULL,
		  RV "\n\nOr rather:\n\nSigned-off-by: R Viewer <r@x.org>\n---\n"
		     "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+c\n",
		  "added " RV ";ignored Signed-off-by: R Viewer <r@x.org>" },
	};

	(void)state;
	CHECK(rows);
}

/* Every decision has its reason, with the words it rests on. */
static void test_reasons(void **state)
{
	static const struct row rows[] = {
		{ NULL, NULL, "Nacked-by: R Viewer <r@x.org>\n", "objection" },
		{ NULL, NULL, "Fine. With the nit fixed:\n\n" RV "\n",
		  "given under a condition: 'With the nit fixed:'" },
		{ NULL, NULL, "For patches 1-2: " RV "\n",
		  "given for some patches only: 'For patches 1-2: Reviewed-by: R Viewer "
		  "<r@x.org>'" },
		{ NULL, NULL, "Have my " RV "\n", "inside a sentence" },
		{ NULL, NULL, "> " RV "\n", "quoted from another mail" },
		{ NULL, NULL, "-- \n" RV "\n", "in the signature" },
		{ NULL, "Other <o@y.org>", RV "\n", "sent by somebody else: 'Other'" },
		{ NULL, "lkp <lkp@intel.com>", RV "\n", "advice of a robot" },
		{ NULL, NULL, "Fixes: ?\n", "names no commit" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_series_ struct series *s = reply(rows[i].from, rows[i].body);

		print_message("%s\n", rows[i].body);
		assert_int_equal(s->patches[0].nr_trailers, 3);
		assert_string_equal(s->patches[0].trailers[2].reason, rows[i].result);
	}
}

/* A reply that is one long line, and one of many trailers, cost no more than their size.
 */
static void test_limits(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_series_ struct series *s = NULL;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_addf(&b, "words %d if you\nAcked-by: %d <r@x.org\n", i, i);
	for (int i = 0; i < 200000; i++)
		buf_adds(&b, "more words ");
	s = reply(NULL, buf_str(&b));
	assert_true(s->patches[0].nr_trailers <= 102);
}

/* Added behind the last block; a message without one gets a block of its own. */
static void test_message(void **state)
{
	_cleanup_series_ struct series *s = reply(NULL, RV "\n");

	(void)state;
	assert_string_equal(s->patches[0].message,
			    "x\n\nText.\n\nFixes: 0123456789ab (\"y\")\n"
			    "Signed-off-by: A U Thor <a@x.org>\n" RV "\n");
	assert_int_equal(s->patches[0].nr_trailers, 3);
	assert_string_equal(s->patches[0].trailers[0].key, "Fixes");
}

static void assemble_two(const char *first, const char *second,
			 const struct assemble_opts *o, struct series **ret)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	mbox_add(&mbox, first, strlen(first));
	mbox_add(&mbox, second, strlen(second));
	assert_int_equal(assemble_bytes(&mbox, o, ret, &e), 0);
}

static void test_message_without_block(void **state)
{
	static const char *const bodies[][2] = {
		{ "", "x\n\n" RV "\n" },
		{ "Text: more.\nAnd more.\n", "x\n\nText: more.\nAnd more.\n\n" RV "\n" },
		{ "Signed-off-by: A <a@x.org>\n",
		  "x\n\nSigned-off-by: A <a@x.org>\n" RV "\n" },
		{ "T\n\nSigned-off-by: A <a@x.org>\n[b: changed it]\n",
		  "x\n\nT\n\nSigned-off-by: A <a@x.org>\n[b: changed it]\n" RV "\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		_cleanup_free_ char *p =
			xasprintf("From: A <a@x.org>\nMessage-ID: <p>\n"
				  "Subject: [PATCH] x\n\n%s---\n"
				  "diff --git a/f b/f\n--- a/f\n+++ b/f\n"
				  "@@ -1 +1 @@\n-a\n+b\n",
				  bodies[i][0]);
		_cleanup_series_ struct series *s = NULL, *bare = NULL;

		assemble_two(
			p,
			"From: R Viewer <r@x.org>\nIn-Reply-To: <p>\nSubject: x\n\n" RV
			"\n",
			&(struct assemble_opts){ 0 }, &s);
		assert_string_equal(s->patches[0].message, bodies[i][1]);
		assemble_two(
			p,
			"From: R Viewer <r@x.org>\nIn-Reply-To: <p>\nSubject: x\n\n" RV
			"\n",
			&(struct assemble_opts){ .no_trailers = true }, &bare);
		assert_null(strstr(bare->patches[0].message, RV));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_ext),
		cmocka_unit_test(test_not_trailers),
		cmocka_unit_test(test_shown_only),
		cmocka_unit_test(test_bots),
		cmocka_unit_test(test_reply_with_patch),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_message_without_block),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
