// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How a command that can be resumed uses its run:
 *
 *	struct run *run;
 *
 *	if (cli_run(c, &run, e) < 0)
 *		return -(int)e->code;
 *	return cli_run_end(c, run, work(c, run, e), e);
 */
#include "cli/cmd.h"
#include "core/store/run.h"

/*
 * Start a run with the command line as given, `-c` settings included, or take the one
 * that `kiln resume` continues. Either way it is claimed by this process. Every success
 * needs its cli_run_end(). The command has CMD_STORE.
 */
_must_check_ int cli_run(struct ctx *c, struct run **ret, struct err *e);

/*
 * Record how the work ended and let go of the run. r is what the work returned: an exit
 * code, or a negative error held in e. An error that is an answer about the patches (exit
 * code 1) ends the run as done, others as failed; an interruption leaves it open. Returns
 * r, or the error of recording it.
 */
_must_check_ int cli_run_end(struct ctx *c, struct run *run, int r, struct err *e);

/* The parts of a recorded command line: `-c` settings, and the rest from the command's
 * name on. */
void cli_run_argv(const struct run_info *i, struct strv *ret_overrides,
		  struct strv *ret_argv);
