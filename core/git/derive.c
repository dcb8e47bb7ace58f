// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/derive.h"

#include <git2.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/git/commit.h"
#include "core/git/repo-internal.h"
#include "core/git/tree-edit.h"

static int write(struct repo *r, const struct oid *tree, const struct oid *parent,
		 const char *message, struct oid *ret, struct err *e)
{
	const struct ident kiln = { .name = "kiln", .email = "kiln@localhost" };
	const struct commit_data c = {
		.tree = *tree,
		.parent = *parent,
		.author = kiln,
		.committer = kiln,
		.message = message,
	};

	if (commit_write(r, &c, ret, e) < 0)
		return -(int)e->code;
	return repo_flush(r, e);
}

static int find_mode(struct repo *r, const struct oid *tree, const char *path,
		     unsigned int *ret, struct err *e)
{
	git_tree_entry *entry = NULL;
	git_tree *t = NULL;
	git_oid id;
	int rc = oid_to_git(tree, &id) ? git_tree_lookup(&t, r->git, &id) : -1;

	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, t, path);
	if (rc == 0)
		*ret = git_tree_entry_filemode(entry);
	git_tree_entry_free(entry);
	git_tree_free(t);
	return rc ? git_fail(e, ERR_NO_FILE, "no file '%s'", path) : 0;
}

int derive_file(struct repo *r, const struct oid *from, const char *path,
		const struct buf *data, struct oid *ret, struct err *e)
{
	_cleanup_free_ char *conflict = NULL, *message = NULL;
	struct tree_change change = { .path = path, .present = true };
	struct commit_info info = { 0 };
	struct oid base, tree;
	git_oid blob;

	if (repo_commit(r, from, &info, e) < 0)
		return -(int)e->code;
	base = info.tree;
	commit_info_release(&info);
	if (find_mode(r, &base, path, &change.mode, e) < 0)
		return err_wrap(e, "cannot change commit %.12s", from->hex);
	if (git_blob_create_from_buffer(&blob, r->git, buf_str(data), data->len) < 0)
		return git_fail(e, ERR_IO, "cannot write '%s' to the repository", path);
	change.oid = oid_from_git(&blob);
	message = xasprintf("kiln: %s of %.12s changed\n", path, from->hex);
	if (tree_edit(r, &base, &change, 1, &tree, &conflict, e) < 0 ||
	    write(r, &tree, from, message, ret, e) < 0)
		return -(int)e->code;
	return 0;
}

/* What git_revert_commit() needs and leaves. */
struct revert {
	git_commit *from, *culprit;
	git_index *index;
	git_oid tree;
};

static void revert_release(struct revert *v)
{
	git_index_free(v->index);
	git_commit_free(v->culprit);
	git_commit_free(v->from);
}

static int revert_merge(struct repo *r, const git_oid *from, const git_oid *culprit,
			struct revert *v)
{
	git_merge_options o;

	git_merge_options_init(&o, GIT_MERGE_OPTIONS_VERSION);
	if (git_commit_lookup(&v->from, r->git, from) < 0 ||
	    git_commit_lookup(&v->culprit, r->git, culprit) < 0)
		return -1;
	return git_revert_commit(&v->index, r->git, v->culprit, v->from,
				 git_commit_parentcount(v->culprit) > 1, &o);
}

int derive_revert(struct repo *r, const struct oid *from, const struct oid *culprit,
		  struct oid *ret, struct err *e)
{
	_cleanup_(revert_release) struct revert v = { 0 };
	_cleanup_free_ char *message = NULL;
	git_oid from_id, culprit_id;
	struct oid tree;

	if (!oid_to_git(from, &from_id) || !oid_to_git(culprit, &culprit_id))
		return err_set(e, ERR_INTERNAL, "'%.40s' and '%.40s' are no commit ids",
			       from->hex, culprit->hex);
	if (revert_merge(r, &from_id, &culprit_id, &v) < 0)
		return git_fail(e, ERR_HUNK, "cannot revert %.12s on %.12s", culprit->hex,
				from->hex);
	if (git_index_has_conflicts(v.index))
		return err_set(e, ERR_HUNK,
			       "%.12s does not revert on %.12s: later commits "
			       "changed the same lines",
			       culprit->hex, from->hex);
	if (git_index_write_tree_to(&v.tree, v.index, r->git) < 0)
		return git_fail(e, ERR_IO, "cannot write the revert of %.12s",
				culprit->hex);
	if (git_oid_equal(&v.tree, git_commit_tree_id(v.from)))
		return err_set(e, ERR_HUNK, "%.12s is reverted on %.12s already",
			       culprit->hex, from->hex);
	tree = oid_from_git(&v.tree);
	message = xasprintf("kiln: revert %.12s on %.12s\n", culprit->hex, from->hex);
	return write(r, &tree, from, message, ret, e);
}
