// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/touched.h"

#include <git2.h>

#include "core/base/alloc.h"
#include "core/git/repo-internal.h"

/* Everything libgit2 gives for one question. */
struct asked {
	git_commit *commit, *parent;
	git_tree *old_tree, *new_tree;
	git_diff *diff;
};

static void asked_release(struct asked *a)
{
	git_diff_free(a->diff);
	git_tree_free(a->old_tree);
	git_tree_free(a->new_tree);
	git_commit_free(a->parent);
	git_commit_free(a->commit);
}

static int look(struct repo *r, const git_oid *id, struct asked *a)
{
	git_diff_options o;

	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.flags = GIT_DIFF_SKIP_BINARY_CHECK | GIT_DIFF_IGNORE_SUBMODULES;
	if (git_commit_lookup(&a->commit, r->git, id) < 0 ||
	    git_commit_tree(&a->new_tree, a->commit) < 0)
		return -1;
	if (git_commit_parentcount(a->commit) &&
	    (git_commit_parent(&a->parent, a->commit, 0) < 0 ||
	     git_commit_tree(&a->old_tree, a->parent) < 0))
		return -1;
	return git_diff_tree_to_tree(&a->diff, r->git, a->old_tree, a->new_tree, &o);
}

int repo_touched(struct repo *r, const struct oid *commit, size_t max, struct strv *ret,
		 struct err *e)
{
	_cleanup_(asked_release) struct asked a = { 0 };
	size_t nr;
	git_oid id;

	if (!oid_to_git(commit, &id))
		return err_set(e, ERR_INTERNAL, "'%.40s' is no commit id", commit->hex);
	if (look(r, &id, &a) < 0)
		return git_fail(e, ERR_NO_TREE, "cannot tell what %.12s touches",
				commit->hex);
	nr = git_diff_num_deltas(a.diff);
	for (size_t i = 0; i < nr && i < max; i++) {
		const git_diff_delta *d = git_diff_get_delta(a.diff, i);

		strv_add(ret, d->status == GIT_DELTA_DELETED ? d->old_file.path
							     : d->new_file.path);
	}
	return 0;
}
