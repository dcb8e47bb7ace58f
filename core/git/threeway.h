// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What git am -3 does with a patch that does not apply. */
#include "core/git/apply-patch.h"
#include "core/git/merge.h"

struct threeway {
	struct oid tree;     /* what the patch is to go on */
	const char *subject; /* for conflict markers */
	const struct apply_rules *rules;
};

/*
 * Build the tree of the files the patch names from the blobs of its index lines, put the
 * patch on that and merge the difference into in->tree; *ret is the result, the same tree
 * when the patch was there already.
 *
 * ERR_NO_BLOB when blobs are missing, naming all; ERR_HUNK when the patch does not fit
 * its own blobs; ERR_CONFLICT with *conflicts filled and *ret set; failure says more.
 */
_must_check_ int threeway_apply(struct repo *r, const struct diff *d,
				const struct threeway *in, struct oid *ret,
				struct conflicts *conflicts, struct file_failure *failure,
				struct err *e);
