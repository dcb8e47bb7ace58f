// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Programs kiln runs. */
#include <stdbool.h>

struct tool {
	const char *name;    /* of the finding */
	const char *program; /* on PATH */
	const char *option;  /* that makes it say its version */
	const char *package; /* Debian's */
	const char *without; /* what kiln does without it */
	bool required;
};

/* The i-th one, NULL behind the last. */
const struct tool *tool_at(unsigned int i);

/* First line of what the program says of itself, printable and owned; NULL when it is not
 * there or does not run. */
char *tool_version(const char *program, const char *option);
