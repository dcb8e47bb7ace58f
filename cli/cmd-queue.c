// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/queue-missing.h"

struct queue_cmd_opts {
	char *onto, *mainline, *dir;
	bool asked, no_apply;
};

/* clang-format off: an option a line or two */
static const struct opt queue_table[] = {
	{ "onto", 0, OPT_STRING, offsetof(struct queue_cmd_opts, onto), "REV",
	  "tree the queue is for; default: the branch of its version", NULL },
	{ "mainline", 0, OPT_STRING, offsetof(struct queue_cmd_opts, mainline), "REV|DIR",
	  "mainline; default: a remote's or own branch master", "kiln.mainline" },
	{ "queue", 0, OPT_STRING, offsetof(struct queue_cmd_opts, dir), "DIR",
	  "checkout of the stable queue; default: the working folder", "kiln.queue" },
	{ "asked", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, asked), NULL,
	  "missing: only what Cc: stable asks for", "kiln.queueAsked" },
	{ "no-apply", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, no_apply), NULL,
	  "missing: do not try whether fixes apply", "kiln.queueNoApply" },
	{ 0 },
};
/* clang-format on */

static int queue_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct queue_cmd_opts *o = opts;

	if (strcmp(args->v[0], "missing"))
		return err_set(e, ERR_USAGE, "'%s' is nothing to do with a queue",
			       args->v[0]);
	return queue_missing(c,
			     &(struct queue_missing_opts){ .version = args->v[1],
							   .mainline = o->mainline,
							   .onto = o->onto,
							   .queue = o->dir,
							   .asked = o->asked,
							   .apply = !o->no_apply },
			     e);
}

const struct cmd cmd_queue = {
	.name = "queue",
	.summary = "Find the fixes that a stable queue lacks",
	.usage = "missing X.Y",
	.opts = queue_table,
	.opts_size = sizeof(struct queue_cmd_opts),
	.needs = CMD_TREE,
	.min_args = 2,
	.max_args = 2,
	.run = queue_run,
};
