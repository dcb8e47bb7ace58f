// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Options as a table over getopt_long(). The same rows give parsing, -h, the man page
 * check and completion. Every option has a configuration key that sets its default.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/cfg.h"
#include "core/base/err.h"
#include "core/base/strv.h"

enum opt_type {
	OPT_FLAG,     /* bool */
	OPT_STRING,   /* char *, owned, NULL when not given */
	OPT_UINT,     /* uint64_t */
	OPT_DOUBLE,   /* double */
	OPT_DURATION, /* uint64_t seconds */
	OPT_LIST,     /* struct strv, may be repeated */
};

struct opt {
	const char *name; /* long name without dashes; NULL ends a table */
	char letter;	  /* 0 = none */
	enum opt_type type;
	size_t offset;	  /* of the field in the command's struct */
	const char *arg;  /* name of the value in help, NULL for flags */
	const char *help; /* one line */
	const char *key; /* configuration key of the default, NULL for per-call options */
};

/*
 * Fill opts (zeroed, or preset with defaults) from configuration, then from argv (argv[0]
 * is skipped); what is left goes to args. ERR_USAGE names the option. Two tables are
 * merged: the command's and the common one; common rows point into common_opts.
 */
struct opt_tables {
	const struct opt *own, *common;
	void *own_opts, *common_opts;
};
_must_check_ int opt_parse(const struct opt_tables *t, const struct strv *argv,
			   struct strv *args, struct err *e);

/* Apply the keys of one table's rows; done before opt_parse(). */
_must_check_ int opt_defaults(const struct opt *table, void *opts, const struct cfg *cfg,
			      struct err *e);

/* Rows as indented help text. */
void opt_help(const struct opt *table, struct buf *ret);

/* Free what the rows' fields own. */
void opt_release(const struct opt *table, void *opts);
