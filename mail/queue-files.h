// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The files of a stable queue as bytes, so that a run works on what was there when it
 * began: one file holds them all.
 */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/strv.h"

#define QUEUE_MAX_FILES 20000

struct queue_file {
	char *name; /* "series", "x.patch", "../dropped_commits", "../queue-6.6" */
	struct buf text;
};

struct queue_files {
	char *folder; /* that was read, "queue-6.1" and its parents */
	struct queue_file *v;
	size_t nr;
};

/*
 * Read a quilt folder, or the "patches" in one: its series, what that names, what lies
 * beside it and is not named, and of a checkout of the stable queue the lists above it
 * (dropped_commits, ignore_list, active_kernel_versions) and what the queues of newer
 * versions bring (queue-siblings.h). Files that are not there are left out. ERR_NOT_FOUND
 * when there is no series file, ERR_TOO_BIG.
 */
_must_check_ int queue_files_read(const char *folder, struct queue_files *ret,
				  struct err *e);

/* The folder for `kiln queue X.Y`: DIR/queue-X.Y. ERR_NOT_FOUND lists the queues that are
 * there, in the order of versions. Owned by the caller. */
_must_check_ int queue_files_folder(const char *dir, const char *version, char **ret,
				    struct err *e);

/* The names in a folder, sorted. ERR_NOT_FOUND. */
_must_check_ int queue_files_list(const char *folder, struct strv *ret, struct err *e);

/* An empty file of that name, valid until the next is added. */
struct buf *queue_files_add(struct queue_files *f, const char *name);

/* As one file, and back; ERR_STORE when that is damaged. */
void queue_files_pack(const struct queue_files *f, struct buf *ret);
_must_check_ int queue_files_unpack(const struct buf *text, struct queue_files *ret,
				    struct err *e);

/* NULL when there is none of that name. */
const struct buf *queue_files_find(const struct queue_files *f, const char *name);

void queue_files_release(struct queue_files *f);
#define _cleanup_queue_files_ _cleanup_(queue_files_release)
