// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of commands, in the order help lists them. */
#include "cli/cmd.h"

#include <string.h>

extern const struct cmd cmd_apply;
extern const struct cmd cmd_bench;
extern const struct cmd cmd_bisect;
extern const struct cmd cmd_boot;
extern const struct cmd cmd_build;
extern const struct cmd cmd_claims;
extern const struct cmd cmd_compare;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_help;
extern const struct cmd cmd_queue;
extern const struct cmd cmd_report;
extern const struct cmd cmd_resume;
extern const struct cmd cmd_runs;
extern const struct cmd cmd_series;
extern const struct cmd cmd_show;
extern const struct cmd cmd_target;
extern const struct cmd cmd_triage;

/* clang-format off */
const struct cmd *const cmds[] = {
	&cmd_series,
	&cmd_apply,
	&cmd_diff,
	&cmd_build,
	&cmd_boot,
	&cmd_bench,
	&cmd_compare,
	&cmd_bisect,
	&cmd_queue,
	&cmd_claims,
	&cmd_triage,
	&cmd_report,
	&cmd_target,
	&cmd_runs,
	&cmd_show,
	&cmd_resume,
	&cmd_doctor,
	&cmd_help,
	NULL,
};
/* clang-format on */

const struct cmd *cmd_find(const char *name)
{
	for (const struct cmd *const *c = cmds; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}
