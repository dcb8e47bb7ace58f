// SPDX-License-Identifier: GPL-3.0-or-later
/* A page as plain text for a reply on the list. */
#include <stdlib.h>
#include <string.h>

#include "bench/report/grid.h"
#include "bench/report/page.h"
#include "core/base/alloc.h"
#include "core/base/safe.h"

enum { COLUMNS = 72, HANGING = 48 };

void text_wrap(const char *text, unsigned int columns, const char *indent,
	       struct buf *ret)
{
	size_t at = 0, lead = strlen(indent);

	while (*(text += strspn(text, " \n"))) {
		size_t len = strcspn(text, " \n");

		if (at && at + 1 + len > columns) {
			buf_addc(ret, '\n');
			at = 0;
		}
		buf_adds(ret, at ? " " : indent);
		at += at ? 1 : lead;
		buf_add(ret, text, len);
		at += len;
		text += len;
	}
	buf_addc(ret, '\n');
}

static void add_paragraph(const struct page_block *b, struct buf *ret)
{
	_cleanup_free_ char *text = safe_text(
		xasprintf("%s%s", b->kind == PAGE_WARNING ? "Warning: " : "", b->text),
		true);

	text_wrap(text, COLUMNS, "", ret);
}

static void add_underlined(const char *text, char line, struct buf *ret)
{
	_cleanup_free_ char *s = safe_text(xstrdup(text), false);

	buf_addf(ret, "%s\n", s);
	for (size_t i = 0; i < strlen(s) && i < COLUMNS; i++)
		buf_addc(ret, line);
	buf_addc(ret, '\n');
}

static void add_lines(const char *text, struct buf *ret)
{
	_cleanup_free_ char *copy = safe_text(xstrdup(text), true);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line || rest)
			buf_addf(ret, "  %s\n", line);
}

/* What is right-aligned gets its blanks here: the grids align to the left. */
static char *cell_of(const struct page_block *b, size_t i, size_t width)
{
	size_t nr = strlen(b->align);
	char *s = safe_text(xstrdup(b->cells.v[i]), false);
	char *padded;

	if (b->align[i % nr] != 'r' || strlen(s) >= width)
		return s;
	padded = xasprintf("%*s", (int)width, s);
	free(s);
	return padded;
}

static size_t width_of(const struct strv *cells, size_t nr, size_t col)
{
	size_t max = 0;

	for (size_t i = col; i < cells->nr; i += nr)
		max = strlen(cells->v[i]) > max ? strlen(cells->v[i]) : max;
	return max;
}

static size_t total_width(const struct page_block *b)
{
	size_t nr = strlen(b->align), sum = b->ruled ? 3 * nr + 1 : 2 * (nr - 1);

	for (size_t k = 0; k < nr; k++)
		sum += width_of(&b->cells, nr, k);
	return sum;
}

/* Where the last column begins. */
static size_t last_column(const struct page_block *b)
{
	size_t nr = strlen(b->align);

	return total_width(b) - width_of(&b->cells, nr, nr - 1);
}

/* A table whose last column alone is too wide: that one is wrapped. */
static void add_hanging(const struct page_block *b, struct buf *ret)
{
	size_t nr = strlen(b->align), at = last_column(b);
	_cleanup_free_ char *indent = xasprintf("%*s", (int)at, "");

	for (size_t row = 0; row + nr <= b->cells.nr; row += nr) {
		_cleanup_free_ char *last = cell_of(b, row + nr - 1, 0);
		_cleanup_buf_ struct buf text = BUF_INIT;
		const char *rest;

		for (size_t k = 0; k + 1 < nr; k++) {
			size_t width = width_of(&b->cells, nr, k);
			_cleanup_free_ char *s = cell_of(b, row + k, width);

			buf_addf(ret, "%-*s  ", (int)width, s);
		}
		text_wrap(last, COLUMNS, indent, &text);
		rest = buf_str(&text);
		buf_adds(ret, text.len > at ? rest + at : rest);
	}
}

/* A table that is too wide: each row under its first cell. */
static void add_stanzas(const struct page_block *b, struct buf *ret)
{
	size_t nr = strlen(b->align);

	for (size_t row = nr; row + nr <= b->cells.nr; row += nr) {
		for (size_t k = 0; k < nr; k++) {
			_cleanup_free_ char *s = cell_of(b, row + k, 0);
			_cleanup_free_ char *name = cell_of(b, k, 0);
			_cleanup_free_ char *text = k ? xasprintf("%s: %s", name, s)
						      : xstrdup(s);

			if (k == 0 || *s)
				text_wrap(text, COLUMNS, k ? "    " : "  ", ret);
		}
	}
}

static void add_table(const struct page_block *b, struct buf *ret)
{
	_cleanup_strv_ struct strv cells = STRV_INIT;
	size_t nr = strlen(b->align);

	if (total_width(b) > COLUMNS) {
		(last_column(b) <= HANGING && nr > 1 ? add_hanging : add_stanzas)(b, ret);
		return;
	}
	for (size_t i = 0; i < b->cells.nr; i++)
		strv_take(&cells, cell_of(b, i, width_of(&b->cells, nr, i % nr)));
	(b->ruled ? grid_ruled : grid_bare)(&cells, nr, ret);
}

void page_to_text(const struct page *p, struct buf *ret)
{
	bool tight = true;

	add_underlined(p->title ? p->title : "", '=', ret);
	buf_addc(ret, '\n');
	for (size_t i = 0; i < p->nr; i++) {
		const struct page_block *b = &p->v[i];

		if (b->kind == PAGE_PLOT)
			continue;
		if (!tight)
			buf_addc(ret, '\n');
		tight = b->kind == PAGE_HEADING;
		if (b->kind == PAGE_HEADING)
			add_underlined(b->text, '-', ret);
		else if (b->kind == PAGE_TABLE)
			add_table(b, ret);
		else if (b->kind == PAGE_LINES)
			add_lines(b->text, ret);
		else
			add_paragraph(b, ret);
	}
}
