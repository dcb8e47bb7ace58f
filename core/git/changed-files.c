// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/changed-files.h"

#include <git2.h>

#include "core/git/tree-diff.h"

struct visit {
	const struct changed_files *o;
	struct err *e;
	bool stopped;
};

static int found(void *ctx, const struct tree_delta *d)
{
	struct visit *v = ctx;
	struct oid blob;

	if (!d->to)
		return 0;
	blob = oid_from_git(d->to);
	v->stopped = v->o->file(v->o->ctx, d->path, &blob, v->e) < 0;
	return v->stopped;
}

int changed_files(struct repo *r, const struct oid *from, const struct oid *to,
		  const struct changed_files *o, struct err *e)
{
	struct visit v = { .o = o, .e = e };
	const struct tree_diff_opts opts = { .paths = true, .found = found, .ctx = &v };
	git_oid a, b;

	if ((from && !oid_to_git(from, &a)) || !oid_to_git(to, &b))
		return err_set(e, ERR_INTERNAL, "'%s' is no id of a tree", to->hex);
	if (tree_diff(r, from ? &a : NULL, &b, &opts) == 0)
		return 0;
	if (v.stopped)
		return -(int)e->code;
	return git_fail(e, ERR_NO_BLOB, "cannot read tree %.12s", to->hex);
}
