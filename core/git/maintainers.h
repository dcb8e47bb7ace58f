// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The MAINTAINERS file of Linux: which git trees take changes of which files. Format as
 * told at the head of that file: F: and X: patterns, T: trees.
 */
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/strv.h"

struct maintainers_tree {
	char *section; /* "KERNEL VIRTUAL MACHINE (KVM)" */
	char *url;
	char *branch;	    /* NULL when none is named */
	size_t files;	    /* of those asked for that the section covers */
	size_t specificity; /* length of the longest pattern that did */
};

struct maintainers_trees {
	struct maintainers_tree *v; /* the most files first, then the most
				      specific; what takes everything last */
	size_t nr;
};

/* The trees for these paths; text is untrusted, sections past 100,000 lines are not read.
 */
void maintainers_find(const struct buf *text, const struct strv *paths,
		      struct maintainers_trees *ret);
void maintainers_release(struct maintainers_trees *t);
