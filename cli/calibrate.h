// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How well a target repeats: one kernel in several layouts of its code, several boots of
 * each, kept in the store for compare and bisect.
 */
#include "cli/stages.h"

struct calibrate_opts {
	bool on;
	uint64_t layouts; /* 0 = 3 */
};

/* clang-format off */
#define CALIBRATE_ROWS(type, m)                                                          \
	{ "calibrate", 0, OPT_FLAG, offsetof(type, m.on), NULL,                          \
	  "measure how well the target repeats, for compare and bisect", NULL },         \
	{ "layouts", 0, OPT_UINT, offsetof(type, m.layouts), "N",                        \
	  "with --calibrate: layouts of the code; default 3", NULL }
/* clang-format on */

/* ERR_USAGE for what cannot be, before anything is built. */
_must_check_ int calibrate_check(const struct calibrate_opts *o,
				 const struct stage_opts *stage, size_t revs,
				 struct err *e);

/*
 * Measure commit, 5 boots of each layout unless --boots says otherwise, keep what every
 * cell of the lab tells, and print it. A kernel that does not build or boot is the error
 * that says so.
 */
_must_check_ int calibrate(struct lab *l, const struct oid *commit,
			   const struct calibrate_opts *o, bool json, struct err *e);
