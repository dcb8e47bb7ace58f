// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/commit-diff.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/git-free.h"
#include "core/git/patch.h"
#include "core/git/repo-internal.h"

/* The diff of a commit; NULL for a merge. */
static int diff_of(struct repo *r, const struct oid *oid, git_diff **ret, struct err *e)
{
	_cleanup_tree_ git_tree *tree = NULL, *before = NULL;
	_cleanup_commit_ git_commit *c = NULL, *parent = NULL;
	git_diff_options o;
	git_oid id;
	int rc = oid_to_git(oid, &id) ? git_commit_lookup(&c, r->git, &id) : -1;

	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_SHOW_BINARY;
	o.id_abbrev = 40; /* binary files are told apart by their ids */
	*ret = NULL;
	if (rc == 0 && git_commit_parentcount(c) > 1)
		return 0;
	if (rc == 0)
		rc = git_commit_tree(&tree, c);
	if (rc == 0 && git_commit_parentcount(c))
		rc = git_commit_parent(&parent, c, 0);
	if (rc == 0 && parent)
		rc = git_commit_tree(&before, parent);
	if (rc == 0)
		rc = git_diff_tree_to_tree(ret, r->git, before, tree, &o);
	return rc < 0 ? git_fail(e, ERR_IO, "cannot read commit '%.12s'", oid->hex) : 0;
}

static int diff_id(git_diff *diff, char **ret, struct err *e)
{
	git_buf text = { 0 };
	struct diff *d = NULL;

	if (git_diff_to_buf(&text, diff, GIT_DIFF_FORMAT_PATCH) < 0)
		return git_fail(e, ERR_IO, "cannot make a diff");
	if (diff_parse(text.ptr, text.size, &d, e) == 0)
		*ret = diff_patch_id(d);
	diff_free(d);
	git_buf_dispose(&text);
	return e->code == ERR_NONE ? 0 : -(int)e->code;
}

int commit_patch_id(struct repo *r, const struct oid *commit, size_t max, char **ret,
		    struct err *e)
{
	_cleanup_gitdiff_ git_diff *diff = NULL;
	_cleanup_err_ struct err odd = { 0 };
	size_t nr;

	if (diff_of(r, commit, &diff, e) < 0)
		return -(int)e->code;
	*ret = NULL;
	nr = diff ? git_diff_num_deltas(diff) : 0;
	if (!nr || nr > max)
		return 0;
	/* A diff that cannot be read has no patch-id; that is all. */
	if (diff_id(diff, ret, &odd) < 0)
		*ret = NULL;
	return 0;
}

static int find_renames(git_diff *diff)
{
	git_diff_find_options o;

	git_diff_find_options_init(&o, GIT_DIFF_FIND_OPTIONS_VERSION);
	o.flags = GIT_DIFF_FIND_RENAMES;
	o.rename_limit = 1000;
	return git_diff_find_similar(diff, &o);
}

int commit_patch_text(struct repo *r, const struct oid *commit, struct buf *ret,
		      struct err *e)
{
	_cleanup_gitdiff_ git_diff *diff = NULL;
	git_buf text = { 0 };
	int rc;

	if (diff_of(r, commit, &diff, e) < 0)
		return -(int)e->code;
	if (!diff)
		return 0;
	rc = find_renames(diff);
	if (rc == 0)
		rc = git_diff_to_buf(&text, diff, GIT_DIFF_FORMAT_PATCH);
	if (rc == 0)
		buf_add(ret, text.ptr, text.size);
	git_buf_dispose(&text);
	return rc < 0 ? git_fail(e, ERR_IO, "cannot make the diff of '%.12s'",
				 commit->hex)
		      : 0;
}

int commit_moved(struct repo *r, const struct oid *commit, const char *path,
		 struct commit_move *ret, struct err *e)
{
	_cleanup_gitdiff_ git_diff *diff = NULL;

	*ret = (struct commit_move){ 0 };
	if (diff_of(r, commit, &diff, e) < 0)
		return -(int)e->code;
	if (!diff)
		return 0;
	if (find_renames(diff) < 0)
		return git_fail(e, ERR_IO, "cannot find renames in '%.12s'", commit->hex);
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->status == GIT_DELTA_RENAMED && !strcmp(d->old_file.path, path))
			ret->to = xstrdup(d->new_file.path);
		if (ret->to)
			break;
	}
	return 0;
}

int commit_find_patch(struct repo *r, const struct oid *from,
		      const struct commit_patch *p, const struct path_log_limit *limit,
		      struct oid *ret, struct err *e)
{
	_cleanup_path_log_ struct path_log *log = NULL;
	struct path_change c;
	int rc;

	if (path_log_open(r, from, p->path, limit, &log, e) < 0)
		return -(int)e->code;
	while ((rc = path_log_next(log, &c, e)) == 1) {
		_cleanup_free_ char *id = NULL;

		if (commit_patch_id(r, &c.commit, p->nr_files, &id, e) < 0)
			return -(int)e->code;
		if (id && !strcmp(id, p->patch_id)) {
			*ret = c.commit;
			return 1;
		}
	}
	return rc;
}
