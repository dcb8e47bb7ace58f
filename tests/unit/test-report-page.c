// SPDX-License-Identifier: GPL-3.0-or-later
/* Forms of a page, and drawings that go into one. What whole reports look like is held by
 * tests/t/report.t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "bench/report/page.h"
#include "bench/report/plot.h"
#include "core/base/alloc.h"

#define EVIL "<b>&\"'\033[31m|@a`_"

static void foreign_text_is_harmless_in_each_form(void **state)
{
	_cleanup_page_ struct page p = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT, html = BUF_INIT, md = BUF_INIT;

	(void)state;
	page_title(&p, "%s", EVIL);
	page_warning(&p, "%s", EVIL);
	strv_addl(page_table(&p, "lr"), "a", EVIL, EVIL, "2", NULL);
	page_to_text(&p, &text);
	page_to_markdown(&p, &md);
	page_to_html(&p, "<title>@TITLE@</title>@BODY@", &html);
	assert_null(strchr(buf_str(&text), '\033'));
	assert_null(strchr(buf_str(&md), '\033'));
	assert_null(strchr(buf_str(&md), '<'));
	assert_non_null(strstr(buf_str(&md), "\\|&#64;a\\`\\_"));
	assert_string_equal(buf_str(&html),
			    "<title>&lt;b&gt;&amp;&quot;&#39;?[31m|@a`_</title>"
			    "<p class=\"warn\">&lt;b&gt;&amp;&quot;&#39;?[31m|@a`_</p>\n"
			    "<div class=\"wide\"><table>\n"
			    "<tr><th>a</th><th "
			    "class=\"n\">&lt;b&gt;&amp;&quot;&#39;?[31m|@a`_</th></tr>\n"
			    "<tr><td>&lt;b&gt;&amp;&quot;&#39;?[31m|@a`_</td><td "
			    "class=\"n\">2</td></tr>\n"
			    "</table></div>\n");
}

static void expect_table(const char *last, const char *want)
{
	_cleanup_page_ struct page p = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;

	page_title(&p, "t");
	strv_addl(page_table(&p, "lrl"), "name", "n", "words", "x", "1", last, NULL);
	page_to_text(&p, &text);
	assert_string_equal(buf_str(&text), want);
}

#define TEN "123456789 "
#define FIFTY TEN TEN TEN TEN TEN

static void wide_tables_stay_within_the_columns(void **state)
{
	_cleanup_page_ struct page p = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;

	(void)state;
	expect_table("y", "t\n=\n\nname  n  words\nx     1  y\n");
	expect_table(FIFTY TEN "ends", "t\n=\n\nname  n  words\n"
				       "x     1  " FIFTY "123456789\n"
				       "         ends\n");
	expect_table("", "t\n=\n\nname  n  words\nx     1  \n");
	/* wide in front: one row under the other */
	page_title(&p, "t");
	strv_addl(page_table(&p, "ll"), "name", "words", FIFTY, FIFTY, NULL);
	page_to_text(&p, &text);
	assert_non_null(strstr(buf_str(&text), "\n    words: 123456789"));
}

static void text_is_wrapped_at_words(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	text_wrap("aaa bbb  ccc\nddd", 9, "  ", &b);
	assert_string_equal(buf_str(&b), "  aaa bbb\n  ccc ddd\n");
	buf_clear(&b);
	text_wrap("", 9, "  ", &b);
	assert_string_equal(buf_str(&b), "\n");
}

static void labels_of_plots_are_plain(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	page_plot_label(&b, "cpuid npt/npt \"`system\n\\'");
	assert_string_equal(buf_str(&b), "\"cpuid npt/npt ??system???\"");
}

static void drawings_are_made_to_share_a_document(void **state)
{
	_cleanup_free_ char *svg = plot_inline(
		"<?xml?>\n<svg viewBox='0 0 1 1'>\n<title>Gnuplot</title><desc>x</desc>"
		"<defs><circle id='gpPt5'/><filter id='f'><a/></filter></defs>"
		"<use xlink:href='#gpPt5'/><g id=\"g\"/></svg>\n",
		7, "a <title>");

	(void)state;
	assert_string_equal(svg, "<svg role=\"img\" viewBox='0 0 1 1'>"
				 "<title>a &lt;title&gt;</title>\n"
				 "<defs><circle id='p7-gpPt5'/></defs>"
				 "<use xlink:href='#p7-gpPt5'/><g id=\"p7-g\"/></svg>");
}

static void what_is_no_drawing_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"no picture",
		"<svg>",
		"</svg><svg>",
		"<svg><SCRIPT>1</SCRIPT></svg>",
		"<svg><a xlink:href='http://example.org/'/></svg>",
		"<svg><a href=\"javascript:1\"/></svg>",
		"<svg><foreignObject/></svg>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_null(plot_inline(bad[i], 1, "t"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_text_is_harmless_in_each_form),
		cmocka_unit_test(wide_tables_stay_within_the_columns),
		cmocka_unit_test(text_is_wrapped_at_words),
		cmocka_unit_test(labels_of_plots_are_plain),
		cmocka_unit_test(drawings_are_made_to_share_a_document),
		cmocka_unit_test(what_is_no_drawing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
