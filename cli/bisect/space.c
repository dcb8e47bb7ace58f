// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/space.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/apply.h"

/* Where a commit stands in the space, for look-up by id. */
struct place {
	struct oid oid;
	size_t at;
};

static int by_oid(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return strcmp(x->oid.hex, y->oid.hex);
}

static struct place *places_sorted(const struct space *s)
{
	struct place *v = xcalloc(s->nr, sizeof(*v));

	for (size_t i = 0; i < s->nr; i++)
		v[i] = (struct place){ s->v[i].commit, i };
	qsort(v, s->nr, sizeof(*v), by_oid);
	return v;
}

/* Parents outside the space forked before the good end; the engine takes them for old. */
static void add_parents(struct space *s, const struct place *places,
			const struct commit_info *info, size_t *nr)
{
	for (size_t k = 0; k < info->nr_parents; k++) {
		const struct place key = { .oid = info->parents[k] };
		const struct place *found =
			bsearch(&key, places, s->nr, sizeof(key), by_oid);
		size_t *slot;

		if (!found)
			continue;
		slot = array_push(s->parents, *nr);
		*slot = found->at;
	}
}

static int fill(struct repo *r, struct space *s, bool chain, struct err *e)
{
	_cleanup_free_ struct place *places = chain ? NULL : places_sorted(s);
	size_t nr_parents = 0;

	if (!chain)
		s->parent_start = xcalloc(s->nr + 1, sizeof(*s->parent_start));
	for (size_t i = 0; i < s->nr; i++) {
		struct commit_info info = { 0 };

		if (repo_commit(r, &s->v[i].commit, &info, e) < 0)
			return -(int)e->code;
		s->v[i].subject = take_ptr(info.subject);
		if (!chain && i)
			add_parents(s, places, &info, &nr_parents);
		if (!chain)
			s->parent_start[i + 1] = nr_parents;
		commit_info_release(&info);
	}
	return 0;
}

static int take(struct repo *r, const struct oid *commits, size_t nr, bool chain,
		struct space *ret, struct err *e)
{
	struct space s = { .v = xcalloc(nr, sizeof(*s.v)), .nr = nr };

	for (size_t i = 0; i < nr; i++)
		s.v[i].commit = commits[i];
	if (fill(r, &s, chain, e) < 0) {
		space_release(&s);
		return -(int)e->code;
	}
	*ret = s;
	return 0;
}

int space_chain(struct repo *r, const struct oid *commits, size_t nr, struct space *ret,
		struct err *e)
{
	return take(r, commits, nr, true, ret, e);
}

int space_range(struct repo *r, const struct oid *good, const struct oid *bad,
		bool first_parent, struct space *ret, struct err *e)
{
	_cleanup_free_ struct oid *range = NULL, *all = NULL;
	size_t nr;

	if (repo_range(r, good, bad, first_parent, &range, &nr, e) < 0)
		return -(int)e->code;
	if (!nr) {
		err_set(e, ERR_USAGE, "no commits between %.12s and %.12s", good->hex,
			bad->hex);
		return err_hint(e, "the good end comes first and must be an ancestor of "
				   "the bad one");
	}
	all = xcalloc(nr + 1, sizeof(*all));
	all[0] = *good;
	memcpy(all + 1, range, nr * sizeof(*all));
	return take(r, all, nr + 1, first_parent, ret, e);
}

int space_applied(struct repo *r, const struct apply_result *a, struct space *ret,
		  struct err *e)
{
	_cleanup_free_ struct oid *commits = xcalloc(a->nr + 1, sizeof(*commits));

	commits[0] = a->base;
	for (size_t i = 0; i < a->nr; i++)
		commits[i + 1] = a->commits[i].oid;
	return space_chain(r, commits, a->nr + 1, ret, e);
}

struct bisect_history space_history(const struct space *s, bool first_parent)
{
	return (struct bisect_history){
		.nr = s->nr,
		.parent_start = s->parent_start,
		.parents = s->parents,
		.weight = s->weight,
		.first_parent = first_parent && s->parents,
	};
}

void space_release(struct space *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		free(s->v[i].subject);
		free(s->v[i].overlay);
	}
	free(s->v);
	free(s->parent_start);
	free(s->parents);
	free(s->weight);
	*s = (struct space){ 0 };
}
