// SPDX-License-Identifier: GPL-3.0-or-later
/* The file that orders the patches. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/quilt.h"
#include "mail/text.h"

#define MOST_PATCHES 10000

void quilt_list_release(struct quilt_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].name);
	free(l->v);
	*l = (struct quilt_list){ 0 };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The next word of the line, without what a comment hides. */
static bool next_word(const char **at, const char *end, char **ret)
{
	const char *p = *at, *start;

	while (p < end && is_blank(*p))
		p++;
	start = p;
	if (p == end || *p == '#')
		return false;
	while (p < end && !is_blank(*p))
		p++;
	*ret = xstrndup(start, (size_t)(p - start));
	*at = p;
	return true;
}

static bool stays_inside(const char *name)
{
	const char *p = name;

	if (*p == '/' || !*p)
		return false;
	while (p) {
		if (!strncmp(p, "..", 2) && (!p[2] || p[2] == '/'))
			return false;
		p = strchr(p, '/');
		p += p ? 1 : 0;
	}
	return true;
}

static int bad_option(const char *word, const struct quilt_entry *q, struct err *e)
{
	err_set(e, ERR_BAD_PATCH, "series line %lu: '%s' is no option of a patch",
		q->line, word);
	return err_hint(e, "quilt knows -pN, -p ab and -R");
}

/* "-p1", "-p 1", "-p ab" (the same as 1 to a reader of names), "-R". */
static int read_option(char *word, const char **at, const char *end,
		       struct quilt_entry *q, struct err *e)
{
	_cleanup_free_ char *value = NULL;

	if (!strcmp(word, "-R")) {
		q->reverse = true;
		return 0;
	}
	if (strncmp(word, "-p", 2))
		return bad_option(word, q, e);
	if (word[2])
		value = xstrdup(word + 2);
	else if (!next_word(at, end, &value))
		return bad_option(word, q, e);
	if (strcmp(value, "ab") && !parse_int(value, 0, 100, &q->strip))
		return bad_option(word, q, e);
	return 0;
}

static int read_entry(const struct line *l, struct quilt_entry *q, struct err *e)
{
	const char *at = l->p, *end = l->p + l->len;
	int r = 0;

	if (!next_word(&at, end, &q->name))
		return 0;
	if (!stays_inside(q->name))
		return err_set(e, ERR_BAD_PATCH,
			       "series line %lu: '%s' is no name inside the folder",
			       q->line, q->name);
	for (char *word; r == 0 && next_word(&at, end, &word); free(word))
		r = read_option(word, &at, end, q, e);
	return r < 0 ? r : 1;
}

static int by_name(const void *va, const void *vb)
{
	const struct quilt_entry *a = *(const struct quilt_entry *const *)va;
	const struct quilt_entry *b = *(const struct quilt_entry *const *)vb;

	return strcmp(a->name, b->name);
}

static int check_twice(const struct quilt_list *l, struct err *e)
{
	_cleanup_free_ const struct quilt_entry **v = xcalloc(l->nr + 1, sizeof(*v));

	for (size_t i = 0; i < l->nr; i++)
		v[i] = &l->v[i];
	qsort(v, l->nr, sizeof(*v), by_name);
	for (size_t i = 1; i < l->nr; i++)
		if (!strcmp(v[i - 1]->name, v[i]->name))
			return err_set(e, ERR_BAD_PATCH, "the series names '%s' twice",
				       v[i]->name);
	return 0;
}

int quilt_list_read(const struct buf *text, struct quilt_list *ret, struct err *e)
{
	_cleanup_quilt_list_ struct quilt_list list = { 0 };
	const char *at = buf_str(text), *end = at + text->len;
	unsigned long nr = 0;
	struct line l;

	while (line_next(&at, end, &l)) {
		struct quilt_entry q = { .strip = 1, .line = ++nr };
		int r = read_entry(&l, &q, e);

		if (r == 1 && list.nr < MOST_PATCHES) {
			*array_push(list.v, list.nr) = q;
			continue;
		}
		free(q.name);
		if (r < 0)
			return r;
		if (r == 1)
			return err_set(e, ERR_TOO_BIG, "more than %d patches",
				       MOST_PATCHES);
	}
	if (check_twice(&list, e) < 0)
		return -(int)e->code;
	*ret = list;
	list = (struct quilt_list){ 0 };
	return 0;
}
