// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How the programs of a build are run: with a fixed environment and search path always,
 * and inside bubblewrap when on: read-only system, no home, no network, processes that
 * die with kiln. Inside, source and output have the same paths on every machine.
 */
#include "core/base/err.h"
#include "core/base/strv.h"

struct sandbox {
	bool on;
	const char *src, *out; /* host paths; NULL when the program needs no tree */
	const char *ccache;    /* host path of ccache's folder, NULL = without ccache */
	bool ccache_off;       /* as if it were not there, with the same commands */
};

/* Append everything that goes in front of the program's own arguments. */
void sandbox_argv(const struct sandbox *s, struct strv *ret);

/* Source and output folder as the program sees them; borrowed. */
const char *sandbox_src(const struct sandbox *s);
const char *sandbox_out(const struct sandbox *s);

/* Whether ccache is where builds find it. */
bool sandbox_has_ccache(void);
