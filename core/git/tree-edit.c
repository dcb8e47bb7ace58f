// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/tree-edit.h"

#include <assert.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/objects.h"

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
	const char *name;
	size_t name_len;
};

static size_t group_init(struct group *g, const struct tree_change *v, size_t nr,
			 size_t prefix)
{
	size_t n = 0;

	*g = (struct group){ .len = prefix + strcspn(v->path + prefix, "/") };
	g->name = v->path + prefix;
	g->name_len = g->len - prefix;
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

/* A folder while it changes: what it had, less what goes, and what comes. */
struct folder {
	const struct tree *old; /* NULL for a new one */
	bool *gone;		/* by entry of old */
	struct added {
		const char *name;
		size_t len;
		unsigned int mode;
		struct oid oid;
	} * added;
	size_t nr_added;
};

static int edit_folder(struct edit *ed, const struct oid *tree,
		       const struct tree_change *v, size_t nr, size_t prefix,
		       struct oid *ret);

static void add_entry(struct folder *f, const struct group *g, unsigned int mode,
		      const struct oid *oid)
{
	*array_push(f->added, f->nr_added) =
		(struct added){ .name = g->name, .len = g->name_len, .mode = mode };
	f->added[f->nr_added - 1].oid = *oid;
}

/* 1 and *ret = the folder g names after its changes; 0 when nothing is left of it. */
static int edit_sub(struct edit *ed, const struct tree_entry *entry,
		    const struct group *g, struct oid *ret)
{
	bool is_tree = entry && entry->mode == MODE_TREE;
	struct oid from;

	if (is_tree)
		from = tree_entry_oid(entry);
	if (!g->nr_sub) {
		if (is_tree)
			*ret = from;
		return is_tree;
	}
	if (entry && !is_tree && (!g->leaf || g->leaf->present))
		return conflict(ed, g->sub, g->len);
	return edit_folder(ed, is_tree ? &from : NULL, g->sub, g->nr_sub, g->len + 1,
			   ret);
}

static int edit_group(struct edit *ed, struct folder *f, const struct group *g)
{
	const struct tree_entry *entry = f->old ? tree_find(f->old, g->name, g->name_len)
						: NULL;
	struct oid id;
	int r = edit_sub(ed, entry, g, &id);

	if (r < 0)
		return r;
	if (g->leaf && g->leaf->present && r)
		return conflict(ed, g->leaf, g->len);
	if (entry)
		f->gone[entry - f->old->v] = true;
	if (g->leaf && g->leaf->present)
		add_entry(f, g, g->leaf->mode, &g->leaf->oid);
	else if (r)
		add_entry(f, g, MODE_TREE, &id);
	return 0;
}

static int edit_groups(struct edit *ed, struct folder *f, const struct tree_change *v,
		       size_t nr, size_t prefix)
{
	for (size_t i = 0; i < nr;) {
		struct group g;

		i += group_init(&g, v + i, nr - i, prefix);
		if (edit_group(ed, f, &g) < 0)
			return -(int)ed->e->code;
	}
	return 0;
}

static int by_name(const void *va, const void *vb)
{
	const struct added *a = va, *b = vb;

	return tree_compare(a->name, a->len, a->mode == MODE_TREE, b->name, b->len,
			    b->mode == MODE_TREE);
}

static void put_added(const struct added *a, struct buf *ret)
{
	git_oid id = { 0 };

	if (!oid_to_git(&a->oid, &id))
		assert(!"an id made by us");
	buf_addf(ret, "%o ", a->mode);
	buf_add(ret, a->name, a->len);
	buf_addc(ret, '\0');
	buf_add(ret, id.id, sizeof(id.id));
}

/* Both sorted lists as one; false when nothing is left. */
static bool join(struct folder *f, struct buf *ret)
{
	size_t k = 0, nr = f->old ? f->old->nr : 0;

	if (f->nr_added)
		qsort(f->added, f->nr_added, sizeof(*f->added), by_name);
	buf_room(ret, f->old ? f->old->bytes.len + 64 : 64);
	for (size_t i = 0; i < nr; i++) {
		const struct tree_entry *t = &f->old->v[i];
		size_t len = strlen(t->name);
		const char *start = i ? (const char *)t[-1].id + 20
				      : buf_str(&f->old->bytes);

		if (f->gone[i])
			continue;
		for (; k < f->nr_added; k++) {
			const struct added *a = &f->added[k];

			if (tree_compare(a->name, a->len, a->mode == MODE_TREE, t->name,
					 len, t->mode == MODE_TREE) > 0)
				break;
			put_added(a, ret);
		}
		buf_add(ret, start, (size_t)((const char *)t->id + 20 - start));
	}
	for (; k < f->nr_added; k++)
		put_added(&f->added[k], ret);
	return ret->len != 0;
}

/* As edit_sub(), for the folder whose path is the first prefix bytes. */
static int edit_folder(struct edit *ed, const struct oid *tree,
		       const struct tree_change *v, size_t nr, size_t prefix,
		       struct oid *ret)
{
	_cleanup_buf_ struct buf bytes = BUF_INIT;
	struct folder f = { 0 };
	int r = 0;

	if (tree && repo_tree(ed->r, tree, &f.old, ed->e) < 0)
		return -(int)ed->e->code;
	f.gone = xcalloc(f.old ? f.old->nr : 0, sizeof(*f.gone));
	r = edit_groups(ed, &f, v, nr, prefix);
	if (r == 0 && (join(&f, &bytes) || !prefix)) {
		r = repo_put_tree(ed->r, &bytes, tree, ret, ed->e);
		if (r == 0)
			r = 1;
	}
	free(f.gone);
	free(f.added);
	return r;
}

int tree_edit(struct repo *r, const struct oid *base, struct tree_change *v, size_t nr,
	      struct oid *ret, char **ret_conflict, struct err *e)
{
	struct edit ed = { .r = r, .e = e };

	if (nr)
		qsort(v, nr, sizeof(*v), by_path);
	if (edit_folder(&ed, base, v, nr, 0, ret) < 0) {
		if (ret_conflict)
			*ret_conflict = take_ptr(ed.conflict);
		free(ed.conflict);
		return -(int)e->code;
	}
	return 0;
}
