// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/queue-list.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/queue-files.h"
#include "mail/text.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct quilt_entry *)a)->name,
		      ((const struct quilt_entry *)b)->name);
}

static void forget(void *entry)
{
	(void)entry;
}

/* At most one entry, of a line on its own. */
static bool read_one(const struct line *l, unsigned long nr, struct quilt_entry *ret,
		     struct queue *q)
{
	_cleanup_quilt_list_ struct quilt_list one = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&text, l->p, l->len);
	if (quilt_list_read(&text, &one, &e) < 0) {
		const char *why = strstr(e.frame[0], ": ");

		if (q)
			queue_add_flaw(q, NULL, "series line %lu: %s", nr,
				       why ? why + 2 : e.frame[0]);
		return false;
	}
	if (!one.nr)
		return false;
	*ret = one.v[0];
	one.v[0].name = NULL;
	ret->line = nr;
	return true;
}

static size_t count_lines(const struct buf *text)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;
	size_t nr = 0;

	while (nr < QUEUE_MAX_FILES && line_next(&at, end, &l))
		nr++;
	return nr;
}

/* The first entry of each name, sorted by name while reading, in order at the end. */
void queue_list_read(const struct buf *text, struct quilt_list *ret, struct queue *q)
{
	const char *at = buf_str(text), *end = at + text->len;
	size_t room = count_lines(text);
	/* Never moved: the tree of names points into it. */
	struct quilt_entry *v = xcalloc(room + 1, sizeof(*v));
	size_t count = 0;
	unsigned long nr = 0;
	void *seen = NULL;
	struct line l;

	while (count < room && line_next(&at, end, &l)) {
		struct quilt_entry *e = &v[count], **there;

		if (!read_one(&l, ++nr, e, q))
			continue;
		there = tfind(e, &seen, by_name);
		if (there) {
			if (q)
				queue_add_flaw(q, e->name,
					       "the series names it in line %lu and "
					       "again in line %lu: take one out",
					       (*there)->line, nr);
			free(e->name);
			continue;
		}
		xtsearch(e, &seen, by_name);
		count++;
	}
	tdestroy(seen, forget);
	ret->v = v;
	ret->nr = count;
}
