// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What stages.c opens and shots.c uses. */
#include "cli/lab-choose.h"

struct lab {
	const struct arch *arch;
	struct ctx *c;
	struct run *run;
	const struct stage_opts *opts;
	struct lab_choice choice;
	struct target *target;
	struct kernel via;
	char *agent, *accel, *dir;
	struct strv environments; /* group, text: of the first boot of each group */
};

/* Warn of boots that measured in another environment than the first of their cell. */
void lab_watch_environment(struct lab *l, const struct shots *s);
