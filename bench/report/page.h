// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A report as blocks, before it is text, Markdown or HTML. Who fills it needs to know
 * nothing of the form, and every form makes foreign text harmless in its own way: all
 * strings here may hold any bytes.
 */
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/strv.h"

enum page_kind {
	PAGE_HEADING,
	PAGE_TEXT,    /* a paragraph, wrapped as the form likes */
	PAGE_WARNING, /* one that must not be overlooked */
	PAGE_TABLE,   /* first row: the heading */
	PAGE_LINES,   /* as they are: command lines, environments */
	PAGE_PLOT,    /* HTML only; others say nothing of it */
};

struct page_block {
	enum page_kind kind;
	char *text;	   /* all but tables; of a plot its title */
	struct strv cells; /* row-major */
	char *align;	   /* of a table: 'l' or 'r' a column */
	bool ruled;	   /* with rules around, as commit messages have them */
	char *script;	   /* of a plot: "samples.gp" */
	struct strv args;  /* behind the name of the data file */
	struct buf data;
	char *drawing; /* SVG, once drawn */
	char *failure; /* why it could not be drawn */
};

struct page {
	char *title;
	struct page_block *v;
	size_t nr;
};

void page_title(struct page *p, const char *fmt, ...) _printf_(2, 3);
void page_heading(struct page *p, const char *text);
void page_text(struct page *p, const char *fmt, ...) _printf_(2, 3);
void page_warning(struct page *p, const char *fmt, ...) _printf_(2, 3);

/* Append lines; text ends with a newline. */
void page_lines(struct page *p, const char *text);

/* A table to whose cells the caller appends, heading first; borrowed until the next
 * block. */
struct strv *page_table(struct page *p, const char *align);
struct strv *page_table_ruled(struct page *p, const char *align);

/* A plot whose data and further arguments the caller appends; borrowed likewise. */
struct page_block *page_plot(struct page *p, const char *script, const char *title);

/* Append s as a quoted label of plot data: what is not plain becomes '?'. */
void page_plot_label(struct buf *data, const char *s);

/* Plain text of at most 72 columns where words and cells allow it. */
void page_to_text(const struct page *p, struct buf *ret);
void page_to_markdown(const struct page *p, struct buf *ret);

/*
 * The whole document: template's @TITLE@ and @BODY@ replaced. One file that has no script
 * and loads nothing; plots are in it, or the reason why one is missing.
 */
void page_to_html(const struct page *p, const char *template, struct buf *ret);

/* Append text as HTML and XML take it; controls become '?'. NULL is "". */
void html_add(struct buf *ret, const char *text);

/* Paragraphs of one string wrapped to columns, each line led by indent. */
void text_wrap(const char *text, unsigned int columns, const char *indent,
	       struct buf *ret);

void page_release(struct page *p);
#define _cleanup_page_ _cleanup_(page_release)
