// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/epoch.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/stop.h"
#include "core/git/repo-internal.h"

struct epoch {
	git_repository *git;
	git_odb *odb;
	char *path;
	bool v1;
};

/* A commit to be visited. */
struct step {
	git_oid commit, tree, parent_tree;
	bool has_parent;
};

/* The one entry of a tree of version 2: "100644 m", NUL, id. False for any other tree. */
static bool read_v2_tree(git_odb_object *tree, git_oid *ret, bool *ret_removed)
{
	const char *p = git_odb_object_data(tree);
	size_t n = git_odb_object_size(tree);
	const char *name = memchr(p, ' ', n);

	if (git_odb_object_type(tree) != GIT_OBJECT_TREE || !name ||
	    (size_t)(p + n - name) != 3 + GIT_OID_RAWSZ || name[2] ||
	    (name[1] != 'm' && name[1] != 'd'))
		return false;
	*ret_removed = name[1] == 'd';
	return git_oid_fromraw(ret, (const unsigned char *)name + 3) == 0;
}

/* Folders named by two hex digits and nothing else. */
static bool is_v1_tree(struct epoch *ep, const git_oid *id)
{
	git_tree *tree = NULL;
	bool good = git_tree_lookup(&tree, ep->git, id) == 0 && git_tree_entrycount(tree);

	for (size_t i = 0; good && i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *en = git_tree_entry_byindex(tree, i);
		const char *name = git_tree_entry_name(en);

		good = git_tree_entry_type(en) == GIT_OBJECT_TREE && strlen(name) == 2 &&
		       parse_is_hex(name, 2);
	}
	git_tree_free(tree);
	return good;
}

/* Tree and first parent of a commit from its first lines. */
static int read_commit(struct epoch *ep, const git_oid *id, git_oid *ret_tree,
		       git_oid *ret_parent, bool *ret_has_parent)
{
	git_odb_object *o = NULL;
	const char *p;
	size_t n;
	int r = git_odb_read(&o, ep->odb, id);

	if (r < 0)
		return r;
	p = git_odb_object_data(o);
	n = git_odb_object_size(o);
	r = n > 46 && !memcmp(p, "tree ", 5) ? git_oid_fromstrn(ret_tree, p + 5, 40) : -1;
	*ret_has_parent = r == 0 && n > 46 + 48 && !memcmp(p + 46, "parent ", 7) &&
			  !git_oid_fromstrn(ret_parent, p + 53, 40);
	git_odb_object_free(o);
	return r;
}

static int detect(struct epoch *ep, struct err *e)
{
	git_odb_object *tree = NULL;
	git_oid tip, id, parent;
	bool flag, good;

	if (git_reference_name_to_id(&tip, ep->git, "HEAD") < 0)
		return 0; /* empty so far */
	if (read_commit(ep, &tip, &id, &parent, &flag) < 0 ||
	    git_odb_read(&tree, ep->odb, &id) < 0)
		return git_fail(e, ERR_IO, "cannot read archive '%s'", ep->path);
	good = read_v2_tree(tree, &parent, &flag);
	git_odb_object_free(tree);
	ep->v1 = !good;
	if (good || is_v1_tree(ep, &id))
		return 0;
	err_set(e, ERR_CONFIG, "repository '%s' is no archive of public-inbox", ep->path);
	return err_hint(e, "name a folder of epochs (git/0.git) or one of them");
}

int epoch_open(const char *path, struct epoch **ret, struct err *e)
{
	_cleanup_epoch_ struct epoch *ep = xzalloc(sizeof(*ep));

	git_libgit2_init(); /* counted, epoch_free() gives it back */
	ep->path = xstrdup(path);
	if (git_repository_open_ext(&ep->git, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) <
		    0 ||
	    git_repository_odb(&ep->odb, ep->git) < 0)
		return git_fail(e, ERR_NO_TREE, "cannot open archive '%s'", path);
	if (detect(ep, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(ep);
	return 0;
}

int epoch_tip(struct epoch *ep, struct oid *ret, struct err *e)
{
	git_oid tip;
	int r = git_reference_name_to_id(&tip, ep->git, "HEAD");

	if (r == GIT_ENOTFOUND || r == GIT_EUNBORNBRANCH)
		*ret = (struct oid){ 0 };
	else if (r < 0)
		return git_fail(e, ERR_IO, "cannot read archive '%s'", ep->path);
	else
		*ret = oid_from_git(&tip);
	return 0;
}

/* Steps from tip down to from, newest first. */
static int collect(struct epoch *ep, const git_oid *from, git_oid at, struct step **ret,
		   size_t *nr, bool *ret_found, struct err *e)
{
	bool more = true;

	*ret_found = from == NULL;
	while (more) {
		struct step s = { .commit = at };
		struct step *below = *nr ? &(*ret)[*nr - 1] : NULL;
		int r;

		if (from && git_oid_equal(&at, from) && (*ret_found = true) && !ep->v1)
			return 0;
		r = read_commit(ep, &at, &s.tree, &at, &more);
		if (r == GIT_ENOTFOUND && below)
			break; /* a shallow clone ends here */
		if (r < 0)
			return git_fail(e, ERR_IO, "cannot read archive '%s'", ep->path);
		if (below) {
			below->parent_tree = s.tree;
			below->has_parent = true;
		}
		if (from && *ret_found)
			return 0; /* it was read for its tree */
		*array_push(*ret, *nr) = s;
		if (*nr % 4096 == 0 && stop_check(e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int visit_blob(struct epoch *ep, const git_oid *blob, bool removed,
		      const struct epoch_visitor *v, struct err *e)
{
	git_odb_object *o = NULL;
	struct epoch_mail m = { .removed = removed };
	int r;

	r = git_odb_read(&o, ep->odb, blob);
	if (r < 0) /* purged, or a partial clone */
		return r == GIT_ENOTFOUND
			       ? 0
			       : git_fail(e, ERR_IO, "cannot read archive '%s'",
					  ep->path);
	m.blob = oid_from_git(blob);
	m.data = git_odb_object_data(o);
	m.len = git_odb_object_size(o);
	r = v->mail(v->ctx, &m, e);
	git_odb_object_free(o);
	return r;
}

static int visit_v1(struct epoch *ep, const struct step *s, const struct epoch_visitor *v,
		    struct err *e)
{
	git_tree *old = NULL, *new = NULL;
	git_diff *diff = NULL;
	int r = 0;

	if (git_tree_lookup(&new, ep->git, &s->tree) < 0 ||
	    (s->has_parent && git_tree_lookup(&old, ep->git, &s->parent_tree) < 0) ||
	    git_diff_tree_to_tree(&diff, ep->git, old, new, NULL) < 0)
		r = git_fail(e, ERR_IO, "cannot read archive '%s'", ep->path);
	for (size_t i = 0; r == 0 && i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->status != GIT_DELTA_ADDED)
			r = visit_blob(ep, &d->old_file.id, true, v, e);
		if (r == 0 && d->status != GIT_DELTA_DELETED)
			r = visit_blob(ep, &d->new_file.id, false, v, e);
	}
	git_diff_free(diff);
	git_tree_free(old);
	git_tree_free(new);
	return r;
}

static int visit(struct epoch *ep, const struct step *s, const struct epoch_visitor *v,
		 struct err *e)
{
	git_odb_object *tree = NULL;
	struct oid commit = oid_from_git(&s->commit);
	git_oid blob;
	bool removed;
	int r = 0;

	if (ep->v1) {
		r = visit_v1(ep, s, v, e);
	} else {
		if (git_odb_read(&tree, ep->odb, &s->tree) < 0)
			return git_fail(e, ERR_IO, "cannot read archive '%s'", ep->path);
		if (read_v2_tree(tree, &blob, &removed))
			r = visit_blob(ep, &blob, removed, v, e);
		git_odb_object_free(tree);
	}
	return r < 0 ? r : v->commit(v->ctx, &commit, e);
}

int epoch_walk(struct epoch *ep, const struct oid *from, const struct oid *tip,
	       const struct epoch_visitor *v, bool *ret_found, struct err *e)
{
	_cleanup_free_ struct step *steps = NULL;
	git_oid old, new;
	size_t nr = 0;
	bool known = oid_to_git(from, &old);

	*ret_found = true;
	if (!oid_to_git(tip, &new))
		return 0;
	if (collect(ep, known ? &old : NULL, new, &steps, &nr, ret_found, e) < 0)
		return -(int)e->code;
	if (!*ret_found)
		return 0;
	while (nr-- > 0)
		if (visit(ep, &steps[nr], v, e) < 0 || stop_check(e) < 0)
			return -(int)e->code;
	return 0;
}

int epoch_read(struct epoch *ep, const struct oid *blob, struct buf *ret, struct err *e)
{
	git_odb_object *o = NULL;
	git_oid id;

	if (!oid_to_git(blob, &id) || git_odb_read(&o, ep->odb, &id) < 0)
		return git_fail(e, ERR_NO_FILE, "archive '%s' has no blob %s", ep->path,
				blob->hex);
	buf_add(ret, git_odb_object_data(o), git_odb_object_size(o));
	git_odb_object_free(o);
	return 0;
}

void epoch_free(struct epoch *ep)
{
	if (!ep)
		return;
	git_odb_free(ep->odb);
	git_repository_free(ep->git);
	git_libgit2_shutdown();
	free(ep->path);
	free(ep);
}
