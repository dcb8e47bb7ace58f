// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How closely patches have to fit: git apply's and git am's options, for commands that
 * apply a series. */
#include "cli/opt.h"
#include "core/git/rules.h"

struct apply_opts;
struct ctx;

/* A command's struct holds one and lists RULES_OPTS in its table. */
struct cli_rules_opts {
	bool threeway, ignore_space_change;
	char *context, *strip, *directory, *whitespace;
	struct strv include, exclude;
};

#define RULES_OPTS(type, m)                                                           \
	{ "3way",	  '3',                                                        \
	  OPT_FLAG,	  offsetof(type, m.threeway),                                 \
	  NULL,		  "merge what does not apply, from the blobs it was made on", \
	  "kiln.threeWay" },                                                          \
		{ "context",	 'C',                                                 \
		  OPT_STRING,	 offsetof(type, m.context),                           \
		  "N",		 "lines around a change that must fit; default: all", \
		  "kiln.context" },                                                   \
		{ "strip",    'p',                                                    \
		  OPT_STRING, offsetof(type, m.strip),                                \
		  "N",	      "folders to take off file names; default: 1",           \
		  NULL },                                                             \
		{ "directory", 0,                                                     \
		  OPT_STRING,  offsetof(type, m.directory),                           \
		  "DIR",       "put before all file names",                           \
		  NULL },                                                             \
		{ "include", 0,                                                       \
		  OPT_LIST,  offsetof(type, m.include),                               \
		  "PATTERN", "only files that match; may be repeated",                \
		  NULL },                                                             \
		{ "exclude", 0,                                                       \
		  OPT_LIST,  offsetof(type, m.exclude),                               \
		  "PATTERN", "no files that match; may be repeated",                  \
		  NULL },                                                             \
		{ "ignore-space-change",                                              \
		  0,                                                                  \
		  OPT_FLAG,                                                           \
		  offsetof(type, m.ignore_space_change),                              \
		  NULL,                                                               \
		  "let context differ in white space",                                \
		  "kiln.ignoreSpaceChange" },                                         \
	{                                                                             \
		"whitespace", 0, OPT_STRING, offsetof(type, m.whitespace),            \
			"nowarn|warn|fix|error",                                      \
			"errors in added lines; default: nowarn", "kiln.whitespace"   \
	}

/* Rules from options, or with o NULL from the configuration. The strings in *ret are o's.
 * ERR_USAGE names the option. */
_must_check_ int cli_rules(const struct cli_rules_opts *o, struct apply_rules *ret,
			   struct err *e);

/* Whether git am would merge: --3way, kiln.threeWay or am.threeWay. */
_must_check_ int cli_threeway(struct ctx *c, const struct cli_rules_opts *o, bool *ret,
			      struct err *e);
