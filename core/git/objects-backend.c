// SPDX-License-Identifier: GPL-3.0-or-later
/* Staged objects as a backend of libgit2's object database: its merges read them there. */
#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/objects-internal.h"

/* Before all that libgit2 opens for a repository. */
#define PRIORITY 100

struct backend {
	git_odb_backend parent;
	struct objects *objects;
};

static size_t find(git_odb_backend *b, const git_oid *id)
{
	return objects_staged(((struct backend *)b)->objects, id->id);
}

static struct pack *pack_of(git_odb_backend *b)
{
	return ((struct backend *)b)->objects->pack;
}

static int on_read(void **data, size_t *len, git_object_t *type, git_odb_backend *b,
		   const git_oid *id)
{
	_cleanup_buf_ struct buf bytes = BUF_INIT;
	size_t nr = find(b, id);

	if (nr == PACK_NO_BASE)
		return GIT_ENOTFOUND;
	pack_read(pack_of(b), nr, &bytes);
	*data = git_odb_backend_data_alloc(b, bytes.len + 1);
	if (!*data)
		return GIT_ERROR;
	memcpy(*data, buf_str(&bytes), bytes.len + 1);
	*len = bytes.len;
	*type = (git_object_t)pack_type(pack_of(b), nr);
	return 0;
}

static int on_read_header(size_t *len, git_object_t *type, git_odb_backend *b,
			  const git_oid *id)
{
	size_t nr = find(b, id);

	if (nr == PACK_NO_BASE)
		return GIT_ENOTFOUND;
	*len = pack_size(pack_of(b), nr);
	*type = (git_object_t)pack_type(pack_of(b), nr);
	return 0;
}

static int on_exists(git_odb_backend *b, const git_oid *id)
{
	return find(b, id) != PACK_NO_BASE;
}

/* Few objects are made, and few are looked up by the first digits of an id. */
static int on_exists_prefix(git_oid *ret, git_odb_backend *b, const git_oid *prefix,
			    size_t len)
{
	const struct pack *p = pack_of(b);
	size_t found = PACK_NO_BASE;

	for (size_t i = 0; i < pack_count(p); i++) {
		git_oid id;

		git_oid_fromraw(&id, pack_id(p, i));
		if (git_oid_ncmp(&id, prefix, len))
			continue;
		if (found != PACK_NO_BASE)
			return GIT_EAMBIGUOUS;
		found = i;
		git_oid_cpy(ret, &id);
	}
	return found == PACK_NO_BASE ? GIT_ENOTFOUND : 0;
}

static int on_write(git_odb_backend *b, const git_oid *id, const void *data, size_t len,
		    git_object_t type)
{
	_cleanup_buf_ struct buf bytes = BUF_INIT;

	if (type != GIT_OBJECT_BLOB && type != GIT_OBJECT_TREE &&
	    type != GIT_OBJECT_COMMIT)
		return GIT_PASSTHROUGH;
	buf_add(&bytes, data, len);
	objects_add(((struct backend *)b)->objects, (enum object_type)type, id->id,
		    &bytes, PACK_NO_BASE, NULL);
	return 0;
}

static void on_free(git_odb_backend *b)
{
	free(b);
}

int objects_backend(struct objects *o)
{
	struct backend *b = xzalloc(sizeof(*b));
	int rc = git_odb_init_backend(&b->parent, GIT_ODB_BACKEND_VERSION);

	b->objects = o;
	b->parent.read = on_read;
	b->parent.read_header = on_read_header;
	b->parent.exists = on_exists;
	b->parent.exists_prefix = on_exists_prefix;
	b->parent.write = on_write;
	b->parent.free = on_free;
	if (rc == 0)
		rc = git_odb_add_backend(o->odb, &b->parent, PRIORITY);
	if (rc < 0)
		free(b);
	return rc;
}
