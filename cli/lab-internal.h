// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What stages.c opens and shots.c uses. */
#include "cli/stages.h"

struct lab {
	struct ctx *c;
	struct run *run;
	const struct stage_opts *opts;
	const struct benchmark *bench;
	const struct cell *cells[4];
	size_t nr_cells;
	struct target *target;
	struct kernel via;
	char *agent, *program, *accel, *dir;
};
