// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/overlay.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/diff-internal.h"

#define GITLINK_TEXT "Subproject commit "

/* Where path is, or would be, in the sorted nodes. */
static size_t lower_bound(const struct overlay *o, const char *path, bool *found)
{
	size_t lo = 0, hi = o->nr;

	*found = false;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int r = strcmp(o->v[mid]->path, path);

		if (r == 0) {
			*found = true;
			return mid;
		}
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct node *overlay_find(const struct overlay *o, const char *path)
{
	bool found;
	size_t at = lower_bound(o, path, &found);

	return found ? o->v[at] : NULL;
}

struct node *overlay_node(struct overlay *o, const char *path)
{
	bool found;
	size_t at = lower_bound(o, path, &found);
	struct node *n;

	if (found)
		return o->v[at];
	n = xzalloc(sizeof(*n));
	n->path = xstrdup(path);
	(void)array_push(o->v, o->nr);
	memmove(o->v + at + 1, o->v + at, (o->nr - 1 - at) * sizeof(*o->v));
	o->v[at] = n;
	return n;
}

void overlay_release(struct overlay *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		free(o->v[i]->path);
		buf_release(&o->v[i]->data);
		free(o->v[i]);
	}
	free(o->v);
}

int overlay_base(const struct overlay *o, const char *path, unsigned int *mode,
		 struct oid *oid, struct err *e)
{
	git_tree_entry *entry = NULL;
	git_tree *tree = NULL;
	git_oid id;
	int rc = oid_to_git(&o->tree, &id) ? git_tree_lookup(&tree, o->r->git, &id) : -1;

	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, tree, path);
	if (rc == 0) {
		*mode = (unsigned int)git_tree_entry_filemode(entry);
		*oid = oid_from_git(git_tree_entry_id(entry));
	}
	git_tree_entry_free(entry);
	git_tree_free(tree);
	if (rc == 0)
		return 1;
	return rc == GIT_ENOTFOUND ? 0 : git_fail(e, ERR_IO, "cannot read '%s'", path);
}

int overlay_read(const struct overlay *o, unsigned int mode, const struct oid *oid,
		 struct buf *ret, struct err *e)
{
	git_blob *blob = NULL;
	git_oid id;

	if ((mode & MODE_TYPE) == MODE_GITLINK) {
		buf_addf(ret, GITLINK_TEXT "%s\n", oid->hex);
		return 0;
	}
	if (!oid_to_git(oid, &id) || git_blob_lookup(&blob, o->r->git, &id) < 0)
		return git_fail(e, ERR_IO, "cannot read the file's object %.12s",
				oid->hex);
	buf_add(ret, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	git_blob_free(blob);
	return 0;
}

/* The id a node gets in its tree. */
static int node_write(struct overlay *o, struct node *n, struct err *e)
{
	static const size_t k = sizeof(GITLINK_TEXT) - 1;
	git_oid id;

	if (!n->has_data)
		return 0;
	if ((n->mode & MODE_TYPE) == MODE_GITLINK) {
		const char *s = buf_str(&n->data);

		if (n->data.len < k + 40 || memcmp(s, GITLINK_TEXT, k) ||
		    !parse_is_hex(s + k, 40))
			return err_set(e, ERR_BAD_PATCH, "'%s' is no submodule any more",
				       n->path);
		memcpy(n->oid.hex, s + k, 40);
		return 0;
	}
	if (git_blob_create_from_buffer(&id, o->r->git, buf_str(&n->data), n->data.len) <
	    0)
		return git_fail(e, ERR_IO, "cannot write '%s' to the repository",
				n->path);
	n->oid = oid_from_git(&id);
	return 0;
}

int overlay_write(struct overlay *o, struct oid *ret, char **ret_conflict, struct err *e)
{
	_cleanup_free_ struct tree_change *v = xcalloc(o->nr, sizeof(*v));
	size_t nr = 0;

	for (size_t i = 0; i < o->nr; i++) {
		struct node *n = o->v[i];

		if (!n->touched)
			continue;
		if (n->present && node_write(o, n, e) < 0)
			return -(int)e->code;
		v[nr++] = (struct tree_change){ n->path, n->present, n->mode, n->oid };
	}
	return tree_edit(o->r, &o->tree, v, nr, ret, ret_conflict, e);
}
