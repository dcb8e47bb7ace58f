// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/report/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static struct page_block *block(struct page *p, enum page_kind kind, char *text)
{
	struct page_block *b = array_push(p->v, p->nr);

	*b = (struct page_block){ .kind = kind, .text = text };
	return b;
}

#define FORMATTED(fmt)                        \
	({                                    \
		va_list ap_;                  \
		char *text_;                  \
		va_start(ap_, fmt);           \
		text_ = xvasprintf(fmt, ap_); \
		va_end(ap_);                  \
		text_;                        \
	})

void page_title(struct page *p, const char *fmt, ...)
{
	free(p->title);
	p->title = FORMATTED(fmt);
}

void page_text(struct page *p, const char *fmt, ...)
{
	block(p, PAGE_TEXT, FORMATTED(fmt));
}

void page_warning(struct page *p, const char *fmt, ...)
{
	block(p, PAGE_WARNING, FORMATTED(fmt));
}

void page_heading(struct page *p, const char *text)
{
	block(p, PAGE_HEADING, xstrdup(text));
}

void page_lines(struct page *p, const char *text)
{
	block(p, PAGE_LINES, xstrdup(text));
}

struct strv *page_table(struct page *p, const char *align)
{
	struct page_block *b = block(p, PAGE_TABLE, NULL);

	b->align = xstrdup(align);
	return &b->cells;
}

struct strv *page_table_ruled(struct page *p, const char *align)
{
	struct strv *cells = page_table(p, align);

	p->v[p->nr - 1].ruled = true;
	return cells;
}

struct page_block *page_plot(struct page *p, const char *script, const char *title)
{
	struct page_block *b = block(p, PAGE_PLOT, xstrdup(title));

	b->script = xstrdup(script);
	return b;
}

void page_plot_label(struct buf *data, const char *s)
{
	buf_addc(data, '"');
	for (; *s; s++)
		buf_addc(data, isalnum((unsigned char)*s) || strchr(" _-./+:,%()", *s)
				       ? *s
				       : '?');
	buf_addc(data, '"');
}

void page_release(struct page *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct page_block *b = &p->v[i];

		free(b->text);
		free(b->align);
		free(b->script);
		free(b->drawing);
		free(b->failure);
		strv_release(&b->cells);
		strv_release(&b->args);
		buf_release(&b->data);
	}
	free(p->v);
	free(p->title);
	*p = (struct page){ 0 };
}
