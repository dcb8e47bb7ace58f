// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/objects.h"

#include <git2.h>
#include <malloc.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/git/objects-internal.h"
#include "core/git/promisor.h"
#include "core/git/sha1.h"

/* More than this in memory goes into a pack before the series is done. */
#define FLUSH_BYTES (64UL << 20)

static int by_id(const void *a, const void *b)
{
	return memcmp(a, b, GIT_OID_RAWSZ);
}

size_t objects_staged(const struct objects *o, const unsigned char id[20])
{
	const struct staged *const *s = tfind(id, &o->index, by_id);

	return s ? (*s)->nr : PACK_NO_BASE;
}

void objects_add(struct objects *o, enum object_type type, const unsigned char id[20],
		 const struct buf *data, size_t base, const struct buf *base_data)
{
	_cleanup_buf_ struct buf old = BUF_INIT;
	struct staged *s = xzalloc(sizeof(*s));

	if (base != PACK_NO_BASE && pack_type(o->pack, base) != type)
		base = PACK_NO_BASE;
	if (base != PACK_NO_BASE && !base_data) {
		pack_read(o->pack, base, &old);
		base_data = &old;
	}
	memcpy(s->id, id, sizeof(s->id));
	s->nr = pack_add(o->pack, type, id, data, base, base_data);
	xtsearch(s, &o->index, by_id);
}

int objects_room(struct repo *r, struct err *e)
{
	return pack_bytes(r->objects->pack) > FLUSH_BYTES ? repo_flush(r, e) : 0;
}

int repo_put(struct repo *r, enum object_type type, const struct buf *data,
	     const struct oid *old, struct oid *ret, struct err *e)
{
	struct objects *o = r->objects;
	size_t base = PACK_NO_BASE;
	git_oid id, old_id;

	if (git_odb_hash(&id, buf_str(data), data->len, (git_object_t)type) < 0)
		return git_fail(e, ERR_BAD_PATCH, "cannot hash an object");
	if (objects_staged(o, id.id) == PACK_NO_BASE) {
		if (objects_room(r, e) < 0)
			return -(int)e->code;
		if (old && oid_to_git(old, &old_id))
			base = objects_staged(o, old_id.id);
		objects_add(o, type, id.id, data, base, NULL);
	}
	*ret = oid_from_git(&id);
	return 0;
}

static int no_object(struct err *e, const struct oid *oid)
{
	git_fail(e, ERR_NO_BLOB, "cannot read object '%.12s'", oid->hex);
	return err_hint(e, "the repository lacks it; a full clone or `git fetch` may "
			   "bring it");
}

static bool fetch_missing(struct repo *r, const struct oid *oid)
{
	return promisor_fetch(r, oid) && git_odb_refresh(r->objects->odb) == 0;
}

int repo_get(struct repo *r, enum object_type type, const struct oid *oid,
	     struct buf *ret, struct err *e)
{
	git_odb_object *object = NULL;
	struct objects *o = r->objects;
	git_oid id;
	size_t nr;
	int rc = 0;

	if (!oid_to_git(oid, &id))
		return err_set(e, ERR_NO_BLOB, "'%s' is no object id", oid->hex);
	nr = objects_staged(o, id.id);
	if (nr != PACK_NO_BASE && pack_type(o->pack, nr) == type) {
		pack_read(o->pack, nr, ret);
		return 0;
	}
	rc = git_odb_read(&object, o->odb, &id);
	if (rc < 0 && fetch_missing(r, oid))
		rc = git_odb_read(&object, o->odb, &id);
	if (rc < 0)
		return no_object(e, oid);
	if (git_odb_object_type(object) != (git_object_t)type)
		rc = err_set(e, ERR_NO_BLOB, "object '%.12s' is of another type",
			     oid->hex);
	else
		buf_add(ret, git_odb_object_data(object), git_odb_object_size(object));
	git_odb_object_free(object);
	return rc;
}

int repo_blob_size(struct repo *r, const struct oid *oid, size_t *ret, struct err *e)
{
	git_object_t type;
	git_oid id;
	size_t len;
	int rc;

	if (!oid_to_git(oid, &id))
		return no_object(e, oid);
	rc = git_odb_read_header(&len, &type, r->objects->odb, &id);
	if (rc < 0 && fetch_missing(r, oid))
		rc = git_odb_read_header(&len, &type, r->objects->odb, &id);
	if (rc < 0)
		return no_object(e, oid);
	if (type != GIT_OBJECT_BLOB)
		return err_set(e, ERR_NO_BLOB, "object '%.12s' is no blob", oid->hex);
	*ret = len;
	return 0;
}

static void restart(struct objects *o)
{
	tdestroy(o->index, free);
	o->index = NULL;
	pack_free(o->pack);
	o->pack = pack_new();
}

void repo_discard(struct repo *r)
{
	if (pack_count(r->objects->pack))
		restart(r->objects);
}

int repo_flush(struct repo *r, struct err *e)
{
	struct objects *o = r->objects;
	_cleanup_free_ char *keep = NULL;
	git_buf dir = { 0 };
	int rc;

	if (!pack_count(o->pack))
		return 0;
	if (git_repository_item_path(&dir, r->git, GIT_REPOSITORY_ITEM_OBJECTS) < 0)
		return git_fail(e, ERR_IO, "cannot find the objects of '%s'",
				r->common_dir);
	rc = pack_write(o->pack, dir.ptr, &keep, e);
	git_buf_dispose(&dir);
	if (rc < 0)
		return err_wrap(e, "cannot write objects to '%s'", r->common_dir);
	strv_add(&o->keeps, keep);
	restart(o);
	return 0;
}

/*
 * A series allocates and frees the same few megabytes a thousand times; giving them back
 * to the kernel each time took a quarter of the run.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int objects_new(struct repo *r, struct err *e)
{
	struct objects *o = xzalloc(sizeof(*o));

	keep_memory();
	o->pack = pack_new();
	o->sha = sha1_new();
	r->objects = o;
	if (git_repository_odb(&o->odb, r->git) < 0 || objects_backend(o) < 0)
		return git_fail(e, ERR_IO, "cannot open the objects of '%s'",
				r->common_dir);
	return 0;
}

void objects_free(struct repo *r)
{
	struct objects *o = r->objects;

	if (!o)
		return;
	for (size_t i = 0; i < o->keeps.nr; i++)
		unlink(o->keeps.v[i]);
	strv_release(&o->keeps);
	git_odb_free(o->odb);
	trees_release(o);
	tdestroy(o->index, free);
	pack_free(o->pack);
	sha1_free(o->sha);
	free(o);
}
