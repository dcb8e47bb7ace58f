// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cli/diff-side.h"

/* Print the document of `kiln diff --json`, docs/json.md. */
_must_check_ int json_diff(const struct diff_sides *d, const struct range_pair *v,
			   size_t nr, struct err *e);
