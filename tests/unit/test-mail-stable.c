// SPDX-License-Identifier: GPL-3.0-or-later
/* Mails of the stable maintainers, recognised as what they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "mail/mbox.h"
#include "assemble-bytes.h"

#define A "0123456789abcdef0123456789abcdef01234567"
#define B "fedcba9876543210fedcba9876543210fedcba98"
#define DIFF "---\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
#define HEADERS(subject)                                                       \
	"From: S Maintainer <s@x.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\n" \
	"Message-ID: <m>\nSubject: " subject "\n"
#define ADDED                                                                           \
	"This is a note to let you know that I've just added the patch titled\n\n"      \
	"    widget: turn it round\n\n"                                                 \
	"to the 6.9-stable tree which can be found at:\n    http://x.org/queue.git\n\n" \
	"The filename of the patch is:\n     widget-turn-it-round.patch\n"              \
	"and it can be found in the queue-6.9 subdirectory.\n\n"                        \
	"If you, or anyone else, feels it should not be added, say so.\n\n\n"

static struct series *read_mail(const char *mail)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct series *s = NULL;

	mbox_add(&mbox, mail, strlen(mail));
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ 0 }, &s, &e), 0);
	return s;
}

static void assert_patch(const struct series *s, const char *message)
{
	const struct patch *p = &s->patches[0];

	assert_string_equal(p->author_name, "A U Thor");
	assert_string_equal(p->author_email, "a@x.org");
	assert_string_equal(p->message, message);
	assert_string_equal(p->subject, "widget: turn it round");
	assert_string_equal(s->title, "widget: turn it round");
	assert_string_equal(upstream_claims_main(&p->upstream)->commit, A);
}

/* C087: the author is that of the patch in the note, and it is queued, not released. */
static void test_added(void **state)
{
	_cleanup_series_ struct series *s = read_mail(HEADERS(
		"Patch \"widget: turn it round\" has been added to the 6.9-stable "
		"tree") "\n" ADDED "From " A " Mon Sep 17 00:00:00 2001\n"
			"From: Carrier <c@x.org>\nDate: Tue, 2 Apr 2024 10:00:00 +0000\n"
			"Subject: widget: turn it round\n\nFrom: A U Thor <a@x.org>\n\n"
			"commit " A " upstream.\n\nText.\n\nSigned-off-by: A U Thor "
			"<a@x.org>\n" DIFF);

	(void)state;
	assert_int_equal(s->stable->state, STABLE_QUEUED);
	assert_string_equal(s->stable->version, "6.9");
	assert_string_equal(s->stable->queue, "queue-6.9");
	assert_string_equal(s->stable->file, "widget-turn-it-round.patch");
	assert_null(s->stable->commit);
	assert_patch(s, "widget: turn it round\n\ncommit " A " upstream.\n\nText.\n\n"
			"Signed-off-by: A U Thor <a@x.org>\n");
	assert_int_equal(s->nr_notes, 0);
}

/* The form of git show: the commit named is the stable tree's, not the one upstream. */
static void test_added_shown(void **state)
{
	static const char patch[] =
		"commit " B "\nAuthor: A U Thor <a@x.org>\n"
		"Date:   Mon Apr 15 09:27:29 2024 +0530\n\n    widget: turn it round\n"
		"    \n    [ Upstream commit " A " ]\n    \n    Text.\n    \n"
		"    Signed-off-by: A U Thor <a@x.org>\n\n"
		"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
	_cleanup_free_ char *mail = xasprintf("%s\n%s%s",
					      HEADERS("Patch \"widget: turn it round\" "
						      "has been added to the 6.9-stable "
						      "tree"),
					      ADDED, patch);
	_cleanup_free_ char *bare = xasprintf("%s%s", ADDED, patch);
	_cleanup_series_ struct series *s = read_mail(mail), *b = read_mail(bare);

	(void)state;
	assert_string_equal(s->stable->commit, B);
	assert_patch(s, "widget: turn it round\n\n[ Upstream commit " A " ]\n\nText.\n\n"
			"Signed-off-by: A U Thor <a@x.org>\n");
	assert_int_equal(s->patches[0].date, 1713153449);
	assert_int_equal(s->patches[0].date_tz, 330);
	assert_string_equal(b->stable->version, "6.9");
	assert_string_equal(b->stable->file, "widget-turn-it-round.patch");
	assert_string_equal(b->patches[0].message, s->patches[0].message);
}

/* The same first sentence opens notes of other trees. */
static void test_other_tree(void **state)
{
	_cleanup_series_ struct series *s = read_mail(
		HEADERS("patch \"widget: turn it round\" added to "
			"usb-next") "\n"
				    "This is a note to let you know that "
				    "I've just added the patch titled\n\n"
				    "    widget: turn it round\n\nto my "
				    "usb git tree which can be found at:\n"
				    "  http://x.org/usb.git\nin the "
				    "usb-next branch.\n\n\n"
				    "From " A " Mon Sep 17 00:00:00 2001\nFrom: A U "
				    "Thor <a@x.org>\n"
				    "Subject: widget: turn it "
				    "round\n\nText.\n" DIFF);

	(void)state;
	assert_null(s->stable);
	assert_string_equal(s->patches[0].author_name, "A U Thor");
}

#define FAILED_PATCH                                                       \
	"From: A U Thor <a@x.org>\nDate: Tue, 2 Apr 2024 10:00:00 +0000\n" \
	"Subject: [PATCH] widget: turn it round\n\nText.\n" DIFF

static void test_failed(void **state)
{
	static const char *const mails[] = {
		HEADERS("FAILED: patch \"[PATCH] widget: turn it round\" failed to apply "
			"to 5.10-stable tree") "\nThe patch below does not apply to the "
					       "5.10-stable tree.\n\ngit checkout "
					       "FETCH_HEAD\ngit cherry-pick -x " A "\n"
					       "# <resolve conflicts>\n\nPossible "
					       "dependencies:\n\n\n\nthanks,\n\ns\n\n"
					       "------------------ original commit in "
					       "Linus's tree "
					       "------------------\n\nFrom " A
					       " Mon Sep 17 00:00:00 2001\n" FAILED_PATCH,
		HEADERS("FAILED: Patch \"widget: turn it round\" failed to apply to "
			"5.10-stable tree") "X-stable: review\n\nThe patch below does "
					    "not "
					    "apply to the 5.10-stable tree.\n\nThanks\n\n"
					    "------------------ original commit in "
					    "Linus's tree "
					    "------------------\n\nFrom " A
					    " Mon Sep 17 00:00:00 2001\n" FAILED_PATCH,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		_cleanup_series_ struct series *s = read_mail(mails[i]);

		assert_int_equal(s->stable->state, STABLE_FAILED);
		assert_string_equal(s->stable->version, "5.10");
		assert_null(s->stable->queue);
		assert_patch(s, "widget: turn it round\n\nText.\n");
	}
}

/* Cover with its headers for test machines; patches in both forms, two prefixes. */
static void test_review(void **state)
{
	static const char cover[] = HEADERS(
		"[PATCH 6.6 000/2] 6.6.1-rc1 review") "User-Agent: quilt/0.68\nX-stable: "
						      "review\nX-KernelTest-Branch: "
						      "linux-6.6.y\nX-KernelTest-"
						      "Deadline: "
						      "2025-10-15T14:43+00:00\n\n"
						      "This is the start of the stable "
						      "review cycle for the 6.6.1 "
						      "release.\n"
						      "There are 2 patches in this "
						      "series, all will be posted as a "
						      "response\n"
						      "to this one.\n\nResponses should "
						      "be made by Wed, 15 Oct 2025 "
						      "14:43:06 "
						      "+0000.\nAnything received after "
						      "that time might be too late.\n";
	static const char one[] =
		"From: S Maintainer <s@x.org>\nMessage-ID: <1>\nIn-Reply-To: <m>\nDate: "
		"Wed, 1 May 2024 12:00:00 +0200\n"
		"Subject: [PATCH 6.6 001/2] [PATCH 6.6] widget: turn it round\n\n"
		"6.6-stable review patch.  If anyone has any objections, please let me "
		"know.\n\n------------------\n\nFrom: A U Thor <a@x.org>\n\n"
		"commit " A
		" upstream.\n\nText.\n\nSigned-off-by: A U Thor <a@x.org>\n" DIFF;
	static const char two[] =
		"From: S Maintainer <s@x.org>\nMessage-ID: <2>\nIn-Reply-To: <m>\nDate: "
		"Wed, 1 May 2024 12:00:00 +0200\nX-stable: review\n"
		"Subject: [PATCH 6.6 002/2] gadget: stop\n\nFrom: B <b@x.org>\n\n"
		"[ Upstream commit " B " ]\n\nText.\n\nSigned-off-by: B <b@x.org>\n" DIFF;
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_series_ struct series *s = NULL, *alone = read_mail(two);

	(void)state;
	mbox_add(&mbox, cover, strlen(cover));
	mbox_add(&mbox, one, strlen(one));
	mbox_add(&mbox, two, strlen(two));
	assert_int_equal(assemble_bytes(&mbox, &(struct assemble_opts){ 0 }, &s, &e), 0);
	assert_int_equal(s->nr_patches, 2);
	assert_int_equal(s->stable->state, STABLE_REVIEW);
	assert_string_equal(s->stable->version, "6.6");
	assert_string_equal(s->stable->release, "6.6.1-rc1");
	assert_string_equal(s->stable->deadline, "Wed, 15 Oct 2025 14:43:06 +0000");
	assert_int_equal(s->stable->tests.nr, 2);
	assert_string_equal(s->stable->tests.v[0], "Branch: linux-6.6.y");
	assert_string_equal(s->patches[0].author_name, "A U Thor");
	assert_string_equal(s->patches[0].message,
			    "widget: turn it round\n\ncommit " A " upstream.\n\nText.\n\n"
			    "Signed-off-by: A U Thor <a@x.org>\n");
	assert_string_equal(s->patches[1].author_name, "B");
	assert_string_equal(s->patches[1].upstream.v[0].commit, B);
	assert_int_equal(s->nr_notes, 0);
	assert_int_equal(alone->stable->state, STABLE_REVIEW);
	assert_string_equal(alone->stable->version, "6.6");
}

/* A file name that would leave the queue is none. */
static void test_hostile(void **state)
{
	_cleanup_series_ struct series *s =
		read_mail(HEADERS("Patch \"x\" has been added to the 6.9-stable "
				  "tree") "\n"
					  "I've just added the patch "
					  "titled\n\nx\n\nto the 6.9-stable tree\n"
					  "The filename of the patch is:\n "
					  "../../etc/passwd\nand it can be found "
					  "in the queue-../x "
					  "subdirectory.\n\nx\n" DIFF);
	_cleanup_series_ struct series *t = read_mail(HEADERS(
		"Patch x") "\nI've just added the patch titled to the -stable tree "
			   "and the .-stable tree\ncommit " A "\nAuthor:" DIFF);

	(void)state;
	assert_string_equal(s->stable->version, "6.9");
	assert_null(s->stable->file);
	assert_null(s->stable->queue);
	assert_null(t->stable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_added),	   cmocka_unit_test(test_added_shown),
		cmocka_unit_test(test_other_tree), cmocka_unit_test(test_failed),
		cmocka_unit_test(test_review),	   cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
