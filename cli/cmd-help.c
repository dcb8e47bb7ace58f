// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"

static int help_run(struct ctx *c, const void *opts, const struct strv *args,
		    struct err *e)
{
	(void)c;
	(void)opts;
	if (args->nr) {
		_cleanup_strv_ struct strv argv = STRV_INIT;

		strv_addl(&argv, args->v[0], "--help", NULL);
		return cmd_dispatch(&argv, NULL, NULL, e);
	}
	out_text("usage: kiln [-c KEY=VALUE] COMMAND [OPTIONS] [ARGUMENTS]\n\n");
	for (const struct cmd *const *cmd = cmds; *cmd; cmd++)
		out_text("  %-10s %s\n", (*cmd)->name, (*cmd)->summary);
	out_text("\n`kiln help COMMAND` and `man kiln-COMMAND` say more.\n");
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "Show what a command does and its options",
	.usage = "[COMMAND]",
	.max_args = 1,
	.run = help_run,
};
