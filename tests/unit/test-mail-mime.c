// SPDX-License-Identifier: GPL-3.0-or-later
/* Mails against git mailinfo: the same bytes must give the same author, title, text and
 * diff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "mail/mime.h"

#define HEAD "From: A U Thor <author@example.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\n"
#define DIFF                                                                    \
	"diff --git a/f b/f\nindex 0000000..1111111 100644\n--- a/f\n+++ b/f\n" \
	"@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
#define MIME(type, cte) \
	"MIME-Version: 1.0\nContent-Type: " type "\nContent-Transfer-Encoding: " cte "\n"

static const struct {
	const char *name, *mail;
} cases[] = {
	{ "plain", HEAD "Subject: [PATCH] x: y\n\nText.\n\nSigned-off-by: A "
			"<a@b.c>\n---\n f | 2 +-\n\n" DIFF "-- \n2.39.5\n" },
	{ "no dashes", HEAD "Subject: [PATCH] x\n\nText.\n\n" DIFF },
	{ "dashes with blanks", HEAD "Subject: x\n\nText\n---  \nnote\n\n" DIFF },
	{ "dashes that are none", HEAD "Subject: x\n\nText\n---- \n--- \n" DIFF },
	{ "plain --- +++",
	  HEAD "Subject: x\n\nText\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" },
	{ "index line", HEAD
	  "Subject: x\n\nText\nIndex: f\n=====\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n" },
	{ "no blank after colon",
	  "From:A U Thor <author@example.org>\nSubject:     [PATCH] x\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "folded subject",
	  HEAD "Subject: [PATCH] a very\n long\n\ttitle\n\nT\n---\n" DIFF },
	{ "many prefixes",
	  HEAD "Subject: Re: [list] [PATCH v2 1/2]  re: x: [y] z\n\nT\n---\n" DIFF },
	{ "encoded words",
	  "From: =?utf-8?q?J=C3=B6rg_M=C3=BCller?= <j@example.org>\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\n"
	  "Subject: [PATCH] =?utf-8?q?a_=C3=A4?= =?utf-8?q?_b?= c\n\nT\n---\n" DIFF },
	{ "latin1 words",
	  "From: =?iso-8859-1?q?J=F6rg?= <j@example.org>\nSubject: [PATCH] x\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "base64 word",
	  "From: =?UTF-8?B?SsO2cmcgTcO8bGxlcg==?= <j@example.org>\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\nSubject: x\n\nT\n---\n" DIFF },
	{ "japanese", "From: =?ISO-2022-JP?B?GyRCOyMbKEI=?= <s@example.org>\nSubject: x\n"
		      "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "raw utf-8",
	  "From: J\303\266rg <j@example.org>\nSubject: [PATCH] \303\244\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\n" MIME(
		  "text/plain; charset=utf-8", "8bit") "\n\303\274ber\n---\n" DIFF },
	{ "quoted name",
	  "From: \"Author \\\"The Author\\\" Name\" <a@example.org>\nSubject: x\n"
	  "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "comment name", "From: a@example.org (A (U) Thor)\nSubject: x\n"
			  "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "comma name", "From: \"Doe, J\" <a@example.org>\nSubject: x\n"
			"Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "no name", "From: a@example.org\nSubject: x\n"
		     "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "name is address", "From: \"a@example.org\" <a@example.org>\nSubject: x\n"
			     "Date: Wed, 1 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "in-body all", HEAD
	  "Subject: [PATCH] x\n\nFrom: In Body <in@example.org>\nSubject: [PATCH] y\n"
	  "Date: Thu, 2 May 2024 12:00:00 +0200\n\nT\n---\n" DIFF },
	{ "in-body folded",
	  HEAD "Subject: x\n\nSubject: a\n  longer title\n\nT\n---\n" DIFF },
	{ "in-body [PATCH]",
	  HEAD "Subject: Re: talk\n\n[PATCH] the title\n\nT\n---\n" DIFF },
	{ "in-body after text",
	  HEAD "Subject: x\n\nT\nFrom: Not <not@example.org>\n---\n" DIFF },
	{ "in-body without patch",
	  HEAD "Subject: x\n\nFrom: In Body <in@example.org>\n\nT\n" },
	{ "in-body twice", HEAD "Subject: x\n\nFrom: I <in@example.org>\nFrom: J "
				"<j@example.org>\n\nT\n---\n" DIFF },
	{ "in-body unblanked",
	  HEAD "Subject: x\n\nFrom: I <in@example.org>\nT\n---\n" DIFF },
	{ "in-body encoded", HEAD
	  "Subject: x\n\nFrom: =?utf-8?q?J=C3=B6rg?= <j@example.org>\n\nT\n---\n" DIFF },
	{ "embedded separator",
	  HEAD "Subject: x\n\n"
	       ">From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
	       "From: I <in@example.org>\nSubject: [PATCH] y\n\nT\n---\n" DIFF },
	{ "leading blank lines", HEAD "Subject: x\n\n\n\nT\n\n\n\nU\n\n\n---\n" DIFF },
	{ "scissors are text", HEAD "Subject: x\n\nAbove\n-- >8 --\nBelow\n---\n" DIFF },
	{ "quoted-printable",
	  HEAD "Subject: x\n" MIME(
		  "text/plain; charset=iso-8859-1",
		  "quoted-printable") "\nm=F6re =\ntext=3D\n---\n"
				      "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 "
				      "@@\n-a=3D=\nb\n+b=20\n" },
	{ "base64",
	  HEAD "Subject: x\n" MIME("text/plain; charset=utf-8",
				   "base64") "\nVGV4dCDDpC4KLS0tCmRpZmYgLS1naXQgYS9mIGIvZ"
					     "gotLS0gYS9mCisrKyBiL2YKQEAgLTEg\n"
					     "KzEgQEAKLWEKK2IK\n" },
	{ "no charset, utf-8", HEAD "Subject: x\n\nm\303\266re\n---\n" DIFF },
	{ "diff keeps its bytes",
	  HEAD "Subject: x\n" MIME(
		  "text/plain; charset=iso-8859-1",
		  "8bit") "\nm\366re\n---\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n"
			  "@@ -1 +1 @@\n-\344\n+\366\n" },
	{ "multipart mixed",
	  HEAD "Subject: [PATCH] x\nMIME-Version: 1.0\n"
	       "Content-Type: multipart/mixed; boundary=\"bb\"\n\npreamble\n--bb\n"
	       "Content-Type: text/plain; charset=utf-8\n\nT\n---\n" DIFF "\n--bb--\n" },
	{ "attached patch", HEAD
	  "Subject: [PATCH] x\nMIME-Version: 1.0\n"
	  "Content-Type: multipart/mixed; boundary=bb\n\n--bb\n"
	  "Content-Type: text/plain\n\nT\n\n--bb\n"
	  "Content-Type: text/x-patch; name=\"a.patch\"\n"
	  "Content-Disposition: attachment; filename=\"a.patch\"\n\n" DIFF "\n--bb--\n" },
	{ "flowed",
	  HEAD "Subject: x\n" MIME("text/plain; charset=utf-8; format=flowed",
				   "8bit") "\nSoft \nbreak\n  stuffed\n---\n" DIFF
					   "-- \n2.39\n" },
	{ "flowed delsp",
	  HEAD "Subject: x\n" MIME("text/plain; charset=utf-8; format=flowed; delsp=yes",
				   "8bit") "\nSoft \nbreak\n---\n" DIFF },
};

static char *scratch(const char *name)
{
	return xasprintf("/tmp/kiln-mime-%d-%s", (int)getpid(), name);
}

/* What git mailinfo prints, and the two files it writes. */
static void ask_git(const char *mail, struct buf *info, struct buf *msg,
		    struct buf *patch)
{
	_cleanup_free_ char *m = scratch("msg"), *p = scratch("patch");
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv,
			   .timeout_ms = 20000,
			   .in = mail,
			   .in_len = strlen(mail),
			   .out = info };

	strv_addl(&argv, "git", "-c", "i18n.commitEncoding=utf-8", "mailinfo", m, p,
		  NULL);
	assert_int_equal(spawn_check(&s, &e), 0);
	assert_int_equal(fs_read(m, 1 << 20, msg, &e), 0);
	assert_int_equal(fs_read(p, 1 << 20, patch, &e), 0);
	unlink(m);
	unlink(p);
}

static void parse(const char *text, struct mail *m)
{
	_cleanup_buf_ struct buf raw = BUF_INIT;

	buf_adds(&raw, text);
	mail_parse(&raw, &(struct mail_opts){ 0 }, m);
}

static size_t without_blank_end(const struct buf *b)
{
	size_t n = b->len;

	while (n && b->data[n - 1] == '\n')
		n--;
	return n;
}

/*
 * git's patch file holds the notes in front of the diff too, and the line end that
 * belongs to a boundary behind it.
 */
static void assert_tail(const struct buf *whole, const struct buf *tail)
{
	size_t w = without_blank_end(whole), n = without_blank_end(tail);

	assert_true(w >= n);
	assert_memory_equal(buf_str(whole) + w - n, buf_str(tail), n);
}

static void test_against_git(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_buf_ struct buf info = BUF_INIT, msg = BUF_INIT,
					 patch = BUF_INIT;
		_cleanup_free_ char *ours = NULL;
		_cleanup_mail_ struct mail m = { 0 };

		print_message("%s\n", cases[i].name);
		ask_git(cases[i].mail, &info, &msg, &patch);
		parse(cases[i].mail, &m);
		ours = xasprintf("Author: %s\nEmail: %s\nSubject: %s\nDate: ",
				 m.info.author_name, m.info.author_email, m.info.subject);
		if (strncmp(buf_str(&info), ours, strlen(ours)))
			assert_string_equal(buf_str(&info), ours);
		/* git am strips blank lines at the end. */
		msg.data[msg.len = without_blank_end(&msg)] = '\0';
		m.info.message.data[without_blank_end(&m.info.message)] = '\0';
		assert_string_equal(m.info.message.data, msg.data);
		assert_tail(&patch, &m.info.diff);
		assert_int_equal(mail_has_patch(&m),
				 strcmp(cases[i].name, "in-body without patch") != 0);
	}
}

/* Where git gives up or is worse, the text survives. */
static void test_character_sets_that_lie(void **state)
{
	_cleanup_mail_ struct mail a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };

	(void)state;
	parse(HEAD "Subject: x\n\nm\366re\n---\n" DIFF, &d);
	assert_string_equal(buf_str(&d.info.message), "m\303\266re\n");
	parse(HEAD "Subject: x\n" MIME("text/plain; charset=us-ascii",
				       "8bit") "\nm\303\266re\n---\n" DIFF,
	      &a);
	assert_string_equal(buf_str(&a.info.message), "m\303\266re\n");
	parse(HEAD "Subject: x\n" MIME("text/plain; charset=no-such-set",
				       "8bit") "\nm\366re\n---\n" DIFF,
	      &b);
	assert_string_equal(buf_str(&b.info.message), "m\303\266re\n");
	parse(HEAD "Subject: =?no-such?q?a=F6?=\n" MIME("text/plain; charset=utf-8",
							"8bit") "\nm\366re\n---\n" DIFF,
	      &c);
	assert_string_equal(buf_str(&c.info.message), "m\303\266re\n");
}

static void test_headers(void **state)
{
	_cleanup_mail_ struct mail m = { 0 };

	(void)state;
	parse("Message-ID: <a@b>\nIn-Reply-To: Your mail of today <c@d> (x)\n"
	      "References: <e@f>\n <g@h>\nFrom: N <n@x>\nSubject: =?utf-8?q?Re=3A?= "
	      "[PATCH 2/3] x\n"
	      "Date: Wed, 1 May 2024 12:00:00 +0200\n\n> quoted\n",
	      &m);
	assert_string_equal(m.message_id, "a@b");
	assert_string_equal(m.in_reply_to, "c@d");
	assert_int_equal(m.references.nr, 2);
	assert_string_equal(m.references.v[1], "g@h");
	assert_string_equal(m.from_email, "n@x");
	assert_true(m.subject.reply);
	assert_int_equal(m.subject.number, 2);
	assert_int_equal(m.date.epoch, 1714557600);
	assert_int_equal(m.date.tz, 120);
	assert_false(mail_has_patch(&m));
}

static void test_dates(void **state)
{
	static const struct {
		const char *text;
		bool known;
		int64_t epoch;
		int tz;
	} rows[] = {
		{ "Wed, 1 May 2024 12:00:00 +0200", true, 1714557600, 120 },
		{ "1 May 2024 12:00:00 -0730", true, 1714591800, -450 },
		{ "2024-05-01 12:00:00 +0200", true, 1714557600, 120 },
		{ "2024-05-01T10:00:00Z", true, 1714557600, 0 },
		{ "Mon, 1 Jan 1900 00:00:00 +0000", false, 0, 0 },
		{ "bogus", false, 0, 0 },
		{ "", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mail_date d = mail_date_parse(rows[i].text);

		print_message("'%s'\n", rows[i].text);
		assert_int_equal(d.known, rows[i].known);
		if (!d.known)
			continue;
		assert_int_equal(d.epoch, rows[i].epoch);
		assert_int_equal(d.tz, rows[i].tz);
	}
}

/* HTML beside text, and a signature around it, change nothing. */
static void test_structures(void **state)
{
	_cleanup_mail_ struct mail alt = { 0 }, sig = { 0 }, html = { 0 }, eml = { 0 };

	(void)state;
	parse(HEAD "Subject: [PATCH] x\nMIME-Version: 1.0\n"
		   "Content-Type: multipart/alternative; boundary=bb\n\n--bb\n"
		   "Content-Type: text/plain\n\nT\n---\n" DIFF
		   "\n--bb\nContent-Type: text/html\n\n"
		   "<p>T</p>\n--bb--\n",
	      &alt);
	assert_string_equal(buf_str(&alt.info.message), "T\n");
	assert_true(mail_has_patch(&alt));
	assert_null(strstr(buf_str(&alt.info.diff), "<p>"));
	parse(HEAD "Subject: [PATCH] x\nMIME-Version: 1.0\nContent-Type: "
		   "multipart/signed; boundary=bb;"
		   " micalg=pgp-sha256; protocol=\"application/pgp-signature\"\n\n--bb\n"
		   "Content-Type: text/plain\n\nT\n---\n" DIFF "\n--bb\n"
		   "Content-Type: application/pgp-signature\n\n-----BEGIN PGP "
		   "SIGNATURE-----\n\n--bb--\n",
	      &sig);
	assert_string_equal(buf_str(&sig.info.message), "T\n");
	assert_null(strstr(buf_str(&sig.info.diff), "PGP"));
	parse(HEAD "Subject: [PATCH] x\n" MIME("text/html", "8bit") "\n<pre>" DIFF
								    "</pre>\n",
	      &html);
	assert_false(mail_has_patch(&html));
	parse(HEAD
	      "Subject: see attachment\nMIME-Version: 1.0\n"
	      "Content-Type: multipart/mixed; boundary=bb\n\n--bb\nContent-Type: "
	      "text/plain\n\nHi\n\n"
	      "--bb\nContent-Type: application/octet-stream; name=\"0001-x.patch\"\n"
	      "Content-Disposition: attachment; filename=\"0001-x.patch\"\n\n"
	      "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
	      "From: Inner <in@example.org>\nSubject: [PATCH] inner\n\nText\n---\n" DIFF
	      "\n--bb--\n",
	      &eml);
	assert_string_equal(eml.info.author_name, "Inner");
	assert_string_equal(eml.info.subject, "inner");
	assert_string_equal(buf_str(&eml.info.message), "Text\n");
}

/* Stable notes hold the patch below their own words. */
static void test_embedded_patch(void **state)
{
	_cleanup_mail_ struct mail m = { 0 };

	(void)state;
	parse(HEAD
	      "Subject: FAILED: patch x failed to apply\n\nThe patch below does not "
	      "apply.\n\n"
	      "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
	      "From: Other <other@example.org>\nDate: Thu, 2 May 2024 12:00:00 +0000\n"
	      "Subject: [PATCH] a long\n title\n\nFrom: True <true@example.org>\n\n"
	      "Text.\n---\n" DIFF,
	      &m);
	assert_true(m.info.embedded);
	assert_string_equal(m.info.subject, "a long title");
	assert_string_equal(m.info.author_email, "true@example.org");
	assert_int_equal(m.info.date.epoch, 1714651200);
	assert_string_equal(buf_str(&m.info.message), "Text.\n");
}

static void test_base64_line_ends(void **state)
{
	_cleanup_mail_ struct mail m = { 0 };

	(void)state;
	/* "T\r\n---\r\ndiff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n@@ -1 +1
	 * @@\r\n-a\r\n+b\r\n" */
	parse(HEAD "Subject: x\n" MIME(
		      "text/plain", "base64") "\nVA0KLS0tDQpkaWZmIC0tZ2l0IGEvZiBiL2YNCi0t"
					      "LSBhL2YNCisrKyBiL2YNCkBAIC0xICsxIEBA\n"
					      "DQotYQ0KK2INCg==\n",
	      &m);
	assert_null(strchr(buf_str(&m.info.diff), '\r'));
	assert_string_equal(buf_str(&m.info.message), "T\n");
}

static void test_bare_patches(void **state)
{
	_cleanup_mail_ struct mail plain = { 0 }, stgit = { 0 }, hg = { 0 };

	(void)state;
	parse(DIFF, &plain);
	assert_true(plain.bare && mail_has_patch(&plain));
	assert_string_equal(plain.info.subject, "");
	parse("A title\n\nFrom: A U Thor <author@example.org>\n\nText\n---\n" DIFF,
	      &stgit);
	assert_string_equal(stgit.info.subject, "A title");
	assert_string_equal(stgit.info.author_email, "author@example.org");
	assert_string_equal(buf_str(&stgit.info.message), "Text\n");
	parse("# HG changeset patch\n# User A U Thor <author@example.org>\n"
	      "# Node ID 0123\nA title\n\nText\n\n" DIFF,
	      &hg);
	assert_string_equal(hg.info.subject, "A title");
	assert_string_equal(hg.info.author_name, "A U Thor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_git),
		cmocka_unit_test(test_character_sets_that_lie),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_structures),
		cmocka_unit_test(test_embedded_patch),
		cmocka_unit_test(test_base64_line_ends),
		cmocka_unit_test(test_bare_patches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
