// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/repo.h"

#include <assert.h>
#include <errno.h>
#include <git2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/objects.h"

int git_fail(struct err *e, enum err_code code, const char *fmt, ...)
{
	const git_error *g = git_error_last();
	const char *said = g && g->message ? g->message : "unknown cause";
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	/* libgit2 keeps the errno only as text. */
	if (strstr(said, strerror(ENOSPC)) || strstr(said, strerror(EDQUOT)))
		code = ERR_DISK_FULL;
	return err_set(e, code, "%s: %s", text, said);
}

struct oid oid_from_git(const git_oid *id)
{
	struct oid o = { 0 };

	git_oid_fmt(o.hex, id);
	return o;
}

bool oid_to_git(const struct oid *o, git_oid *ret)
{
	return parse_is_hex(o->hex, 40) && !git_oid_fromstr(ret, o->hex);
}

int repo_open(const char *path, struct repo **ret, struct err *e)
{
	_cleanup_repo_ struct repo *r = xzalloc(sizeof(*r));
	char *real;
	int rc;

	git_libgit2_init(); /* counted, repo_free() gives it back */
	/* As git, trust what is in the repository: git fsck is for doubts. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	rc = git_repository_open_ext(&r->git, path, 0, NULL);
	if (rc == GIT_EOWNER) {
		err_set(e, ERR_NO_TREE, "the repository at '%s' belongs to another user",
			path);
		return err_hint(e, "trust it with `git config --global --add "
				   "safe.directory DIR`");
	}
	if (rc < 0)
		return git_fail(e, ERR_NO_TREE, "no git repository at or above '%s'",
				path);
	real = realpath(git_repository_commondir(r->git), NULL);
	if (!real)
		return err_sys(e, errno, "cannot resolve '%s'",
			       git_repository_commondir(r->git));
	r->common_dir = real;
	if (objects_new(r, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(r);
	return 0;
}

const char *repo_common_dir(const struct repo *r)
{
	return r->common_dir;
}

int repo_resolve(struct repo *r, const char *rev, struct oid *ret, struct err *e)
{
	git_object *obj = NULL, *commit = NULL;
	int rc = git_revparse_single(&obj, r->git, rev);

	if (rc == 0)
		rc = git_object_peel(&commit, obj, GIT_OBJECT_COMMIT);
	if (rc == 0)
		*ret = oid_from_git(git_object_id(commit));
	else if (obj)
		git_fail(e, ERR_UNKNOWN_REV, "'%s' is no commit", rev);
	else
		git_fail(e, ERR_UNKNOWN_REV, "unknown revision '%s'", rev);
	git_object_free(commit);
	git_object_free(obj);
	return rc < 0 ? -(int)e->code : 0;
}

static int commit_lookup(struct repo *r, const struct oid *oid, git_commit **ret,
			 struct err *e)
{
	git_oid id;

	if (!oid_to_git(oid, &id))
		return err_set(e, ERR_UNKNOWN_REV, "'%s' is no commit id", oid->hex);
	if (git_commit_lookup(ret, r->git, &id) < 0)
		return git_fail(e, ERR_UNKNOWN_REV, "no commit '%s'", oid->hex);
	return 0;
}

int repo_commit(struct repo *r, const struct oid *oid, struct commit_info *ret,
		struct err *e)
{
	const git_signature *author;
	struct commit_info c = { 0 };
	git_commit *commit = NULL;
	const char *subject;

	if (commit_lookup(r, oid, &commit, e) < 0)
		return -(int)e->code;
	c.oid = *oid;
	c.tree = oid_from_git(git_commit_tree_id(commit));
	c.nr_parents = git_commit_parentcount(commit);
	c.parents = xcalloc(c.nr_parents, sizeof(*c.parents));
	for (size_t i = 0; i < c.nr_parents; i++)
		c.parents[i] =
			oid_from_git(git_commit_parent_id(commit, (unsigned int)i));
	subject = git_commit_summary(commit);
	author = git_commit_author(commit);
	c.subject = xstrdup(subject ? subject : "");
	c.author = xasprintf("%s <%s>", author->name, author->email);
	c.time = git_commit_time(commit);
	git_commit_free(commit);
	*ret = c;
	return 0;
}

void commit_info_release(struct commit_info *c)
{
	free(c->parents);
	free(c->subject);
	free(c->author);
	*c = (struct commit_info){ 0 };
}

static int check_ancestor(struct repo *r, const git_oid *good, const git_oid *bad,
			  struct err *e)
{
	int rc = git_graph_descendant_of(r->git, bad, good);

	if (rc < 0)
		return git_fail(e, ERR_UNKNOWN_REV, "cannot walk the history");
	if (rc)
		return 0;
	err_set(e, ERR_USAGE, "'%.12s' is no ancestor of '%.12s'", oid_from_git(good).hex,
		oid_from_git(bad).hex);
	return err_hint(e, "name the older commit first");
}

/*
 * Append what the walk yields, newest first. The walk is topological, so with
 * first_parent the next commit of the line is always still to come.
 */
static int walk_collect(struct repo *r, git_revwalk *walk, const git_oid *line,
			struct oid **ret, size_t *nr)
{
	git_oid id, want = { { 0 } };
	int rc;

	if (line)
		git_oid_cpy(&want, line);
	while ((rc = git_revwalk_next(&id, walk)) == 0) {
		git_commit *commit = NULL;

		if (line && !git_oid_equal(&id, &want))
			continue;
		*array_push(*ret, *nr) = oid_from_git(&id);
		if (!line)
			continue;
		rc = git_commit_lookup(&commit, r->git, &id);
		if (rc < 0)
			return rc;
		if (git_commit_parentcount(commit))
			git_oid_cpy(&want, git_commit_parent_id(commit, 0));
		git_commit_free(commit);
	}
	return rc == GIT_ITEROVER ? 0 : rc;
}

static void oids_reverse(struct oid *v, size_t nr)
{
	for (size_t i = 0; i < nr / 2; i++) {
		struct oid o = v[i];

		v[i] = v[nr - 1 - i];
		v[nr - 1 - i] = o;
	}
}

int repo_range(struct repo *r, const struct oid *good, const struct oid *bad,
	       bool first_parent, struct oid **ret, size_t *ret_nr, struct err *e)
{
	_cleanup_free_ struct oid *v = NULL;
	git_revwalk *walk = NULL;
	git_oid from, to;
	size_t nr = 0;
	int rc;

	if (!oid_to_git(good, &from) || !oid_to_git(bad, &to))
		return err_set(e, ERR_UNKNOWN_REV, "a range needs two commit ids");
	if (!oid_equal(good, bad) && check_ancestor(r, &from, &to, e) < 0)
		return -(int)e->code;
	rc = git_revwalk_new(&walk, r->git);
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL);
	if (rc == 0)
		rc = git_revwalk_push(walk, &to);
	if (rc == 0)
		rc = git_revwalk_hide(walk, &from);
	if (rc == 0)
		rc = walk_collect(r, walk, first_parent ? &to : NULL, &v, &nr);
	git_revwalk_free(walk);
	if (rc < 0)
		return git_fail(e, ERR_UNKNOWN_REV, "cannot walk the history");
	oids_reverse(v, nr);
	*ret = take_ptr(v);
	*ret_nr = nr;
	return 0;
}

static int tree_blob(struct repo *r, git_commit *commit, const char *path,
		     struct buf *ret)
{
	git_tree_entry *entry = NULL;
	git_blob *blob = NULL;
	git_tree *tree = NULL;
	int rc = git_commit_tree(&tree, commit);

	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, tree, path);
	if (rc == 0)
		rc = git_blob_lookup(&blob, r->git, git_tree_entry_id(entry));
	if (rc == 0)
		buf_add(ret, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	git_blob_free(blob);
	git_tree_entry_free(entry);
	git_tree_free(tree);
	return rc;
}

int repo_read_file(struct repo *r, const struct oid *oid, const char *path,
		   struct buf *ret, struct err *e)
{
	git_commit *commit = NULL;
	int rc;

	if (commit_lookup(r, oid, &commit, e) < 0)
		return -(int)e->code;
	rc = tree_blob(r, commit, path, ret);
	if (rc < 0)
		git_fail(e, ERR_NO_FILE, "no file '%s' in commit '%.12s'", path,
			 oid->hex);
	git_commit_free(commit);
	return rc < 0 ? -(int)e->code : 0;
}

void repo_digest(const void *data, size_t len, struct oid *ret)
{
	git_oid id;
	int rc;

	git_libgit2_init();
	rc = git_odb_hash(&id, data, len, GIT_OBJECT_BLOB);
	assert(rc == 0); /* only a wrong object type can fail */
	(void)rc;
	git_libgit2_shutdown();
	*ret = oid_from_git(&id);
}

void repo_free(struct repo *r)
{
	if (!r)
		return;
	objects_free(r);
	git_repository_free(r->git);
	free(r->common_dir);
	free(r);
	git_libgit2_shutdown();
}
