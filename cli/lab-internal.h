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

/*
 * What the processor of the lab's machine is called in lab_choose(). A machine that is
 * reached by ssh is asked, as a step, where guests are to be measured.
 */
_must_check_ int lab_machine(struct lab *l, const char **ret, struct err *e);

/* ERR_POLICY where what was chosen needs guests, and that machine is known to have none. */
_must_check_ int lab_check_guests(const struct lab *l, const char *machine,
				  struct err *e);

/* Warn of boots that measured in another environment than the first of their cell. */
void lab_watch_environment(struct lab *l, const struct shots *s);
