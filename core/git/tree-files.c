// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/rename.h"

/* No tree that git can check out is deeper. */
#define MAX_DEPTH 2048

/* A folder on the walk; its name is the first len bytes of the path. */
struct level {
	const struct tree *tree;
	size_t next, len;
};

struct walk {
	struct repo *r;
	struct level *v;
	size_t depth;
	struct buf path;
};

static int enter(struct walk *w, const struct oid *oid, struct err *e)
{
	const struct tree *t;

	if (w->depth == MAX_DEPTH)
		return err_set(e, ERR_TOO_BIG, "the tree is deeper than %d folders",
			       MAX_DEPTH);
	if (repo_tree(w->r, oid, &t, e) < 0)
		return -(int)e->code;
	w->v[w->depth++] = (struct level){ .tree = t, .len = w->path.len };
	return 0;
}

/* The next entry; its path is in w. NULL at the end. */
static const struct tree_entry *next(struct walk *w)
{
	while (w->depth) {
		struct level *l = &w->v[w->depth - 1];

		if (l->next < l->tree->nr) {
			w->path.len = l->len;
			buf_adds(&w->path, l->tree->v[l->next].name);
			return &l->tree->v[l->next++];
		}
		w->depth--;
	}
	return NULL;
}

int tree_files(struct repo *r, const struct oid *root, struct tree_files *ret,
	       struct err *e)
{
	struct walk w = { .r = r, .v = xcalloc(MAX_DEPTH, sizeof(*w.v)) };
	struct tree_files files = { 0 };
	const struct tree_entry *m;
	int rc = enter(&w, root, e);

	while (rc == 0 && (m = next(&w))) {
		struct oid oid = tree_entry_oid(m);

		if (m->mode == MODE_TREE) {
			buf_addc(&w.path, '/');
			rc = enter(&w, &oid, e);
			continue;
		}
		*array_push(files.v, files.nr) = (struct tree_file){
			.path = xstrdup(buf_str(&w.path)), .mode = m->mode, .oid = oid
		};
	}
	buf_release(&w.path);
	free(w.v);
	if (rc < 0)
		tree_files_release(&files);
	else
		*ret = files;
	return rc;
}

/* git's order of folders makes paths sorted as bytes. */
const struct tree_file *tree_files_find(const struct tree_files *f, const char *path)
{
	size_t lo = 0, hi = f->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int r = strcmp(f->v[mid].path, path);

		if (r == 0)
			return &f->v[mid];
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

void tree_files_release(struct tree_files *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->v[i].path);
	free(f->v);
	*f = (struct tree_files){ 0 };
}
