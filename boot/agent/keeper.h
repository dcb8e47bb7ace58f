// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What stays on a machine of its own: it keeps a role's port beyond the connections. */
#include <stdbool.h>

/* Borrowed strings. */
struct keeper_opts {
	const char *dir, *token, *socket;
	int listen; /* on that socket */
	bool base;  /* the role is base, else candidate */
};

/* Does not return. */
void keeper_run(const struct keeper_opts *o) __attribute__((noreturn));
