// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/tree-diff.h"

#include <git2.h>
#include <string.h>

#include "core/git/git-free.h"
#include "core/store/history.h"

struct walk {
	struct repo *r;
	const struct tree_diff_opts *o;
	struct buf path;
};

static int walk_trees(struct walk *w, const git_oid *from, const git_oid *to,
		      uint64_t prefix);

static int load(struct walk *w, const git_oid *id, git_tree **ret)
{
	return id ? git_tree_lookup(ret, w->r->git, id) : 0;
}

static const git_oid *folder(const git_tree_entry *e)
{
	return e && git_tree_entry_filemode(e) == GIT_FILEMODE_TREE ? git_tree_entry_id(e)
								    : NULL;
}

static const git_oid *file(const git_tree_entry *e)
{
	return e && git_tree_entry_filemode(e) != GIT_FILEMODE_TREE ? git_tree_entry_id(e)
								    : NULL;
}

/* One name; an entry may be NULL, and the two may be of different types. */
static int walk_name(struct walk *w, const git_tree_entry *a, const git_tree_entry *b,
		     uint64_t prefix)
{
	const char *name = git_tree_entry_name(a ? a : b);
	size_t n = strlen(name), len = w->path.len;
	uint64_t hash = history_path_add(prefix, name, n);
	int r = 0;

	if (w->o->paths)
		buf_add(&w->path, name, n);
	if (file(a) || file(b)) {
		struct tree_delta d = { w->o->paths ? buf_str(&w->path) : NULL, hash >> 1,
					file(a), file(b) };

		r = w->o->found(w->o->ctx, &d);
	}
	if (r == 0 && (folder(a) || folder(b))) {
		if (w->o->paths)
			buf_addc(&w->path, '/');
		r = walk_trees(w, folder(a), folder(b), history_path_add(hash, "/", 1));
	}
	if (w->o->paths) {
		w->path.len = len;
		w->path.data[len] = '\0';
	}
	return r;
}

static int walk_entries(struct walk *w, const git_tree *a, const git_tree *b,
			uint64_t prefix)
{
	size_t na = a ? git_tree_entrycount(a) : 0, nb = b ? git_tree_entrycount(b) : 0;
	size_t i = 0, k = 0;

	while (i < na || k < nb) {
		const git_tree_entry *x = i < na ? git_tree_entry_byindex(a, i) : NULL;
		const git_tree_entry *y = k < nb ? git_tree_entry_byindex(b, k) : NULL;
		int c = !x ? 1 : !y ? -1 : git_tree_entry_cmp(x, y), r = 0;

		i += c <= 0;
		k += c >= 0;
		if (c || !git_oid_equal(git_tree_entry_id(x), git_tree_entry_id(y)))
			r = walk_name(w, c <= 0 ? x : NULL, c >= 0 ? y : NULL, prefix);
		if (r)
			return r;
	}
	return 0;
}

static int walk_trees(struct walk *w, const git_oid *from, const git_oid *to,
		      uint64_t prefix)
{
	_cleanup_tree_ git_tree *a = NULL, *b = NULL;
	int r;

	if (from && to && git_oid_equal(from, to))
		return 0;
	r = load(w, from, &a);
	if (r == 0)
		r = load(w, to, &b);
	return r ? r : walk_entries(w, a, b, prefix);
}

int tree_diff(struct repo *r, const git_oid *from, const git_oid *to,
	      const struct tree_diff_opts *o)
{
	struct walk w = { .r = r, .o = o };
	int rc = walk_trees(&w, from, to, HISTORY_PATH_START);

	buf_release(&w.path);
	return rc;
}
