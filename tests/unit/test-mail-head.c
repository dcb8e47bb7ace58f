// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmime/gmime.h>

#include "core/base/alloc.h"
#include "mail/head.h"
#include "mail/mime.h"

static void assert_same(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_true(!a && !b);
}

/* GMime's own reading of a field; NULL when absent. */
static char *gmime_value(GMimeMessage *msg, const char *name)
{
	GMimeHeader *h = g_mime_header_list_get_header(
		g_mime_object_get_header_list(GMIME_OBJECT(msg)), name);
	const char *raw = h ? g_mime_header_get_raw_value(h) : NULL;

	return raw ? mail_header_decode(raw) : NULL;
}

static void compare_gmime(const struct buf *raw)
{
	static const char *const names[HEAD_FIELDS] = { "Message-ID", "In-Reply-To",
							"References", "From",
							"Subject",    "Date" };
	const char *end = buf_str(raw) + raw->len, *at = head_begin(buf_str(raw), end);
	GMimeStream *mem = g_mime_stream_mem_new_with_buffer(at, (size_t)(end - at));
	GMimeParser *parser = g_mime_parser_new_with_stream(mem);
	GMimeMessage *msg = head_is_there(at, end)
				    ? g_mime_parser_construct_message(parser, NULL)
				    : NULL;
	char *value[HEAD_FIELDS] = { 0 };

	if (msg)
		head_values(at, end, value);
	for (int i = 0; msg && i < HEAD_FIELDS; i++) {
		_cleanup_free_ char *other = gmime_value(msg, names[i]);

		assert_same(value[i], other);
		free(value[i]);
	}
	g_clear_object(&msg);
	g_object_unref(parser);
	g_object_unref(mem);
}

/* The light reader, the whole reader and GMime agree on every value. */
static void compare(const struct buf *raw)
{
	_cleanup_mail_ struct mail m = { 0 };
	_cleanup_head_ struct head h = { 0 };

	mail_parse(raw, &(struct mail_opts){ 0 }, &m);
	head_parse(raw, &h);
	compare_gmime(raw);
	assert_string_equal(h.message_id, m.message_id);
	assert_same(h.in_reply_to, m.in_reply_to);
	assert_int_equal(h.references.nr, m.references.nr);
	assert_string_equal(h.from_name, m.from_name);
	assert_string_equal(h.from_email, m.from_email);
	assert_same(h.subject.title, m.subject.title);
	assert_int_equal(h.subject.number, m.subject.number);
	assert_int_equal(h.date.known, m.date.known);
	assert_int_equal(h.date.epoch, m.date.epoch);
	assert_int_equal(h.date.tz, m.date.tz);
	assert_true(h.maybe_patch || !mail_has_patch(&m));
}

static void test_cases(void **state)
{
	static const char *const mails[] = {
		"",
		"\n",
		"Subject: x\n",
		"Subject: x",
		"A\n\nb\n",
		"Message-ID: <a@b>\nIn-Reply-To: <c@d>\nReferences: <e@f>\n "
		"<g@h>\n\t<i@j>\n"
		"From: \"Doe, J\" <j@x.org>\nSubject: [PATCH v3 2/7] a\n  b\n"
		"Date: Wed, 1 May 2024 12:00:00 +0200\n\nx\n",
		"message-id:<a@b>\nMESSAGE-ID: <c@d>\nsubject:x\nfrom:a@b\n\n",
		"Message-Id: a@b (comment)\nIn-Reply-To: Your mail <x@y> of <z@z>\n\n",
		"Subject: =?utf-8?q?=5BPATCH=5D_=C3=A9?= =?iso-8859-1?q?=e9?=\n\n",
		"Subject: =?utf-8?b?W1BB?=\n =?utf-8?b?VENIXSB4?=\nMessage-ID: <a>\n\n",
		"Subject: r\xc3\xa9sum\xc3\xa9\nFrom: J\xe9 <a@b>\nMessage-ID: <a>\n\n",
		"From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: y\n\nbody\n",
		"\n \n>From x\nSubject: y\nMessage-ID: <q@r>\n\n",
		"Subject: a\n continued\nno colon here\nMessage-ID: <late@x>\n\nbody\n",
		"Subject : blank before colon\nMessage-ID : <b@c>\n\nx\n",
		"Subject:\nMessage-ID:\n <folded@x>\n\n",
		"Subject:\n\tfolded\n\n",
		" Subject: starts with a blank\nMessage-ID: <a@b>\n\nx\n",
		"X: y\n\tmore\nMessage-ID: <tab@x>\n \n\nbody\n",
		"X: y\n \nMessage-ID: <behind-blank@x>\n\nbody\n",
		"Message-ID: <unclosed\nSubject: a\n\n",
		"Message-ID: < blanks in@it >\nReferences: <> <a> < b > <c\n\n",
		"Date: nonsense\nMessage-ID: <a>\n\n",
		"Date: Thu, 31 Feb 2099 99:99:99 +9900\nMessage-ID: <a>\n\n",
		"From: a@b\nMessage-ID: <1>\n\n---\ndiff --git a/f b/f\n--- a/f\n+++ "
		"b/f\n"
		"@@ -1 +1 @@\n-a\n+b\n",
		"From: a@b\nMessage-ID: <1>\nContent-Transfer-Encoding: base64\n\n"
		"LS0tCmRpZmYgLS1naXQgYS9mIGIvZgotLS0gYS9mCisrKyBiL2YKQEAgLTEgKzEgQEAKLWEK"
		"K2IK"
		"\n",
		"From: a@b\nMessage-ID: <1>\nContent-Transfer-Encoding:\n "
		"quoted-printable\n\n"
		"=2D--\n=64iff --git a/f b/f\n=2D-- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
		"From: a@b\nMessage-ID: <1>\nContent-Type: text/plain; format=flowed\n\n"
		"text\n\n --- a/f\n +++ b/f\n @@ -1 +1 @@\n -a\n +b\n",
		"Index: f\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n",
		"# HG changeset patch\n# User A <a@b>\n# Date 0 0\ntitle\n\ndiff -r 0 "
		"f\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		_cleanup_buf_ struct buf raw = BUF_INIT;

		buf_adds(&raw, mails[i]);
		compare(&raw);
	}
}

static uint32_t step(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 16;
}

/* Headers put together at random from what makes parsers stumble. */
static void test_random(void **state)
{
	static const char *const pieces[] = {
		"Subject",
		"Message-ID",
		"In-Reply-To",
		"References",
		"From",
		"Date",
		"X-Other",
		":",
		":",
		": ",
		":\t",
		" ",
		"\n",
		"\n",
		"\n",
		"\n ",
		"\n\t",
		"\n\n",
		"<a@b>",
		"<c@d> <e@f>",
		"text",
		"[PATCH 1/2]",
		"Re: ",
		"\"q\" <q@r>",
		"=?utf-8?q?x=C3=A9?=",
		"=?x?",
		"\xe9",
		"\xc3\xa9",
		"(c)",
		"<",
		">",
		"Wed, 1 May 2024 12:00:00 +0200",
		"diff --git a/f b/f\n",
	};
	const char *rounds = getenv("KILN_TEST_ROUNDS");
	uint32_t seed = 1;
	int nr = rounds && *rounds ? 200000 : 4000;

	(void)state;
	for (int i = 0; i < nr; i++) {
		_cleanup_buf_ struct buf raw = BUF_INIT;
		uint32_t n = 1 + step(&seed) % 40;

		while (n--)
			buf_adds(&raw, pieces[step(&seed) % ARRAY_SIZE(pieces)]);
		compare(&raw);
	}
}

/* A header that never ends costs no more than its length. */
static void test_bounded(void **state)
{
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_head_ struct head h = { 0 };

	(void)state;
	buf_adds(&raw, "Message-ID: <a@b>\nReferences:");
	for (int i = 0; i < 200000; i++)
		buf_addf(&raw, " <%d@x>\n", i);
	head_parse(&raw, &h);
	assert_string_equal(h.message_id, "a@b");
	assert_int_equal(h.references.nr, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
