// SPDX-License-Identifier: GPL-3.0-or-later
/* The points of a space that touch given paths. */
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/space.h"
#include "core/base/alloc.h"
#include "core/git/touched.h"

/* A commit with more paths than this is kept, whatever they are. */
#define MAX_PATHS 65536

/* What a point that is left out passes on to its children: the kept ones below it. */
struct below {
	size_t *v, nr;
};

struct limit {
	const struct space *from;
	bool *kept;
	struct below *below; /* in numbers of the new space */
};

static void limit_release(struct limit *l)
{
	for (size_t i = 0; l->below && i < l->from->nr; i++)
		free(l->below[i].v);
	free(l->below);
	free(l->kept);
}

/* "kernel/" and "kernel" are the same folder. */
static bool is_in(const char *path, const char *limit)
{
	size_t n = strlen(limit);

	while (n && limit[n - 1] == '/')
		n--;
	return !n || (!strncmp(path, limit, n) && (!path[n] || path[n] == '/'));
}

static bool any_in(const struct strv *paths, const struct strv *limits)
{
	for (size_t i = 0; i < paths->nr; i++)
		for (size_t k = 0; k < limits->nr; k++)
			if (is_in(paths->v[i], limits->v[k]))
				return true;
	return paths->nr == MAX_PATHS;
}

static int choose(struct repo *r, struct limit *l, const struct strv *limits,
		  struct err *e)
{
	for (size_t i = 1; i + 1 < l->from->nr; i++) {
		_cleanup_strv_ struct strv paths = STRV_INIT;

		if (repo_touched(r, &l->from->v[i].commit, MAX_PATHS, &paths, e) < 0)
			return -(int)e->code;
		l->kept[i] = any_in(&paths, limits);
	}
	l->kept[0] = l->kept[l->from->nr - 1] = true;
	return 0;
}

static void add_below(struct below *b, const struct below *more)
{
	for (size_t i = 0; i < more->nr; i++) {
		size_t k = 0;

		while (k < b->nr && b->v[k] != more->v[i])
			k++;
		if (k == b->nr)
			*array_push(b->v, b->nr) = more->v[i];
	}
}

/* All kept points that i's parents are or pass on. */
static void parents_below(const struct limit *l, size_t i, struct below *ret)
{
	const struct space *s = l->from;

	for (size_t k = s->parent_start[i]; k < s->parent_start[i + 1]; k++)
		add_below(ret, &l->below[s->parents[k]]);
}

static void rewrite(struct limit *l, struct space *to)
{
	size_t nr_parents = 0, nr = 0;

	l->below = xcalloc(l->from->nr, sizeof(*l->below));
	to->parent_start = xcalloc(to->nr + 1, sizeof(*to->parent_start));
	for (size_t i = 0; i < l->from->nr; i++) {
		struct below parents = { 0 };

		parents_below(l, i, &parents);
		if (!l->kept[i]) {
			l->below[i] = parents;
			continue;
		}
		for (size_t k = 0; k < parents.nr; k++)
			*array_push(to->parents, nr_parents) = parents.v[k];
		free(parents.v);
		*array_push(l->below[i].v, l->below[i].nr) = nr++;
		to->parent_start[nr] = nr_parents;
	}
}

int space_limit(struct repo *r, struct space *s, const struct strv *paths, struct err *e)
{
	_cleanup_(limit_release) struct limit l = { .from = s };
	struct space to = { 0 };
	size_t nr = 0;

	l.kept = xcalloc(s->nr, sizeof(*l.kept));
	if (choose(r, &l, paths, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < s->nr; i++)
		to.nr += l.kept[i];
	if (to.nr == 2 && s->nr > 2) {
		err_set(e, ERR_USAGE, "no commit between the ends touches '%s'",
			paths->v[0]);
		return err_hint(e, "paths are relative to the root of the tree");
	}
	if (s->parent_start)
		rewrite(&l, &to);
	to.v = xcalloc(to.nr, sizeof(*to.v));
	for (size_t i = 0; i < s->nr; i++)
		if (l.kept[i]) {
			to.v[nr++] = s->v[i];
			s->v[i] = (struct point){ 0 };
		}
	limit_release(&l);
	l = (struct limit){ .from = s };
	space_release(s);
	*s = to;
	return 0;
}
