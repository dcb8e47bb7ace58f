// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Three trees to one, as git's merge-recursive has it for the narrow case of a patch: base
 * and theirs hold only the files the patch names, so only those are looked at in ours.
 */
#include "core/git/merge.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/merge-internal.h"
#include "core/git/tree-edit.h"

struct merger {
	struct repo *r;
	const struct merge_input *in;
	struct tree_files base, theirs;
	struct tree_files ours; /* all of it, when something is missing there */
	const struct tree_file **our_renames, **their_renames; /* by base file */
	struct tree_file *our_files; /* of base's paths; mode 0 = absent */
	struct tree_change *changes; /* to ours */
	size_t nr_changes;
	struct conflicts *conflicts;
	struct err *e;
};

void conflicts_release(struct conflicts *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->v[i].path);
		free(c->v[i].kind);
		free(c->v[i].base.path);
		free(c->v[i].ours.path);
		free(c->v[i].theirs.path);
	}
	free(c->v);
	*c = (struct conflicts){ 0 };
}

static bool same(const struct tree_file *a, const struct tree_file *b)
{
	return a && b && a->mode == b->mode && oid_equal(&a->oid, &b->oid);
}

static struct merge_side side(const struct tree_file *f)
{
	if (!f)
		return (struct merge_side){ 0 };
	return (struct merge_side){ xstrdup(f->path), f->mode, f->oid };
}

static void clash(struct merger *m, const char *path, const char *kind,
		  const struct merge_three *t)
{
	*array_push(m->conflicts->v, m->conflicts->nr) = (struct conflict){
		.path = xstrdup(path),
		.kind = xstrdup(kind),
		.base = side(t->base),
		.ours = side(t->ours),
		.theirs = side(t->theirs),
	};
}

static void put(struct merger *m, const char *path, unsigned int mode,
		const struct oid *oid)
{
	struct tree_change *c = array_push(m->changes, m->nr_changes);

	*c = (struct tree_change){ .path = path, .present = mode != 0, .mode = mode };
	if (mode)
		c->oid = *oid;
}

static void put_file(struct merger *m, const struct tree_file *f)
{
	put(m, f->path, f->mode, &f->oid);
}

/* Our file at path: 1, 0 when there is none, negative on error. */
static int our_file(struct merger *m, const char *path, struct tree_file *ret)
{
	unsigned int mode;
	struct oid oid;
	int r = tree_lookup(m->r, &m->in->ours, path, &mode, &oid, m->e);

	*ret = (struct tree_file){ 0 };
	if (r <= 0 || mode == MODE_TREE)
		return r < 0 ? r : 0;
	*ret = (struct tree_file){ (char *)path, mode, oid };
	return 1;
}

/* Both sides have the file; what comes of it goes to path. */
static int join(struct merger *m, const char *path, const struct merge_three *t)
{
	struct merge_outcome out;

	if (merge_contents(m->r, t, &out, m->e) < 0)
		return -(int)m->e->code;
	if (out.conflict)
		clash(m, path, out.conflict, t);
	put(m, path, out.mode, &out.oid);
	return 0;
}

/* We moved the file, they changed it in its old place. */
static int our_rename(struct merger *m, const struct merge_three *t)
{
	const struct tree_file *added = tree_files_find(&m->theirs, t->ours->path);

	if (!t->theirs)
		clash(m, t->ours->path, "rename/delete", t);
	else if (!added)
		return join(m, t->ours->path, t);
	else if (!same(added, t->ours))
		clash(m, t->ours->path, "rename/add", t);
	return 0;
}

/* They moved the file, we have it in its old place, or no more. */
static int their_rename(struct merger *m, const struct merge_three *t)
{
	const char *path = t->theirs->path;
	struct merge_outcome out;
	struct tree_file added;
	int r = our_file(m, path, &added);

	if (r < 0)
		return r;
	if (!t->ours) {
		clash(m, path, "rename/delete", t);
		if (!r)
			put_file(m, t->theirs);
		return 0;
	}
	put(m, t->base->path, 0, NULL);
	if (!r)
		return join(m, path, t);
	if (same(&added, t->theirs))
		return 0;
	if (merge_contents(m->r, t, &out, m->e) < 0)
		return -(int)m->e->code;
	if (out.conflict || added.mode != out.mode || !oid_equal(&added.oid, &out.oid))
		clash(m, path, "rename/add", t);
	return 0;
}

static int both_renamed(struct merger *m, const struct merge_three *t)
{
	if (!strcmp(t->ours->path, t->theirs->path))
		return join(m, t->ours->path, t);
	clash(m, t->ours->path, "rename/rename", t);
	put_file(m, t->theirs);
	return 0;
}

/* The file is where it was, on the sides that have it. */
static int in_place(struct merger *m, const struct merge_three *t)
{
	const char *path = t->base->path;

	if (t->ours && t->theirs)
		return join(m, path, t);
	if (t->ours && same(t->ours, t->base)) {
		put(m, path, 0, NULL);
	} else if (t->ours) {
		clash(m, path, "modify/delete", t);
	} else if (t->theirs && !same(t->theirs, t->base)) {
		clash(m, path, "modify/delete", t);
		put_file(m, t->theirs);
	}
	return 0;
}

static int merge_base_file(struct merger *m, size_t i)
{
	struct merge_three t = { .base = &m->base.v[i], .their_name = m->in->their_name };
	bool we_moved = false, they_moved = false;

	t.ours = m->our_files[i].mode ? &m->our_files[i] : NULL;
	t.theirs = tree_files_find(&m->theirs, t.base->path);
	if (!t.ours && m->our_renames && m->our_renames[i]) {
		t.ours = m->our_renames[i];
		we_moved = true;
	}
	if (!t.theirs && m->their_renames[i]) {
		t.theirs = m->their_renames[i];
		they_moved = true;
	}
	if (we_moved && they_moved)
		return both_renamed(m, &t);
	if (we_moved)
		return our_rename(m, &t);
	return they_moved ? their_rename(m, &t) : in_place(m, &t);
}

static bool is_target(const struct merger *m, const struct tree_file **renames,
		      const char *path)
{
	for (size_t i = 0; renames && i < m->base.nr; i++)
		if (renames[i] && !strcmp(renames[i]->path, path))
			return true;
	return false;
}

/* A file they added. */
static int merge_added(struct merger *m, const struct tree_file *f)
{
	struct merge_three t = { .theirs = f, .their_name = m->in->their_name };
	struct tree_file ours;
	int r;

	if (tree_files_find(&m->base, f->path) ||
	    is_target(m, m->their_renames, f->path) ||
	    is_target(m, m->our_renames, f->path))
		return 0;
	r = our_file(m, f->path, &ours);
	if (r < 0)
		return r;
	t.ours = &ours;
	if (!r)
		put_file(m, f);
	else if (!same(&ours, f))
		return join(m, f->path, &t);
	return 0;
}

/* Our side of base's files, and where those went that are not in their place. */
static int read_ours(struct merger *m)
{
	bool missing = false;

	m->our_files = xcalloc(m->base.nr, sizeof(*m->our_files));
	for (size_t i = 0; i < m->base.nr; i++) {
		int r = our_file(m, m->base.v[i].path, &m->our_files[i]);

		if (r < 0)
			return r;
		missing |= !r;
	}
	if (!missing)
		return 0;
	if (tree_files(m->r, &m->in->ours, &m->ours, m->e) < 0)
		return -(int)m->e->code;
	return renames_find(m->r, &m->base, &m->ours, &m->our_renames, m->e);
}

static int read_sides(struct merger *m)
{
	if (tree_files(m->r, &m->in->base, &m->base, m->e) < 0 ||
	    tree_files(m->r, &m->in->theirs, &m->theirs, m->e) < 0 ||
	    renames_find(m->r, &m->base, &m->theirs, &m->their_renames, m->e) < 0)
		return -(int)m->e->code;
	return read_ours(m);
}

/* Changes of one path: the last one counts. */
static void drop_doubles(struct merger *m)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_changes; i++) {
		bool again = false;

		for (size_t k = i + 1; !again && k < m->nr_changes; k++)
			again = !strcmp(m->changes[i].path, m->changes[k].path);
		if (!again)
			m->changes[nr++] = m->changes[i];
	}
	m->nr_changes = nr;
}

static int write_merged(struct merger *m, struct oid *ret)
{
	_cleanup_free_ char *path = NULL;

	drop_doubles(m);
	if (tree_edit(m->r, &m->in->ours, m->changes, m->nr_changes, ret, &path, m->e) ==
	    0)
		return 0;
	if (!path)
		return -(int)m->e->code;
	err_release(m->e);
	clash(m, path, "file/directory", &(struct merge_three){ 0 });
	*ret = m->in->ours;
	return 0;
}

static int merge_all(struct merger *m, struct oid *ret)
{
	if (read_sides(m) < 0)
		return -(int)m->e->code;
	for (size_t i = 0; i < m->base.nr; i++)
		if (merge_base_file(m, i) < 0)
			return -(int)m->e->code;
	for (size_t i = 0; i < m->theirs.nr; i++)
		if (merge_added(m, &m->theirs.v[i]) < 0)
			return -(int)m->e->code;
	return write_merged(m, ret);
}

int merge_trees(struct repo *r, const struct merge_input *in, struct oid *ret,
		struct conflicts *conflicts, struct err *e)
{
	struct merger m = { .r = r, .in = in, .conflicts = conflicts, .e = e };
	int rc = merge_all(&m, ret);

	tree_files_release(&m.base);
	tree_files_release(&m.theirs);
	tree_files_release(&m.ours);
	free(m.our_renames);
	free(m.their_renames);
	free(m.our_files);
	free(m.changes);
	return rc;
}
