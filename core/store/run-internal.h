// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/store only: a run, as its parts run.c and steps.c see it. */
#include "core/store/run.h"

struct run {
	struct store *store; /* borrowed */
	struct run_info info;
	char *dir; /* NULL until asked for */
	int lock;  /* claimed while >= 0 */
};
