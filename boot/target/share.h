// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Folders that machines see read-only over 9p. The tools folder holds what L0 needs to
 * run L1: QEMU, the libraries it was linked with and the firmware it loads, and nothing
 * else of the host, as the kernel that reads it is not trusted.
 */
#include "core/base/err.h"

/*
 * The tools folder in the cache, assembled unless one made from the same files is there:
 * "ld.so", "lib/", "qemu" and "fw/". *ret is its path, *ret_digest the digest of all that
 * is in it, both owned by the caller.
 */
_must_check_ int share_tools(char **ret, char **ret_digest, struct err *e);

/* A folder of one boot's own in the cache, locked while lock is open. Caller-owned. */
struct share_boot {
	char *dir;
	int lock;
};

/* Make one; leftovers of boots whose kiln died are removed first. */
_must_check_ int share_boot_make(struct share_boot *ret, struct err *e);

/* Remove it with all that is in it. */
void share_boot_release(struct share_boot *b);

/* Put a file into a folder under that name, as a hard link where that works, else as a
 * copy. */
_must_check_ int share_add(const char *dir, const char *name, const char *from,
			   struct err *e);
