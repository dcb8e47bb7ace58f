// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/run-start.h"

#include <string.h>

#include "cli/out.h"

int cli_run(struct ctx *c, struct run **ret, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;

	if (c->resume) {
		*ret = c->resume;
		return 0;
	}
	for (size_t i = 0; c->overrides && i < c->overrides->nr; i++)
		strv_addl(&argv, "-c", c->overrides->v[i], NULL);
	for (size_t i = 0; i < c->argv->nr; i++)
		strv_add(&argv, c->argv->v[i]);
	if (run_create(c->store, c->command, &argv, ret, e) < 0)
		return -(int)e->code;
	if (!c->quiet)
		out_talk("run %s", run_id(*ret));
	return 0;
}

static int record_end(struct run *run, int r, struct err *e)
{
	_cleanup_err_ struct err ignored = { 0 };
	int code = r < 0 ? err_exit_code(e->code) : r;

	if (r >= 0)
		return run_finish(run, RUN_DONE, code, e);
	/* The cause is worth more than the failure to note it. */
	if (e->code != ERR_INTERRUPTED &&
	    run_finish(run, code == 1 ? RUN_DONE : RUN_FAILED, code, &ignored) < 0)
		err_hint(e, "the run's end could not be recorded either");
	return 0;
}

int cli_run_end(struct ctx *c, struct run *run, int r, struct err *e)
{
	int recorded = record_end(run, r, e);

	if (run != c->resume)
		run_free(run);
	return recorded < 0 ? recorded : r;
}

void cli_run_argv(const struct run_info *info, struct strv *ret_overrides,
		  struct strv *ret_argv)
{
	size_t i = 0;

	for (; i + 1 < info->argv.nr && !strcmp(info->argv.v[i], "-c"); i += 2)
		strv_add(ret_overrides, info->argv.v[i + 1]);
	for (; i < info->argv.nr; i++)
		strv_add(ret_argv, info->argv.v[i]);
}
