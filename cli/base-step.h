// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The base of a series as apply and triage find it: named by the user, or looked for. */
#include "cli/opt.h"
#include "cli/source.h"
#include "core/git/base.h"
#include "core/store/run.h"

struct cli_base_opts {
	char *onto, *base, *branches;
	uint64_t depth; /* 0 = BASE_DEPTH */
};

/* clang-format off */
#define BASE_OPTS(type, m)                                                               \
	{ "onto", 0, OPT_STRING, offsetof(type, m.onto), "REV",                          \
	  "commit to apply to; default: look for one", "kiln.onto" },                    \
	{ "base", 0, OPT_STRING, offsetof(type, m.base), "auto|REV",                     \
	  "auto, the default: look for a commit that takes the series", "kiln.base" },   \
	{ "branches", 0, OPT_STRING, offsetof(type, m.branches), "PATTERN",              \
	  "branches and tags to look at; default: HEAD, branches, new tags",             \
	  "kiln.branches" },                                                             \
	{ "depth", 0, OPT_UINT, offsetof(type, m.depth), "N",                            \
	  "first parents to look at on each; default: 20000", "kiln.depth" }
/* clang-format on */

/* A base, and the commit the series goes on: the base with what the series needs on it. */
struct cli_base {
	struct base_choice choice;
	struct oid onto;
};
void cli_base_release(struct cli_base *b);
#define _cleanup_cli_base_ _cleanup_(cli_base_release)

/*
 * What the user named, else what base_choose() finds; prerequisites are put on it, kept by
 * refs/kiln/SERIES/vN-base/BASE. Says which, and why, on standard error. ERR_UNKNOWN_REV;
 * ERR_USAGE when both --onto and --base are given.
 */
struct cli_base_query {
	const struct series *series;
	const struct cli_source_opts *source; /* where prerequisites are looked for */
	const struct cli_base_opts *opts;
};
_must_check_ int cli_base(struct ctx *c, const struct cli_base_query *q,
			  struct cli_base *ret, struct err *e);

/*
 * The nearest base of a series that failed on one the user named, the prerequisites being
 * left out; "none" when there is none.
 */
_must_check_ int cli_base_nearest(struct ctx *c, const struct cli_base_query *q,
				  struct base_choice *ret, struct err *e);

/* Step "base": fixed for the run, so that branches may move before it is resumed. */
_must_check_ int step_base(struct ctx *c, struct run *r, const struct cli_base_query *q,
			   struct cli_base *ret, struct err *e);
