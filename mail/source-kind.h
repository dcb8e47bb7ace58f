// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside mail: the rows of the tables of sources (source.c) and archives (lookup.c). */
#include <stdbool.h>

#include "core/base/err.h"
#include "mail/lookup.h"
#include "mail/source.h"

/*
 * A kind of source. The first row that knows the source reads it, so what is spelled out
 * stands before what is guessed. read() appends to ret->box, and fills the other fields
 * with what it knows.
 */
struct source_kind {
	bool (*knows)(const char *source);
	int (*read)(const char *source, const struct source_opts *o,
		    struct source_mails *ret, struct err *e);
};

/*
 * A kind of archive: a place with many threads. find() appends the threads of all mails
 * that match. ERR_UNKNOWN_MESSAGE_ID or ERR_NO_RESULTS is a plain no, also to
 * a question of a kind the archive cannot answer, and the next archive is asked.
 */
struct archive_kind {
	bool (*knows)(const char *archive);
	bool network; /* asked after all others; with --offline from the cache only */
	int (*find)(const char *archive, const struct lookup *l,
		    const struct source_opts *o, struct box *ret, struct err *e);
};

extern const struct archive_kind archive_web;	  /* archive.c */
extern const struct archive_kind archive_notmuch; /* archive-notmuch.c */
extern const struct archive_kind archive_epoch;	  /* archive-epoch.c */
