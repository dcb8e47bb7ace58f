// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A quilt series as a source: a folder with a file "series" (or "patches/series") that
 * names patches in order, quilt(1). Patches may be mails as git format-patch makes them,
 * have a DEP-3 header, free text or nothing above the diff.
 */
#include "core/base/strv.h"
#include "core/series/series.h"
#include "mail/source.h"

struct quilt_entry {
	char *name;
	int strip;    /* -pN, 1 when not given */
	bool reverse; /* -R */
	unsigned long line;
};

struct quilt_list {
	struct quilt_entry *v;
	size_t nr;
};

/*
 * The lines of a series file: comments, blanks and Windows line ends are taken off.
 * ERR_BAD_PATCH names the line of an option that is none, a name that leaves the folder,
 * or one that is there twice; ERR_TOO_BIG above 10000 patches.
 */
_must_check_ int quilt_list_read(const struct buf *text, struct quilt_list *ret,
				 struct err *e);
void quilt_list_release(struct quilt_list *l);
#define _cleanup_quilt_list_ _cleanup_(quilt_list_release)

/*
 * One patch file into p: author, date, message and diff, whose names get the one leading
 * folder that patches have by default. Of message-id, author and date what the file does
 * not say stays unset; a missing title is made of the name.
 */
void quilt_patch_read(const struct buf *text, const struct quilt_entry *entry,
		      struct patch *p);

/* Whether the source is such a folder, and its patches as mails. ERR_NOT_FOUND names a
 * patch whose file is missing, ERR_NO_PATCHES when the series names none. */
bool quilt_knows(const char *source);
_must_check_ int quilt_read(const char *source, const struct source_opts *o,
			    struct source_mails *ret, struct err *e);
