// SPDX-License-Identifier: GPL-3.0-or-later
/* Trees parsed and kept. */
#include <git2.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/objects-internal.h"
#include "core/git/sha1.h"

/* Trees of a kernel's whole history of one series fit well. */
#define TREE_BYTES (32UL << 20)

struct cached {
	unsigned char id[20];
	struct tree tree;
};

static int by_id(const void *a, const void *b)
{
	return memcmp(a, b, 20);
}

static void cached_free(void *p)
{
	struct cached *c = p;

	buf_release(&c->tree.bytes);
	free(c->tree.v);
	free(c);
}

void trees_release(struct objects *o)
{
	tdestroy(o->trees, cached_free);
	o->trees = NULL;
	o->tree_bytes = 0;
}

void repo_trim(struct repo *r)
{
	if (r->objects->tree_bytes > TREE_BYTES)
		trees_release(r->objects);
}

/* One entry at p: octal mode, blank, name, NUL, id. NULL when it is malformed. */
static const char *parse_entry(const char *p, const char *end, struct tree_entry *ret)
{
	const char *nul = memchr(p, '\0', (size_t)(end - p));

	*ret = (struct tree_entry){ 0 };
	if (!nul || end - nul < 21)
		return NULL;
	for (; *p >= '0' && *p <= '7'; p++)
		ret->mode = ret->mode << 3 | (unsigned int)(*p - '0');
	if (*p != ' ' || p[1] == '\0')
		return NULL;
	ret->name = p + 1;
	ret->id = (const unsigned char *)nul + 1;
	return nul + 21;
}

static bool parse(struct tree *t)
{
	const char *p = buf_str(&t->bytes), *end = p + t->bytes.len;

	while (p && p < end)
		p = parse_entry(p, end, array_push(t->v, t->nr));
	return p != NULL;
}

/* Takes the bytes. NULL when they are no tree. */
static const struct tree *keep(struct objects *o, const unsigned char id[20],
			       struct buf *bytes)
{
	struct cached *c = xzalloc(sizeof(*c));

	memcpy(c->id, id, sizeof(c->id));
	c->tree.bytes = *bytes;
	*bytes = (struct buf)BUF_INIT;
	if (!parse(&c->tree)) {
		cached_free(c);
		return NULL;
	}
	xtsearch(c, &o->trees, by_id);
	o->tree_bytes += c->tree.bytes.len + c->tree.nr * sizeof(*c->tree.v);
	return &c->tree;
}

static const struct tree *kept(const struct objects *o, const unsigned char id[20])
{
	struct cached *const *c = tfind(id, &o->trees, by_id);

	return c ? &(*c)->tree : NULL;
}

int repo_tree(struct repo *r, const struct oid *oid, const struct tree **ret,
	      struct err *e)
{
	_cleanup_buf_ struct buf bytes = BUF_INIT;
	const struct tree *t;
	git_oid id;

	if (!oid_to_git(oid, &id))
		return err_set(e, ERR_NO_BLOB, "'%s' is no tree", oid->hex);
	t = kept(r->objects, id.id);
	if (!t) {
		if (repo_get(r, OBJECT_TREE, oid, &bytes, e) < 0)
			return -(int)e->code;
		t = keep(r->objects, id.id, &bytes);
	}
	if (!t)
		return err_set(e, ERR_IO, "tree '%.12s' is broken", oid->hex);
	*ret = t;
	return 0;
}

/*
 * A tree's id, by a hash that does not detect forged collisions: what a mail can put
 * there are names and modes, and the ids of blobs, which are hashed with care.
 */
static void hash(struct objects *o, const struct buf *data, unsigned char ret[20])
{
	_cleanup_buf_ struct buf head = BUF_INIT;

	buf_addf(&head, "tree %zu", data->len);
	buf_addc(&head, 0);
	sha1_add(o->sha, head.data, head.len);
	sha1_add(o->sha, buf_str(data), data->len);
	sha1_end(o->sha, ret);
}

/* A folder that was changed is hardly looked at again. */
static void forget(struct objects *o, const unsigned char id[20])
{
	struct cached *const *found = tfind(id, &o->trees, by_id);
	struct cached *c = found ? *found : NULL;

	if (!c)
		return;
	o->tree_bytes -= c->tree.bytes.len + c->tree.nr * sizeof(*c->tree.v);
	tdelete(id, &o->trees, by_id);
	cached_free(c);
}

int repo_put_tree(struct repo *r, struct buf *bytes, const struct oid *old,
		  struct oid *ret, struct err *e)
{
	struct objects *o = r->objects;
	const struct tree *before = NULL;
	size_t base = PACK_NO_BASE;
	git_oid id, old_id;

	hash(o, bytes, id.id);
	if (objects_staged(o, id.id) == PACK_NO_BASE) {
		if (objects_room(r, e) < 0)
			return -(int)e->code;
		if (old && oid_to_git(old, &old_id))
			before = kept(o, old_id.id);
		if (before)
			base = objects_staged(o, old_id.id);
		objects_add(o, OBJECT_TREE, id.id, bytes, base,
			    before ? &before->bytes : NULL);
	}
	*ret = oid_from_git(&id);
	if (!kept(o, id.id) && !keep(o, id.id, bytes))
		return err_set(e, ERR_INTERNAL, "made a broken tree");
	if (before && !oid_equal(old, ret))
		forget(o, old_id.id);
	return 0;
}

int tree_compare(const char *a, size_t a_len, bool a_tree, const char *b, size_t b_len,
		 bool b_tree)
{
	size_t n = a_len < b_len ? a_len : b_len;
	int r = memcmp(a, b, n);
	unsigned char x, y;

	if (r)
		return r;
	x = n < a_len ? (unsigned char)a[n] : a_tree ? '/' : '\0';
	y = n < b_len ? (unsigned char)b[n] : b_tree ? '/' : '\0';
	return (x > y) - (x < y);
}

static const struct tree_entry *find_as(const struct tree *t, const char *name, size_t n,
					bool is_tree)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		const struct tree_entry *m = &t->v[lo + (hi - lo) / 2];
		int r = tree_compare(m->name, strlen(m->name), m->mode == MODE_TREE, name,
				     n, is_tree);

		if (r == 0)
			return m;
		if (r < 0)
			lo = (size_t)(m - t->v) + 1;
		else
			hi = (size_t)(m - t->v);
	}
	return NULL;
}

const struct tree_entry *tree_find(const struct tree *t, const char *name, size_t n)
{
	const struct tree_entry *m = find_as(t, name, n, false);

	/* A folder "a" sorts as "a/", which no name can be. */
	return m ? m : find_as(t, name, n, true);
}

struct oid tree_entry_oid(const struct tree_entry *t)
{
	git_oid id;

	git_oid_fromraw(&id, t->id);
	return oid_from_git(&id);
}

int tree_lookup(struct repo *r, const struct oid *root, const char *path,
		unsigned int *mode, struct oid *oid, struct err *e)
{
	struct oid at = *root;

	for (;;) {
		size_t n = strcspn(path, "/");
		const struct tree_entry *m;
		const struct tree *t;

		if (repo_tree(r, &at, &t, e) < 0)
			return -(int)e->code;
		m = tree_find(t, path, n);
		if (!m || (path[n] && m->mode != MODE_TREE))
			return 0;
		at = tree_entry_oid(m);
		if (!path[n]) {
			*mode = m->mode;
			*oid = at;
			return 1;
		}
		path += n + 1;
	}
}
