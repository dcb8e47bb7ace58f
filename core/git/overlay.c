// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/overlay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/diff-internal.h"
#include "core/git/objects.h"

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
	return tree_lookup(o->r, &o->tree, path, mode, oid, e);
}

int overlay_read(const struct overlay *o, unsigned int mode, const struct oid *oid,
		 struct buf *ret, struct err *e)
{
	if ((mode & MODE_TYPE) == MODE_GITLINK) {
		buf_addf(ret, GITLINK_TEXT "%s\n", oid->hex);
		return 0;
	}
	return repo_get(o->r, OBJECT_BLOB, oid, ret, e);
}

/* The id a node gets in its tree. */
static int node_write(struct overlay *o, struct node *n, struct err *e)
{
	static const size_t k = sizeof(GITLINK_TEXT) - 1;

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
	return repo_put(o->r, OBJECT_BLOB, &n->data, &n->from, &n->oid, e);
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
