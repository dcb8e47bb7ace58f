// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/commit-diff.h"

#include <git2.h>

#include "core/git/patch.h"
#include "core/git/repo-internal.h"

static int diff_trees(struct repo *r, git_commit *c, git_diff **ret)
{
	git_tree *tree = NULL, *old = NULL;
	git_commit *parent = NULL;
	git_diff_options o;
	int rc = git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);

	o.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_SHOW_BINARY;
	o.id_abbrev = 40;
	if (rc == 0)
		rc = git_commit_tree(&tree, c);
	if (rc == 0 && git_commit_parentcount(c)) {
		rc = git_commit_parent(&parent, c, 0);
		if (rc == 0)
			rc = git_commit_tree(&old, parent);
	}
	if (rc == 0)
		rc = git_diff_tree_to_tree(ret, r->git, old, tree, &o);
	git_commit_free(parent);
	git_tree_free(old);
	git_tree_free(tree);
	return rc;
}

int repo_patch_id(struct repo *r, const struct oid *commit, char **ret, struct err *e)
{
	_cleanup_diff_ struct diff *d = NULL;
	git_diff *diff = NULL;
	git_commit *c = NULL;
	git_buf text = { 0 };
	git_oid id;
	int rc = oid_to_git(commit, &id) ? git_commit_lookup(&c, r->git, &id) : -1;

	if (rc == 0)
		rc = diff_trees(r, c, &diff);
	if (rc == 0)
		rc = git_diff_to_buf(&text, diff, GIT_DIFF_FORMAT_PATCH);
	if (rc < 0)
		git_fail(e, ERR_UNKNOWN_REV, "cannot read commit '%.12s'", commit->hex);
	else if (text.size)
		rc = diff_parse(text.ptr, text.size, &d, e);
	if (rc == 0)
		*ret = d ? diff_patch_id(d) : NULL;
	git_buf_dispose(&text);
	git_diff_free(diff);
	git_commit_free(c);
	return rc < 0 ? -(int)e->code : 0;
}
