// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* `kiln queue missing X.Y`: the fixes that a stable tree and its queue lack. */
#include <stdbool.h>

#include "core/base/err.h"

struct ctx;

struct queue_missing_opts {
	const char *version; /* "6.1" */
	const char
		*mainline; /* revision, or folder of a repository; NULL = look for it */
	const char *onto;  /* the stable tree; NULL = linux-X.Y.y */
	const char *queue; /* checkout of the stable queue, or a folder of patches; NULL =
				 the working folder, when it is one */
	const char *failed; /* mailbox with mails of what failed to apply; NULL = none */
	bool asked;	    /* only what Cc: stable asks for */
	bool apply;	    /* try each */
};

/* The exit code: 1 when something is missing that nobody decided to leave out. */
_must_check_ int queue_missing(struct ctx *c, const struct queue_missing_opts *o,
			       struct err *e);
