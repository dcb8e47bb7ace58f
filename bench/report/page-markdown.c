// SPDX-License-Identifier: GPL-3.0-or-later
/* A page as Markdown with pipe tables. */
#include <string.h>

#include "bench/report/page.h"
#include "core/base/alloc.h"
#include "core/base/safe.h"

/* Text that means itself: whatever Markdown, or the HTML it lets through, would read in
 * it is escaped. A blank keeps "@name" from calling somebody. */
static void add(struct buf *ret, const char *text)
{
	_cleanup_free_ char *s = safe_text(xstrdup(text), false);

	for (const char *p = s; *p; p++) {
		if (*p == '<')
			buf_adds(ret, "&lt;");
		else if (*p == '&')
			buf_adds(ret, "&amp;");
		else if (*p == '@')
			buf_adds(ret, "&#64;");
		else
			buf_addf(ret, strchr("\\`*_{}[]>#|~$", *p) ? "\\%c" : "%c", *p);
	}
}

static void add_row(const struct page_block *b, size_t row, struct buf *ret)
{
	size_t nr = strlen(b->align);

	buf_addc(ret, '|');
	for (size_t k = 0; k < nr; k++) {
		buf_addc(ret, ' ');
		add(ret, b->cells.v[row + k]);
		buf_adds(ret, " |");
	}
	buf_addc(ret, '\n');
}

static void add_table(const struct page_block *b, struct buf *ret)
{
	size_t nr = strlen(b->align);

	for (size_t row = 0; row + nr <= b->cells.nr; row += nr) {
		add_row(b, row, ret);
		if (row)
			continue;
		buf_addc(ret, '|');
		for (size_t k = 0; k < nr; k++)
			buf_adds(ret, b->align[k] == 'r' ? " ---: |" : " --- |");
		buf_addc(ret, '\n');
	}
}

/* Lines indented by four are code, whatever is in them. */
static void add_lines(const char *text, struct buf *ret)
{
	_cleanup_free_ char *copy = safe_text(xstrdup(text), true);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line || rest)
			buf_addf(ret, "    %s\n", line);
}

static void add_line(struct buf *ret, const char *lead, const char *text)
{
	buf_adds(ret, lead);
	add(ret, text);
	buf_addc(ret, '\n');
}

void page_to_markdown(const struct page *p, struct buf *ret)
{
	add_line(ret, "# ", p->title ? p->title : "");
	for (size_t i = 0; i < p->nr; i++) {
		const struct page_block *b = &p->v[i];

		if (b->kind == PAGE_PLOT)
			continue;
		buf_addc(ret, '\n');
		if (b->kind == PAGE_HEADING)
			add_line(ret, "## ", b->text);
		else if (b->kind == PAGE_TABLE)
			add_table(b, ret);
		else if (b->kind == PAGE_LINES)
			add_lines(b->text, ret);
		else
			add_line(ret, b->kind == PAGE_WARNING ? "> **Warning:** " : "",
				 b->text);
	}
}
