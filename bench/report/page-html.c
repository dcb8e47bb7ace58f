// SPDX-License-Identifier: GPL-3.0-or-later
/* A page as one HTML file. */
#include <string.h>

#include "bench/report/page.h"
#include "core/base/alloc.h"
#include "core/base/safe.h"

static void add_escaped(struct buf *ret, const char *s)
{
	for (const char *p = s; *p; p++) {
		const char *entity = *p == '&'	  ? "&amp;"
				     : *p == '<'  ? "&lt;"
				     : *p == '>'  ? "&gt;"
				     : *p == '"'  ? "&quot;"
				     : *p == '\'' ? "&#39;"
						  : NULL;

		if (entity)
			buf_adds(ret, entity);
		else
			buf_addc(ret, *p);
	}
}

void html_add(struct buf *ret, const char *text)
{
	_cleanup_free_ char *s = safe_text(xstrdup(text ? text : ""), false);

	add_escaped(ret, s);
}

static void add_element(struct buf *ret, const char *open, const char *text,
			const char *close)
{
	buf_adds(ret, open);
	html_add(ret, text);
	buf_adds(ret, close);
}

static void add_row(const struct page_block *b, size_t row, struct buf *ret)
{
	const char *tag = row ? "td" : "th";

	buf_adds(ret, "<tr>");
	for (size_t k = 0; b->align[k]; k++) {
		buf_addf(ret, "<%s%s>", tag, b->align[k] == 'r' ? " class=\"n\"" : "");
		html_add(ret, b->cells.v[row + k]);
		buf_addf(ret, "</%s>", tag);
	}
	buf_adds(ret, "</tr>\n");
}

static void add_table(const struct page_block *b, struct buf *ret)
{
	size_t nr = strlen(b->align);

	buf_adds(ret, "<div class=\"wide\"><table>\n");
	for (size_t row = 0; row + nr <= b->cells.nr; row += nr)
		add_row(b, row, ret);
	buf_adds(ret, "</table></div>\n");
}

static void add_lines(const char *text, struct buf *ret)
{
	_cleanup_free_ char *s = safe_text(xstrdup(text), true);

	buf_adds(ret, "<pre>");
	add_escaped(ret, s);
	buf_adds(ret, "</pre>\n");
}

static void add_plot(const struct page_block *b, struct buf *ret)
{
	add_element(ret, "<figure><figcaption>", b->text, "</figcaption>\n");
	if (b->drawing)
		buf_addf(ret, "<div class=\"wide\">%s</div>\n", b->drawing);
	else
		add_element(ret, "<p class=\"warn\">No plot: ",
			    b->failure ? b->failure : "it was not drawn", "</p>\n");
	buf_adds(ret, "</figure>\n");
}

static void add_block(const struct page_block *b, struct buf *ret)
{
	switch (b->kind) {
	case PAGE_HEADING:
		add_element(ret, "<h2>", b->text, "</h2>\n");
		break;
	case PAGE_TEXT:
		add_element(ret, "<p>", b->text, "</p>\n");
		break;
	case PAGE_WARNING:
		add_element(ret, "<p class=\"warn\">", b->text, "</p>\n");
		break;
	case PAGE_TABLE:
		add_table(b, ret);
		break;
	case PAGE_LINES:
		add_lines(b->text, ret);
		break;
	case PAGE_PLOT:
		add_plot(b, ret);
		break;
	}
}

void page_to_html(const struct page *p, const char *template, struct buf *ret)
{
	static const char title[] = "@TITLE@", body[] = "@BODY@";

	for (const char *at = template; *at;) {
		if (!strncmp(at, title, sizeof(title) - 1)) {
			html_add(ret, p->title);
			at += sizeof(title) - 1;
		} else if (!strncmp(at, body, sizeof(body) - 1)) {
			for (size_t i = 0; i < p->nr; i++)
				add_block(&p->v[i], ret);
			at += sizeof(body) - 1;
		} else {
			buf_addc(ret, *at++);
		}
	}
}
