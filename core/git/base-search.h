// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Where on a line of history the files are as a series expects them. Between two commits
 * that touch any of its files nothing changes for the series, so a line falls into
 * stretches, and only the newest commit of each is of interest.
 */
#include "core/git/base-index.h"
#include "core/series/series.h"

/* A file before the series: what blob the first patch that touches it starts from. */
struct base_file {
	char *path;
	char id[41];	 /* of the index line, maybe abbreviated; empty = not said */
	bool absent;	 /* the series makes the file */
	uint64_t lo, hi; /* of the blob's key; 0, 0 with absent */
};

struct base_files {
	struct base_file *v;
	size_t nr;
	size_t nr_known; /* those whose state before the series the mails tell */
};

/*
 * The files of a series. ERR_BAD_PATCH or ERR_UNSAFE_PATH when a diff does not parse.
 */
_must_check_ int base_files_of(const struct series *s, struct base_files *ret,
			       struct err *e);
void base_files_release(struct base_files *f);

struct base_stretch {
	size_t distance; /* of its newest commit */
	size_t matches;	 /* files that are as expected, of nr_known */
};

/*
 * The stretches of a line, newest first; array owned by the caller. ERR_TOO_BIG when
 * there are more changes of the files than memory should hold.
 */
struct base_stretches {
	struct base_stretch *v;
	size_t nr;
};
_must_check_ int base_search(struct repo *r, struct base_index *ix,
			     const struct base_line *l, const struct base_files *f,
			     struct base_stretches *ret, struct err *e);

/* How many of the files are as expected in the tree of a commit; no index is needed. */
_must_check_ int base_matches(struct repo *r, const struct oid *commit,
			      const struct base_files *f, size_t *ret, struct err *e);
