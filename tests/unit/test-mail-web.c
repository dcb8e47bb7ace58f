// SPDX-License-Identifier: GPL-3.0-or-later
/* Pages of web archives to mails, and what the archives did to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/base.h"
#include "mail/web-html.h"
#include "mail/web-page.h"

static void test_html(void **state)
{
	static const struct {
		const char *html, *text;
	} rows[] = {
		{ "<p>a   b\n c<br>d</p>e", "a b c\nd\ne" },
		{ "<pre>\n a\tb\n\n  c</pre>d", "\n a\tb\n\n  c\n\nd" },
		{ "&lt;a&amp;b&gt;&#39;&#x2d;&nbsp;c&unknown;&", "<a&b>'- c&unknown;&" },
		{ "a<!-- x > y -->b<script>if (a<b) c</script>d", "abd" },
		{ "1 < 2 <3 <> a<b", "1 < 2 <3 <> a<b" },
		{ "<ul><li>a</li>\n<li>b</li></ul>c", "a\nb\n\nc" },
		{ "&#xd800;&#0;&#x110000;&#xe4;", "\303\244" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_web_html_ struct web_html h = { 0 };

		web_html_read(rows[i].html, strlen(rows[i].html), &h);
		assert_string_equal(buf_str(&h.text), rows[i].text);
	}
}

static void test_facts(void **state)
{
	static const char page[] =
		"<title>[PATCH] x</title><!--X-Message-Id: a&#45;b@c -->"
		"<!-- id=\"d@e\" --><input type=hidden name=\"msgid\" value='f@g'>"
		"head<!--X-Body-of-Message--><pre>body</pre>"
		"<!--X-Body-of-Message-End-->foot";
	_cleanup_web_html_ struct web_html h = { 0 };
	_cleanup_free_ char *body = NULL;

	(void)state;
	web_html_read(page, sizeof(page) - 1, &h);
	assert_string_equal(web_html_fact(&h, "title"), "[PATCH] x");
	assert_string_equal(web_html_fact(&h, "x-message-id"), "a-b@c");
	assert_string_equal(web_html_fact(&h, "id"), "d@e");
	assert_string_equal(web_html_fact(&h, "msgid"), "f@g");
	assert_null(web_html_fact(&h, "subject"));
	body = strndup(buf_str(&h.text) + h.body, h.body_end - h.body);
	assert_string_equal(body, "\nbody\n\n");
}

static void test_site(void **state)
{
	static const char *const rows[][2] = {
		{ "https://lists.openwall.net/linux-kernel/2024/05/01/7",
		  "lists.openwall.net" },
		{ "http://spinics.net/lists/kvm/msg1.html", "www.spinics.net" },
		{ "https://lkml.iu.edu/hypermail/linux/kernel/1/1.html", "lkml.iu.edu" },
		{ "https://marc.info/?l=kvm&m=1", "marc.info" },
		{ "https://mail-archive.com/kvm@vger.kernel.org/msg1.html",
		  "www.mail-archive.com" },
		{ "https://lore.kernel.org/kvm/marc.info@x/", NULL },
		{ "marc.info", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *site = web_page_site(rows[i][0]);

		if (rows[i][1])
			assert_string_equal(site, rows[i][1]);
		else
			assert_null(site);
	}
}

static void test_addresses(void **state)
{
	static const char *const rows[][2] = {
		{ "by A <a.b@xxxxxxxxx> now", "a.b@xxxxxxxxx" },
		{ "A <yosry.ahmed@...ux.dev>", "yosry.ahmed@...ux.dev" },
		{ "tom@....com", "tom@....com" },
		{ "A <a () example ! org>", "a () example ! org" },
		{ "[email protected]", "[email protected]" },
		{ "a@xxxx.org, a@xxxy", NULL },
		{ "@xxxxxxxx @...", NULL },
		{ "f () bar != baz", NULL },
		{ "a@b.org", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *a =
			web_damage_address(rows[i][0], strlen(rows[i][0]));

		print_message("%s\n", rows[i][0]);
		if (rows[i][1])
			assert_string_equal(a, rows[i][1]);
		else
			assert_null(a);
	}
}

#define DIFF_HEAD "diff --git a/f.c b/f.c\n--- a/f.c\n+++ b/f.c\n@@ -1,2 +1,2 @@\n"

static void test_damage(void **state)
{
	static const char *const rows[][2] = {
		{ DIFF_HEAD " \tone\n-\ta\n+\tb\n", NULL },
		{ DIFF_HEAD "one\n-\ta\n+\tb\n", "leading blanks are lost (line 5)" },
		{ DIFF_HEAD "        one\n-       a\n+       b\n",
		  "tabs became blanks (line 5)" },
		{ DIFF_HEAD " \tone\n-\ta and\nmore\n+\tb\n",
		  "line 7 of the diff is wrapped or lost its first character" },
		{ "a@xxxxxxxx\n" DIFF_HEAD " \tone\n-\ta\n",
		  "addresses are masked ('a@xxxxxxxx'); the diff ends in the middle of a "
		  "hunk" },
		{ "no diff", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *d = web_damage_find(rows[i][0], strlen(rows[i][0]));

		if (rows[i][1])
			assert_string_equal(d, rows[i][1]);
		else
			assert_null(d);
	}
}

static void test_looks(void **state)
{
	static const char *const pages[] = {
		"<!DOCTYPE html><html>",
		"\n\n[RFC PATCH 1/2] x\n\ntext",
		"From: A <a@xxxxxxxxx>\nSubject: [PATCH] x\n\n",
		"note\n\nSigned-off-by: A <a@xxxxxxxxx>\n",
		"list\n\nlists.openwall.net\nFrom: A\nSubject: x\n\nb",
	};
	static const char *const mails[] = {
		"From: A <a@b.org>\nSubject: x\n\nsee a@xxxxxxxxx, marc.info\n",
		"From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@b.org>\n\n",
		"Fix the thing\n\nLink: https://marc.info/?l=x\n\ndiff --git a/f b/f\n",
		"diff --git a/f b/f\n+a@xxxxxxxxx\n",
		"# HG changeset patch\n",
		"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		assert_true(web_page_looks(pages[i], strlen(pages[i])));
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++)
		assert_false(web_page_looks(mails[i], strlen(mails[i])));
}

/* A stable note is about the patch it names. */
static void test_stable_note(void **state)
{
	static const char note[] =
		"This is a note to let you know that I've just added the patch titled\n"
		"    x86: One\nto the 6.9-stable tree which can be found at:\n"
		"Author: A U Thor <author@xxxxxxxxxxx>\n";
	_cleanup_web_page_ struct web_page w = { 0 };

	(void)state;
	web_page_read(note, sizeof(note) - 1, NULL, &w);
	assert_string_equal(w.title, "x86: One");
	assert_string_equal(w.subject,
			    "Patch \"x86: One\" has been added to the 6.9-stable tree");
	assert_string_equal(w.author, "A U Thor");
	assert_string_equal(w.damage, "addresses are masked ('author@xxxxxxxxxxx')");
	assert_null(w.message_id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_html),	    cmocka_unit_test(test_facts),
		cmocka_unit_test(test_site),	    cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_damage),	    cmocka_unit_test(test_looks),
		cmocka_unit_test(test_stable_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
