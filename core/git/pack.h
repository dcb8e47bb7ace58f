// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A git pack in the making, in memory (gitformat-pack(5), version 2, index version 2).
 * An object may be a delta on an earlier one of the same pack. For one thread, which a
 * second one helps.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct pack;

/* The numbers packs use for types, and libgit2. */
enum object_type { OBJECT_COMMIT = 1, OBJECT_TREE = 2, OBJECT_BLOB = 3 };

#define PACK_NO_BASE SIZE_MAX

struct pack *pack_new(void);

/*
 * Append an object and return its number in the pack. base is an earlier one of the same
 * type that has much in common with it, and base_data what it holds, or PACK_NO_BASE.
 */
size_t pack_add(struct pack *p, enum object_type type, const unsigned char id[20],
		const struct buf *data, size_t base, const struct buf *base_data);

size_t pack_count(const struct pack *p);
size_t pack_bytes(struct pack *p);
const unsigned char *pack_id(const struct pack *p, size_t nr);
enum object_type pack_type(const struct pack *p, size_t nr);
size_t pack_size(const struct pack *p, size_t nr);

/* Append what object nr holds. */
void pack_read(struct pack *p, size_t nr, struct buf *ret);

/*
 * Write pack and index into objects/pack, dir being objects. A ".keep" file, its path in
 * *ret_keep, stops gc from taking the objects before something refers to them.
 */
_must_check_ int pack_write(struct pack *p, const char *dir, char **ret_keep,
			    struct err *e);

void pack_free(struct pack *p);
