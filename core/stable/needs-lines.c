// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines a patch expects around its changes and that the tree does not have: which commits
 * of mainline brought them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/stable/check-internal.h"

#define MAX_WANTED 100 /* lines of one file */
#define MIN_LETTERS 6  /* lines with fewer say nothing: "}", "else {" */

/* Lines of one file. */
struct wanted {
	char *path;
	struct strv lines;
};

static bool is_telling(const char *p, size_t n)
{
	size_t letters = 0;

	for (size_t i = 0; i < n; i++)
		letters += isalnum((unsigned char)p[i]) != 0;
	return letters >= MIN_LETTERS;
}

/* Whether the text has this line. */
static bool has_line(const struct buf *text, const char *line)
{
	const char *p = buf_str(text), *end = p + text->len;
	size_t n = strlen(line);

	while (p < end && (p = memmem(p, (size_t)(end - p), line, n))) {
		if ((p == buf_str(text) || p[-1] == '\n') &&
		    (p + n == end || p[n] == '\n'))
			return true;
		p++;
	}
	return false;
}

/* The path of a "--- a/PATH" line, or of a "## PATH ##" one of range-diff. Owned. */
static char *path_of(const char *p, size_t n)
{
	if (n > 6 && !strncmp(p, "--- a/", 6))
		return xstrndup(p + 6, strcspn(p + 6, "\t\n"));
	if (n > 8 && !strncmp(p, " ## ", 4) && !strncmp(p + n - 3, " ##", 3)) {
		const char *q = p + 4, *paren = memmem(q, n - 7, " (", 2);

		return xstrndup(q, paren ? (size_t)(paren - q) : n - 7);
	}
	return NULL;
}

/* Whether the two lines of a file's head follow: then "--- a/x" is no removed line. */
static bool starts_file(const char *p)
{
	const char *next = strchr(p, '\n');

	return !strncmp(p, " ## ", 4) || (next && !strncmp(next + 1, "+++ ", 4));
}

/* The first lines the commit was written against that are not in the tree's file. */
static int missing_lines(struct checker *c, size_t i, const char *text,
			 struct wanted **ret, size_t *ret_nr, struct err *e)
{
	_cleanup_buf_ struct buf file = BUF_INIT;
	struct wanted *w = NULL;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n");
		char *path = starts_file(p) ? path_of(p, n) : NULL;

		if (path) {
			w = array_push(*ret, *ret_nr);
			*w = (struct wanted){ .path = path };
			buf_clear(&file);
			if (check_read_file(c, &c->v[i].before, path, &file, e) < 0)
				return -(int)e->code;
		} else if (w && (*p == ' ' || *p == '-') && is_telling(p + 1, n - 1) &&
			   w->lines.nr < MAX_WANTED) {
			_cleanup_free_ char *line = xstrndup(p + 1, n - 1);

			if (!has_line(&file, line) && !strv_has(&w->lines, line))
				strv_add(&w->lines, line);
		}
		p += n + (p[n] == '\n');
	}
	return 0;
}

static bool brings_line(void *ctx, const struct buf *before, const struct buf *after)
{
	return has_line(after, ctx) && !has_line(before, ctx);
}

static int blame_lines(struct checker *c, size_t i, const struct wanted *w, struct err *e)
{
	for (size_t k = 0; k < w->lines.nr && c->v[i].nr_needs < 3; k++) {
		const struct blame b = { brings_line, w->lines.v[k] };
		const struct facts_commit *found = NULL;
		int r = blame_find(c, i, w->path, &b, &found, e);

		if (r > 0)
			r = need_add(c, i, found,
				     xasprintf("brought a line of %s it was written "
					       "against",
					       w->path),
				     e);
		if (r < 0)
			return r;
	}
	return 0;
}

int needs_of_lines(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	const char *text = p->upstream_text;
	struct wanted *v = NULL;
	size_t nr = 0;
	int r;

	if (!text && p->failure && !p->patch->damage)
		text = buf_str(&p->patch->diff);
	if (!text)
		return 0;
	r = missing_lines(c, i, text, &v, &nr, e);
	for (size_t k = 0; k < nr; k++) {
		if (r == 0)
			r = blame_lines(c, i, &v[k], e);
		free(v[k].path);
		strv_release(&v[k].lines);
	}
	free(v);
	return r;
}
