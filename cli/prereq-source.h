// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Prerequisites from mail sources, for core/git/prereq.h. */
#include "cli/source.h"

/* The ctx of the table. */
struct cli_prereqs {
	struct ctx *c;
	const struct cli_source_opts *o;
};

/* prereq_source.find: the series of the mail that a prerequisite names. */
_must_check_ int cli_prereq_find(void *ctx, const struct prerequisite *p,
				 struct series **ret, struct err *e);
