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
	const char *from, *body, *result;
};

static void check(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		_cleanup_series_ struct series *s = reply(rows[i].from, rows[i].body);
		_cleanup_free_ char *got = added(s);

		print_message("%s\n", rows[i].body);
		assert_string_equal(got, rows[i].result);
	}
}

#define CHECK(rows) check(rows, ARRAY_SIZE(rows))
#define RV "Reviewed-by: R Viewer <r@x.org>"

static void test_taken(void **state)
{
	static const struct row rows[] = {
		{ NULL, RV "\n", "added " RV },
		{ NULL, "> quoted\n\n" RV "\n\nBye\n", "added " RV },
		{ NULL, RV "\n" RV "\nreviewed-by: r viewer <R@X.ORG>\n", "added " RV },
		{ NULL, RV "\nTested-by: R Viewer <r@x.org> # on rpi4\n",
		  "added " RV ";added Tested-by: R Viewer <r@x.org> # on rpi4" },
		{ NULL, "Tested-by: r@x.org\n", "added Tested-by: r@x.org" },
		{ NULL, "Acked-by: R Viewer\n <r@x.org>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ NULL, "Acked-by: R Viewer\n<r@x.org>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ NULL, "Acked-by: R Viewer <r@x.org <mailto:r@x.org>>\n",
		  "added Acked-by: R Viewer <r@x.org>" },
		{ NULL, "Fixes: abcdef012345 (\"long\n subject\")\n",
		  "added Fixes: abcdef012345 (\"long subject\")" },
		{ "R Viewer <r+lists@x.org>", RV "\n", "added " RV },
		{ "R Viewer <r@mail.x.org>", "Acked-by: Other <r@x.org>\n",
		  "added Acked-by: Other <r@x.org>" },
		{ "R Viewer <home@y.net>", RV "\n", "added " RV },
		{ NULL, "Acked-by: R Viewer (Company) <r@x.org>\n",
		  "added Acked-by: R Viewer (Company) <r@x.org>" },
		{ NULL, "Looks good.\n\n" RV "\n", "added " RV },
		{ NULL, "I compared it with the manual.\n\n" RV "\n", "added " RV },
	};

	(void)state;
	CHECK(rows);
}

static void test_not_trailers(void **state)
{
	static const struct row rows[] = {
		{ NULL, "> " RV "\n", "" },
		{ NULL, "  > " RV "\n", "" },
		{ NULL, "Bye\n-- \n" RV "\n", "" },
		{ NULL, "Signed-off-by: A U Thor <a@x.org>\n", "" }, /* there already */
		{ NULL,
		  "Message-ID: <x@y>\nPhone: 1\nhttp://x.org/Reviewed-by:\nC++: x\n",
		  "" },
		{ NULL, "Hello\n", "" },
		{ NULL, "", "" },
	};

	(void)state;
	CHECK(rows);
}

static void test_shown_only(void **state)
{
	static const struct row rows[] = {
		{ NULL, "Nacked-by: R Viewer <r@x.org>\n",
		  "flagged Nacked-by: R Viewer <r@x.org>" },
		{ NULL, "If you drop the goto, then\n" RV "\n", "flagged " RV },
		{ NULL, "With the nit fixed:\n\n" RV "\n", "flagged " RV },
		{ NULL, "With that, " RV "\n", "flagged " RV },
		{ "Other <o@y.org>", RV "\n", "flagged " RV },
		{ "Other <o@y.org>", "Reviewed-by: Third Person <t@z.org>\n",
		  "flagged Reviewed-by: Third Person <t@z.org>" },
		{ NULL, "Reviewed-by: R Viewer\n", "ignored Reviewed-by: R Viewer" },
		{ NULL, "Fixes: TBD\n", "ignored Fixes: TBD" },
		{ NULL, "Fixes: ?\n", "ignored Fixes: ?" },
	};

	(void)state;
	CHECK(rows);
}

static void test_bots(void **state)
{
	static const struct row rows[] = {
		{ "robot <lkp@intel.com>",
		  "If you fix the issue in a separate patch/commit (i.e. not just a new "
		  "version of\n"
		  "the same patch/commit), kindly add following tags\n"
		  "| Reported-by: kernel test robot <lkp@intel.com>\n"
		  "| Closes: https://x.org/1\n",
		  "" },
		{ "robot <lkp@intel.com>",
		  "If you fix the issue, kindly add following tag where applicable\n"
		  "Reported-by: robot <lkp@intel.com>\nCloses: https://x.org/1\n",
		  "ignored Reported-by: robot <lkp@intel.com>;ignored Closes: "
		  "https://x.org/1" },
		{ NULL,
		  "Please add the following tag:\nReported-by: R Viewer <r@x.org>\n",
		  "ignored Reported-by: R Viewer <r@x.org>" },
	};

	(void)state;
	CHECK(rows);
}

/* Trailers of a patch that the reply carries are that patch's, but a review is a review.
 */
static void test_reply_with_patch(void **state)
{
	static const struct row rows[] = {
		{ NULL,
		  RV "\n\nOr rather:\n\nSigned-off-by: R Viewer <r@x.org>\n---\n"
		     "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+c\n",
		  "added " RV ";ignored Signed-off-by: R Viewer <r@x.org>" },
	};

	(void)state;
	CHECK(rows);
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

#define MAIL(id, parent, subject, from, body)                         \
	"From: " from "\nMessage-ID: <" id ">\nIn-Reply-To: <" parent \
	">\nSubject: " subject "\n\n" body "\n"
#define WITH_DIFF "T\n---\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"

static size_t count(const struct series *s, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nr_patches; i++)
		n += strstr(s->patches[i].message, text) != NULL;
	return n;
}

/* A tag on the cover is for every patch, one on v1 is not for v2. */
static void test_cover_and_revisions(void **state)
{
	static const char *const mails[] = {
		MAIL("c", "-", "[PATCH 0/2] c", "A <a@x.org>", "C"),
		MAIL("1", "c", "[PATCH 1/2] one", "A <a@x.org>", WITH_DIFF),
		MAIL("2", "c", "[PATCH 2/2] two", "A <a@x.org>", WITH_DIFF),
		MAIL("rc", "c", "Re: [PATCH 0/2] c", "R Viewer <r@x.org>", RV),
		MAIL("r2", "rc", "Re: [PATCH 0/2] c", "B <b@x.org>",
		     "Acked-by: B <b@x.org>"),
		MAIL("r1", "1", "Re: [PATCH 1/2] one", "D <d@x.org>",
		     "Tested-by: D <d@x.org>"),
		MAIL("n", "c", "[PATCH v2 0/2] c", "A <a@x.org>", "C"),
		MAIL("n1", "n", "[PATCH v2 1/2] one", "A <a@x.org>", WITH_DIFF),
		MAIL("n2", "n", "[PATCH v2 2/2] two", "A <a@x.org>", WITH_DIFF),
	};
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *v1 = NULL, *v2 = NULL, *bare = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++)
		mbox_add(&mbox, mails[i], strlen(mails[i]));
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ .revision = 1 },
					&v1, &e),
			 0);
	assert_int_equal(count(v1, RV), 2);
	assert_int_equal(count(v1, "Acked-by: B"), 2);
	assert_int_equal(count(v1, "Tested-by: D"), 1);
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ 0 }, &v2, &e), 0);
	assert_int_equal(v2->revision, 2);
	assert_int_equal(count(v2, RV) + count(v2, "Tested-by"), 0);
	assert_int_equal(
		assemble_bytes(&mbox,
			       &(struct assemble_opts){ .revision = 1,
							.no_cover_trailers = true },
			       &bare, &e),
		0);
	assert_int_equal(count(bare, RV), 0);
	assert_int_equal(count(bare, "Tested-by: D"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_not_trailers),
		cmocka_unit_test(test_shown_only),
		cmocka_unit_test(test_bots),
		cmocka_unit_test(test_reply_with_patch),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_message_without_block),
		cmocka_unit_test(test_cover_and_revisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
