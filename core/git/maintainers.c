// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/maintainers.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define MAX_LINES 100000

/* What a hostile file may cost: patterns times paths. */
#define MAX_MATCHES 20000000
#define MAX_PATTERN 256

/* A lone star, with or without a slash: the section that takes what no other does. */
#define REST 2

struct section {
	char *name;
	struct strv patterns, excluded, trees;
};

struct reader {
	const struct strv *paths;
	struct section s;
	struct maintainers_trees *ret;
	size_t budget;
};

static void section_clear(struct section *s)
{
	free(s->name);
	strv_release(&s->patterns);
	strv_release(&s->excluded);
	strv_release(&s->trees);
	*s = (struct section){ 0 };
}

void maintainers_release(struct maintainers_trees *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		free(t->v[i].section);
		free(t->v[i].url);
		free(t->v[i].branch);
	}
	free(t->v);
	*t = (struct maintainers_trees){ 0 };
}

/*
 * get_maintainer.pl: a pattern with a slash at its end covers all below that folder, one
 * without covers the file or the folder of that name; '*' stays within a component.
 */
static bool covers(struct reader *rd, const char *pattern, const char *path)
{
	size_t n = strlen(pattern), depth = 0;
	const char *end = path;

	if (!n || n > MAX_PATTERN || !rd->budget)
		return false;
	rd->budget--;
	if (!strpbrk(pattern, "*?[\\"))
		return !strncmp(path, pattern, n) &&
		       (pattern[n - 1] == '/' || !path[n] || path[n] == '/');
	for (size_t i = 0; i < n; i++)
		depth += pattern[i] == '/';
	/* Of the path as many components as the pattern has, when that ends in '/'. */
	if (pattern[n - 1] == '/') {
		for (; depth && end; depth--) {
			end = strchr(end, '/');
			end = end ? end + 1 : NULL;
		}
		if (!end)
			return false;
		_cleanup_free_ char *head = xstrndup(path, (size_t)(end - path));

		return !fnmatch(pattern, head, FNM_PATHNAME);
	}
	return !fnmatch(pattern, path, FNM_PATHNAME);
}

/* Length of the longest pattern of the list that covers the path, 0 for none. */
static size_t longest(struct reader *rd, const struct strv *patterns, const char *path)
{
	size_t best = 0;

	for (size_t i = 0; i < patterns->nr; i++) {
		size_t n = strlen(patterns->v[i]);

		if (n > best && covers(rd, patterns->v[i], path))
			best = n;
	}
	return best;
}

/* "git git://host/path [branch]"; other systems than git are of no use here. */
static bool parse_tree(const char *text, struct maintainers_tree *ret)
{
	const char *p = text, *end;

	if (strncmp(p, "git", 3) || !isblank((unsigned char)p[3]))
		return false;
	p += 3 + strspn(p + 3, " \t");
	end = p + strcspn(p, " \t");
	if (end == p)
		return false;
	ret->url = xstrndup(p, (size_t)(end - p));
	p = end + strspn(end, " \t");
	end = p + strcspn(p, " \t");
	ret->branch = end > p ? xstrndup(p, (size_t)(end - p)) : NULL;
	return true;
}

static void end_section(struct reader *rd)
{
	size_t files = 0, specificity = 0;

	for (size_t i = 0; rd->s.trees.nr && i < rd->paths->nr; i++) {
		size_t n = longest(rd, &rd->s.patterns, rd->paths->v[i]);

		if (!n || longest(rd, &rd->s.excluded, rd->paths->v[i]))
			continue;
		files++;
		specificity = n > specificity ? n : specificity;
	}
	for (size_t i = 0; files && i < rd->s.trees.nr; i++) {
		struct maintainers_tree t = { .files = files,
					      .specificity = specificity };

		if (!parse_tree(rd->s.trees.v[i], &t))
			continue;
		t.section = xstrdup(rd->s.name ? rd->s.name : "");
		*array_push(rd->ret->v, rd->ret->nr) = t;
	}
	section_clear(&rd->s);
}

static void read_line(struct reader *rd, const char *p, size_t n)
{
	struct strv *list;
	const char *end = p + n;

	if (n && (unsigned char)end[-1] == '\r')
		end--;
	if (n < 3 || p[1] != ':' || !isupper((unsigned char)p[0])) {
		if (n && !isblank((unsigned char)*p)) {
			end_section(rd);
			rd->s.name = xstrndup(p, (size_t)(end - p));
		}
		return;
	}
	list = p[0] == 'F'   ? &rd->s.patterns
	       : p[0] == 'X' ? &rd->s.excluded
	       : p[0] == 'T' ? &rd->s.trees
			     : NULL;
	for (p += 2; p < end && isblank((unsigned char)*p); p++)
		;
	if (list && p < end)
		strv_take(list, xstrndup(p, (size_t)(end - p)));
}

static int best_first(const void *va, const void *vb)
{
	const struct maintainers_tree *a = va, *b = vb;
	bool rest_a = a->specificity <= REST, rest_b = b->specificity <= REST;

	if (rest_a != rest_b)
		return rest_a ? 1 : -1;
	if (a->files != b->files)
		return a->files > b->files ? -1 : 1;
	if (a->specificity != b->specificity)
		return a->specificity > b->specificity ? -1 : 1;
	return strcmp(a->section, b->section);
}

void maintainers_find(const struct buf *text, const struct strv *paths,
		      struct maintainers_trees *ret)
{
	struct reader rd = { .paths = paths, .ret = ret, .budget = MAX_MATCHES };
	const char *p = buf_str(text), *end = p + text->len;

	*ret = (struct maintainers_trees){ 0 };
	for (size_t i = 0; p < end && i < MAX_LINES; i++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);

		read_line(&rd, p, n);
		p += n + 1;
	}
	end_section(&rd);
	section_clear(&rd.s);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), best_first);
}
