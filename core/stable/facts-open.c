// SPDX-License-Identifier: GPL-3.0-or-later
/* Which branches there are to ask. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/base-refs.h"
#include "core/stable/branches.h"
#include "core/stable/facts-internal.h"
#include "core/stable/version.h"

static bool is_wanted(const struct facts_opts *o, const struct base_ref *ref,
		      const char *version, int64_t base_time)
{
	if (version_compare(version, o->version) <= 0)
		return false;
	if (o->active && o->active->nr)
		return strv_has(o->active, version);
	return ref->time >= base_time - BRANCHES_ENDED;
}

/* One branch a version: the one with the newest commit. */
static void add_branch(struct stable_facts *f, const struct base_ref *ref, char *version)
{
	for (size_t i = 0; i < f->nr_newer; i++)
		if (!version_compare(f->newer[i].version, version)) {
			free(version);
			return;
		}
	*array_push(f->newer, f->nr_newer) =
		(struct facts_branch){ xstrdup(ref->name), version, NULL };
}

static int by_version(const void *a, const void *b)
{
	return version_compare(((const struct facts_branch *)a)->version,
			       ((const struct facts_branch *)b)->version);
}

static int list_newer(struct repo *r, const struct facts_opts *o, int64_t base_time,
		      struct stable_facts *f, struct err *e)
{
	struct base_refs refs = { 0 };

	if (base_refs_list(r, "linux-*.y,*/linux-*.y", &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr; i++) {
		char *version = version_in(refs.v[i].name);

		if (version && is_wanted(o, &refs.v[i], version, base_time))
			add_branch(f, &refs.v[i], version);
		else
			free(version);
	}
	base_refs_release(&refs);
	if (f->nr_newer)
		qsort(f->newer, f->nr_newer, sizeof(*f->newer), by_version);
	return 0;
}

static int open_index(struct repo *r, const struct facts_opts *o, const char *rev,
		      struct stable_index *mainline, struct stable_index **ret,
		      struct err *e)
{
	const struct stable_index_opts io = { .rev = rev,
					      .mainline = mainline,
					      .progress = o->progress };

	if (stable_index_open(r, &io, ret, e) < 0)
		return err_wrap(e, "cannot read the history of '%s'", rev);
	return 0;
}

static int open_tree(struct repo *r, const struct facts_opts *o, struct stable_facts *f,
		     struct err *e)
{
	struct commit_info base;
	struct oid oid;
	int rc;

	if (!o->base)
		return 0;
	if (repo_resolve(r, o->base, &oid, e) < 0 || repo_commit(r, &oid, &base, e) < 0)
		return -(int)e->code;
	rc = open_index(r, o, o->base, f->mainline, &f->tree, e);
	if (rc == 0 && o->version)
		rc = list_newer(r, o, base.time, f, e);
	for (size_t i = 0; rc == 0 && i < f->nr_newer; i++)
		rc = open_index(r, o, f->newer[i].name, f->mainline, &f->newer[i].index,
				e);
	commit_info_release(&base);
	return rc;
}

int facts_open(struct repo *r, const struct facts_opts *o, struct stable_facts **ret,
	       struct err *e)
{
	_cleanup_facts_ struct stable_facts *f = xzalloc(sizeof(*f));

	if (mainline_find(r, o->mainline, &f->where, e) < 0)
		return -(int)e->code;
	if (!f->where.rev) {
		*ret = NULL;
		return 0;
	}
	if (open_index(f->where.other ? f->where.other : r, o, f->where.rev, NULL,
		       &f->mainline, e) < 0 ||
	    open_tree(r, o, f, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(f);
	return 0;
}
