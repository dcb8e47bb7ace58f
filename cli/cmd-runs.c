// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "core/base/clock.h"
#include "core/store/run.h"

struct runs_opts {
	uint64_t limit;
};

static const struct opt runs_table[] = {
	{ "limit", 'n', OPT_UINT, offsetof(struct runs_opts, limit), "COUNT",
	  "only the newest COUNT runs, 0 for all", "kiln.runsLimit" },
	{ 0 },
};

static void print_json(const struct run_info *v, size_t nr)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(runs, json_run(&v[i]));
	out_json(json_pack("{s:o}", "runs", runs));
}

static void print_table(const struct run_info *v, size_t nr)
{
	static const struct column cols[] = {
		{ "ID", false },  { "COMMAND", false }, { "STATE", false },
		{ "EXIT", true }, { "STARTED", false }, { "ARGUMENTS", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < nr; i++) {
		strv_addl(&cells, v[i].id, v[i].command, run_state_word(&v[i]), NULL);
		if (v[i].state == RUN_ACTIVE)
			strv_add(&cells, "-");
		else
			strv_addf(&cells, "%d", v[i].exit_code);
		strv_take(&cells, clock_iso(v[i].started));
		strv_take(&cells, strv_join(&v[i].argv, " "));
	}
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

static int runs_run(struct ctx *c, const void *opts, const struct strv *args,
		    struct err *e)
{
	const struct runs_opts *o = opts;
	struct run_info *v = NULL;
	size_t nr = 0, shown;

	(void)args;
	if (run_list(c->store, &v, &nr, e) < 0)
		return -(int)e->code;
	shown = o->limit && o->limit < nr ? (size_t)o->limit : nr;
	if (c->json)
		print_json(v, shown);
	else if (nr)
		print_table(v, shown);
	else
		out_talk("no run yet");
	for (size_t i = 0; i < nr; i++)
		run_info_release(&v[i]);
	free(v);
	return 0;
}

const struct cmd cmd_runs = {
	.name = "runs",
	.summary = "List what was run, the newest first",
	.usage = "",
	.opts = runs_table,
	.opts_size = sizeof(struct runs_opts),
	.needs = CMD_STORE,
	.run = runs_run,
};
