// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files whole, folders deep, and where kiln keeps its own. Paths in errors are quoted. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"
#include "core/base/buf.h"
#include "core/base/err.h"

/* Append the file's bytes to ret; more than max bytes is ERR_TOO_BIG. "-" is standard
 * input. */
_must_check_ int fs_read(const char *path, size_t max, struct buf *ret, struct err *e);

/* As fs_read() from an open descriptor; name is for the error text. */
_must_check_ int fs_read_fd(int fd, const char *name, size_t max, struct buf *ret,
			    struct err *e);

/* Replace or create: temporary file beside it, fsync, rename. Readers see old or new,
 * never half. */
_must_check_ int fs_write(const char *path, const void *data, size_t len, struct err *e);

/*
 * The same for what is written piece by piece: a new file beside path, and its rename to
 * path. Between the two, who gives up removes *ret_temp; a failed commit has removed it.
 */
_must_check_ int fs_temp(const char *path, int *ret_fd, char **ret_temp, struct err *e);
_must_check_ int fs_temp_commit(int fd, const char *temp, const char *path,
				unsigned int mode, struct err *e);

/* All of the bytes to a descriptor. */
_must_check_ int fs_write_fd(int fd, const void *data, size_t len, struct err *e);

/* mkdir -p, mode 0700 for what is created. */
_must_check_ int fs_mkdirs(const char *path, struct err *e);

/* Copy a regular file with its permission bits; to is replaced atomically. */
_must_check_ int fs_copy(const char *from, const char *to, struct err *e);

/* Remove a file or a whole folder; symbolic links are not followed. Absent is success. */
_must_check_ int fs_remove_tree(const char *path, struct err *e);

bool fs_exists(const char *path);
bool fs_is_dir(const char *path);

/* "DIR/NAME", owned by the caller. */
_must_check_ char *fs_path(const char *dir, const char *name);

/* Full path of a program on PATH, or of path itself when it has a slash; NULL when
 * absent. */
_must_check_ char *fs_find_program(const char *name);

/* $KILN_HOME/cache, else $XDG_CACHE_HOME/kiln, else ~/.cache/kiln; created by who writes
 * there. */
_must_check_ char *fs_cache_dir(void);

/* $KILN_HOME/state, else $XDG_STATE_HOME/kiln, else ~/.local/state/kiln. */
_must_check_ char *fs_state_dir(void);

/*
 * Exclusive lock on path (created), held until the descriptor closes. Waits up to
 * timeout_ms, then ERR_TIMEOUT naming the path. The kernel drops it when kiln dies.
 */
_must_check_ int fs_lock(const char *path, int timeout_ms, int *ret_fd, struct err *e);
