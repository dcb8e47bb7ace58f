// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The two versions that `kiln diff` compares: which they are, and their patches. */
#include "cli/source.h"
#include "core/git/range-diff.h"

/* One version. Strings owned. */
struct diff_side {
	char *source;	  /* as given, without the revision */
	struct series *s; /* NULL for a range of commits */
	struct oid base;  /* what its commits stand on, none when they do not exist */
	char *why_mailed; /* why there are no commits, else NULL */
	struct range range;
};

struct diff_sides {
	struct diff_side old, new;
	struct range_texts *texts; /* of both */
};

/*
 * Read the versions that the arguments name: SOURCE[@vN] and then nothing (the revision
 * before N, or the two newest), @vM, or another SOURCE[@vN]. A SOURCE may be a range of
 * commits, BASE..HEAD. Each series is put on a commit of its own in memory: onto when
 * given, else the base it names, else HEAD; when either cannot be, both are compared as
 * mailed and why_mailed says so.
 */
_must_check_ int diff_sides_read(struct ctx *c, const struct cli_source_opts *o,
				 const struct strv *args, const char *onto,
				 struct diff_sides *ret, struct err *e);
void diff_sides_release(struct diff_sides *s);
