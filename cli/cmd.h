// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A command: one file cli/cmd-NAME.c that ends in `const struct cmd cmd_NAME`, one row in
 * cmds.c, one man page cli/man/kiln-NAME.1.scd, one test tests/t/NAME.t. A lint test
 * fails when any of them is missing.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/cfg.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/strv.h"

struct apply_rules;
struct opt;
struct repo;
struct run;
struct store;

/* What a command gets from main; borrowed for the time of the call. */
struct ctx {
	const char *command;
	struct cfg *cfg;
	struct store *store;	 /* with CMD_STORE */
	struct repo *repo;	 /* with CMD_TREE; may be NULL with CMD_MAYBE_TREE */
	struct run *resume;	 /* the run to continue, NULL for a new one */
	const struct strv *argv; /* as typed, without "kiln" and the global options */
	const struct strv *overrides;	 /* "key=value" of -c, may be NULL */
	const struct progress *progress; /* NULL when quiet or not on a terminal */
	const struct apply_rules *rules; /* NULL = git apply's defaults */
	bool threeway;			 /* merge where a patch does not apply */
	bool json, quiet;
};

enum cmd_needs {
	CMD_STORE = 1,
	CMD_TREE = 2, /* a repository: --tree, kiln.tree, or around the working folder */
	CMD_MAYBE_TREE = 4, /* as CMD_TREE, absence is no error */
};

struct cmd {
	const char *name, *summary;
	const char *usage;	/* arguments behind the options: "SOURCE" */
	const struct opt *opts; /* ends with a NULL name; main adds the common ones */
	size_t opts_size;	/* of the struct the rows' offsets point into */
	unsigned int needs;	/* enum cmd_needs */
	int min_args, max_args; /* max -1 = any number */
	/* The exit code (0, 1, 125), or a negative error for main to print. */
	int (*run)(struct ctx *c, const void *opts, const struct strv *args,
		   struct err *e);
};

/* All commands, in the order help lists them; NULL-terminated. */
extern const struct cmd *const cmds[];

/* By name; NULL when unknown. */
const struct cmd *cmd_find(const char *name);

/*
 * Parse argv (the command's name first) and run it; what main does after the global
 * options and what `kiln resume` does with a recorded command line. resume may be NULL.
 */
int cmd_dispatch(const struct strv *argv, const struct strv *overrides,
		 struct run *resume, struct err *e);
