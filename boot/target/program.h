// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Programs of the host that run on another machine: what they need to come along. */
#include "core/base/err.h"
#include "core/base/strv.h"

/* A program, the loader of its C library and the libraries it loads. Caller-owned. */
struct program {
	char *path;
	char *loader;	  /* NULL when it is static */
	struct strv libs; /* full paths */
};

/*
 * Find a program of the host and what it needs. ERR_TOOL_MISSING when there is none of
 * that name, ERR_TOOL_FAILED when a library is missing.
 */
_must_check_ int program_resolve(const char *name, struct program *ret, struct err *e);

void program_release(struct program *p);
#define _cleanup_program_ _cleanup_(program_release)
