// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/tree-edit.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Paths sorted so that a folder's contents follow its name: '/' before all other bytes.
 */
static int by_path(const void *va, const void *vb)
{
	const unsigned char *a =
		(const unsigned char *)((const struct tree_change *)va)->path;
	const unsigned char *b =
		(const unsigned char *)((const struct tree_change *)vb)->path;

	for (; *a && *a == *b; a++, b++)
		;
	return (*a == '/' ? 1 : *a ? *a + 1 : 0) - (*b == '/' ? 1 : *b ? *b + 1 : 0);
}

struct edit {
	struct repo *r;
	char *conflict;
	struct err *e;
};

static int failed(struct edit *ed, const char *what)
{
	return git_fail(ed->e, ERR_IO, "cannot %s a tree", what);
}

static int conflict(struct edit *ed, const struct tree_change *c, size_t len)
{
	ed->conflict = xstrndup(c->path, len);
	return err_set(ed->e, ERR_EXISTS, "'%s' would be both a file and a folder",
		       ed->conflict);
}

/* The changes below one name of a folder. */
struct group {
	const struct tree_change *leaf; /* of the name itself, may be NULL */
	const struct tree_change *sub;	/* below it */
	size_t nr_sub;
	size_t len; /* of the path up to the name's end */
	char *name;
};

static size_t group_init(struct group *g, const struct tree_change *v, size_t nr,
			 size_t prefix)
{
	size_t n = 0;

	*g = (struct group){ .len = prefix + strcspn(v->path + prefix, "/") };
	g->name = xstrndup(v->path + prefix, g->len - prefix);
	if (!v->path[g->len]) {
		g->leaf = v;
		n++;
	}
	g->sub = v + n;
	while (n < nr && !strncmp(v[n].path, v->path, g->len) && v[n].path[g->len] == '/')
		n++;
	g->nr_sub = n - (g->leaf ? 1 : 0);
	return n;
}

static int edit_folder(struct edit *ed, const git_oid *tree, const struct tree_change *v,
		       size_t nr, size_t prefix, git_oid *ret);

/* 1 and *ret = the folder g names after its changes; 0 when nothing is left of it. */
static int edit_sub(struct edit *ed, const git_tree_entry *entry, const struct group *g,
		    git_oid *ret)
{
	bool is_tree = entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE;

	if (!g->nr_sub) {
		if (is_tree)
			git_oid_cpy(ret, git_tree_entry_id(entry));
		return is_tree;
	}
	if (entry && !is_tree && (!g->leaf || g->leaf->present))
		return conflict(ed, g->sub, g->len);
	return edit_folder(ed, is_tree ? git_tree_entry_id(entry) : NULL, g->sub,
			   g->nr_sub, g->len + 1, ret);
}

static int edit_group(struct edit *ed, git_treebuilder *b, const struct group *g)
{
	const git_tree_entry *entry = git_treebuilder_get(b, g->name);
	git_oid id, leaf_id;
	int r = edit_sub(ed, entry, g, &id);

	if (r < 0)
		return r;
	if (g->leaf && g->leaf->present) {
		if (r)
			return conflict(ed, g->leaf, g->len);
		if (!oid_to_git(&g->leaf->oid, &leaf_id) ||
		    git_treebuilder_insert(NULL, b, g->name, &leaf_id,
					   (git_filemode_t)g->leaf->mode) < 0)
			return failed(ed, "change");
	} else if (r) {
		if (git_treebuilder_insert(NULL, b, g->name, &id, GIT_FILEMODE_TREE) < 0)
			return failed(ed, "change");
	} else if (entry && git_treebuilder_remove(b, g->name) < 0) {
		return failed(ed, "change");
	}
	return 0;
}

static int edit_groups(struct edit *ed, git_treebuilder *b, const struct tree_change *v,
		       size_t nr, size_t prefix)
{
	for (size_t i = 0; i < nr;) {
		struct group g;
		int r;

		i += group_init(&g, v + i, nr - i, prefix);
		r = edit_group(ed, b, &g);
		free(g.name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* As edit_sub(), for the folder whose path is the first prefix bytes. */
static int edit_folder(struct edit *ed, const git_oid *tree, const struct tree_change *v,
		       size_t nr, size_t prefix, git_oid *ret)
{
	git_treebuilder *b = NULL;
	git_tree *source = NULL;
	int r = 0;

	if (tree && git_tree_lookup(&source, ed->r->git, tree) < 0)
		return failed(ed, "read");
	if (git_treebuilder_new(&b, ed->r->git, source) < 0)
		r = failed(ed, "read");
	if (r == 0)
		r = edit_groups(ed, b, v, nr, prefix);
	if (r == 0 && (git_treebuilder_entrycount(b) || !prefix)) {
		r = 1;
		if (git_treebuilder_write(ret, b) < 0)
			r = failed(ed, "write");
	}
	git_treebuilder_free(b);
	git_tree_free(source);
	return r;
}

int tree_edit(struct repo *r, const struct oid *base, struct tree_change *v, size_t nr,
	      struct oid *ret, char **ret_conflict, struct err *e)
{
	struct edit ed = { .r = r, .e = e };
	git_oid from, to;

	qsort(v, nr, sizeof(*v), by_path);
	if (!oid_to_git(base, &from))
		return err_set(e, ERR_INTERNAL, "'%s' is no tree", base->hex);
	if (edit_folder(&ed, &from, v, nr, 0, &to) < 0) {
		if (ret_conflict)
			*ret_conflict = take_ptr(ed.conflict);
		free(ed.conflict);
		return -(int)e->code;
	}
	*ret = oid_from_git(&to);
	return 0;
}
