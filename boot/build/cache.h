// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The kernel cache: one folder <cache>/builds/<key> a build, with bzImage, config, log
 * and, written last, meta. An entry without a sound meta does not exist.
 */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/store/records.h"

/*
 * 1 and the record filled (but for commit, cached and seconds) on a hit, 0 on a miss. A
 * hit makes the entry the one used last.
 */
_must_check_ int cache_load(const struct oid *key, struct build_record *ret);

/* Files of an entry to be kept; image_fd -1 when there is none. */
struct cache_files {
	const char *config;
	size_t config_len;
	int image_fd;
	const char *log;	    /* path of the log, copied */
	const char *modules;	    /* path of a folder with modules, moved there; NULL:
				       there are none */
	const struct buf *warnings; /* text of warnings.h */
};

/* Keep an answer; sets rec->image, rec->modules and rec->log to the cached files. */
_must_check_ int cache_store(const struct oid *key, const struct cache_files *f,
			     struct build_record *rec, struct err *e);

/* The warnings of a build that is kept: 1; 0 when they were not, or are damaged. */
struct warnings;
_must_check_ int cache_load_warnings(const struct build_record *rec,
				     struct warnings *ret);
/* Held by who removes an entry, and by who finds one until its use shows. */
_must_check_ int cache_lock(int *ret_fd, struct err *e);

/* The text of meta, and back: false when it is not whole. Exposed for tests. */
void cache_meta_write(const struct build_record *rec, uint64_t image_size,
		      struct buf *ret);
_must_check_ bool cache_meta_read(const char *text, struct build_record *ret,
				  uint64_t *ret_image_size);
