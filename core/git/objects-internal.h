// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files about a repository's objects share. */
#include "core/git/objects.h"

struct git_odb;
struct sha1;

/* An object made here: first the id, as the search trees want it. */
struct staged {
	unsigned char id[20];
	size_t nr; /* in the pack */
};

struct objects {
	struct git_odb *odb;
	struct pack *pack;
	void *index; /* of struct staged, for tsearch() */
	void *trees; /* of struct cached, too */
	size_t tree_bytes;
	struct strv keeps; /* files that hold gc off */
	struct sha1 *sha;
};

/* Let libgit2 read what is staged, and stage what it writes. */
_must_check_ int objects_backend(struct objects *o);

/*
 * As repo_put() for bytes whose id is known and which are not staged yet. base_data may be
 * NULL.
 */
void objects_add(struct objects *o, enum object_type type, const unsigned char id[20],
		 const struct buf *data, size_t base, const struct buf *base_data);

/* Flush when much is staged; numbers in the pack do not outlive it. */
_must_check_ int objects_room(struct repo *r, struct err *e);

/* The number in the pack of an object made here, PACK_NO_BASE when it was not. */
size_t objects_staged(const struct objects *o, const unsigned char id[20]);

void trees_release(struct objects *o);
