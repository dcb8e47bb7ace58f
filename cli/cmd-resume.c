// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "core/base/alloc.h"

/* The id of the newest run that is not done, NULL when there is none. */
static int newest_open(struct store *s, char **ret, struct err *e)
{
	_cleanup_free_ char *id = NULL;
	struct run_info *v = NULL;
	size_t nr = 0;

	if (run_list(s, &v, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		if (!id && v[i].state != RUN_DONE)
			id = xstrdup(v[i].id);
		run_info_release(&v[i]);
	}
	free(v);
	*ret = take_ptr(id);
	return 0;
}

static int find(struct ctx *c, const struct strv *args, struct run **ret, struct err *e)
{
	_cleanup_free_ char *id = NULL;

	if (args->nr)
		return run_open(c->store, args->v[0], ret, e);
	if (newest_open(c->store, &id, e) < 0)
		return -(int)e->code;
	if (!id) {
		err_set(e, ERR_NOT_FOUND, "every run is done");
		return err_hint(e, "`kiln resume RUN` shows the result of a done run "
				   "again; `kiln runs` lists them");
	}
	return run_open(c->store, id, ret, e);
}

/* The command as recorded; --json and -q of this call count too. */
static void command_line(const struct ctx *c, const struct run_info *i,
			 struct strv *overrides, struct strv *argv)
{
	_cleanup_strv_ struct strv given = STRV_INIT;

	cli_run_argv(i, overrides, &given);
	for (size_t k = 0; k < given.nr; k++) {
		strv_add(argv, given.v[k]);
		if (k == 0 && c->json)
			strv_add(argv, "--json");
		if (k == 0 && c->quiet)
			strv_add(argv, "--quiet");
	}
}

static int resume_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	_cleanup_strv_ struct strv overrides = STRV_INIT, argv = STRV_INIT;
	_cleanup_free_ char *line = NULL;
	_cleanup_run_ struct run *run = NULL;
	const struct run_info *info;

	(void)opts;
	if (find(c, args, &run, e) < 0 || run_claim(run, e) < 0)
		return -(int)e->code;
	info = run_info(run);
	command_line(c, info, &overrides, &argv);
	if (!argv.nr)
		return err_set(e, ERR_STORE, "run %s has no command line", info->id);
	if (chdir(info->cwd) < 0) {
		err_sys(e, errno, "cannot enter '%s', where run %s was started",
			info->cwd, info->id);
		return err_hint(e, "create that folder again, or start a new run");
	}
	line = strv_join(&argv, " ");
	if (!c->quiet)
		out_talk("run %s: kiln %s", info->id, line);
	return cmd_dispatch(&argv, &overrides, run, e);
}

const struct cmd cmd_resume = {
	.name = "resume",
	.summary = "Continue a run that was killed, interrupted or failed",
	.usage = "[RUN]",
	.needs = CMD_STORE,
	.max_args = 1,
	.run = resume_run,
};
