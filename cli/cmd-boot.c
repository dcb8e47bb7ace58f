// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "cli/stages.h"

struct boot_opts {
	struct stage_opts stage;
	char *path;
};

static const struct opt boot_table[] = {
	STAGE_MACHINE_ROWS(struct boot_opts, stage),
	{ "path", 0, OPT_STRING, offsetof(struct boot_opts, path), "PATH",
	  "kexec, firmware, or auto: firmware where the jump by kexec fails",
	  "kiln.path" },
	{ 0 },
};

static void print_boot(const struct shot *s)
{
	const struct boot_record *b = &s->boot;

	out_text("commit    %s\n", b->commit.hex);
	out_text("status    %s%s%s\n", b->status, b->reason ? ": " : "", b->reason ?: "");
	out_text("proven    %s\n", b->proven ? "yes" : "no");
	out_text("path      %s%s%s on %s (%s)\n", b->path, b->load ? " " : "",
		 b->load ?: "", b->target, b->accel);
	if (b->title)
		out_text("console   says: %s\n", b->title);
	out_text("token     %s\n", b->token);
	out_text("boot_id   %s\n", b->boot_id ?: "-");
	out_text("build-id  %s\n", b->build_id ?: "-");
	out_text("seconds   %.1f\n", b->seconds);
	out_text("console   %s\n", b->console);
}

static int read_path(const char *text, enum shot_path *ret, struct err *e)
{
	static const char *const names[] = {
		[SHOT_AUTO] = "auto", [SHOT_KEXEC] = "kexec", [SHOT_FIRMWARE] = "firmware"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text ? text : "auto", names[i]) != 0)
			continue;
		*ret = (enum shot_path)i;
		return 0;
	}
	return err_set(e, ERR_USAGE, "kiln.path is auto, kexec or firmware, not '%s'",
		       text);
}

static int boot_once(struct ctx *c, struct run *run, const struct boot_opts *o,
		     const char *rev, struct err *e)
{
	_cleanup_(kernel_release) struct kernel kernel = { 0 };
	_cleanup_(shots_release) struct shots shots = { 0 };
	struct stage_opts stage = o->stage;
	_cleanup_lab_ struct lab *lab = NULL;
	enum shot_path path = SHOT_KEXEC;
	struct oid commit;

	stage.boots_only = true;
	if (read_path(o->path, &path, e) < 0 ||
	    step_resolve(c, run, rev, &commit, e) < 0 ||
	    lab_open(c, run, &stage, NULL, &lab, e) < 0 ||
	    lab_build_ok(lab, &commit, &kernel, e) < 0)
		return -(int)e->code;
	shots_plan_boot(&shots, &kernel, path);
	if (lab_measure(lab, &shots, NULL, e) < 0)
		return -(int)e->code;
	if (c->json)
		out_json(json_pack("{s:[o]}", "boots", json_boot(&shots.v[0].boot)));
	else
		print_boot(&shots.v[0]);
	if (shot_check(&shots.v[0], e) == 0)
		return 0;
	if (!c->json)
		return -(int)e->code;
	return err_exit_code(e->code); /* the document says it; one is enough */
}

static int boot_cmd(struct ctx *c, const void *opts, const struct strv *args,
		    struct err *e)
{
	struct run *run;

	if (cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, boot_once(c, run, opts, args->v[0], e), e);
}

const struct cmd cmd_boot = {
	.name = "boot",
	.summary = "Boot a kernel on a target and prove which kernel runs",
	.usage = "REV",
	.opts = boot_table,
	.opts_size = sizeof(struct boot_opts),
	.needs = CMD_STORE | CMD_TREE,
	.min_args = 1,
	.max_args = 1,
	.run = boot_cmd,
};
