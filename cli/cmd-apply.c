// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>

#include "cli/apply-step.h"
#include "cli/cmd.h"
#include "cli/json-apply.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/rules.h"
#include "cli/source.h"
#include "core/git/apply.h"

struct apply_cmd_opts {
	struct cli_source_opts source;
	struct cli_rules_opts rules;
	char *onto, *base;
};

static const struct opt apply_table[] = {
	SOURCE_OPTS(struct apply_cmd_opts, source),
	{ "onto", 0, OPT_STRING, offsetof(struct apply_cmd_opts, onto), "REV",
	  "commit to apply to; default: HEAD", "kiln.onto" },
	{ "base", 0, OPT_STRING, offsetof(struct apply_cmd_opts, base), "auto|REV",
	  "auto: the base-commit the series names, else HEAD", "kiln.base" },
	RULES_OPTS(struct apply_cmd_opts, rules),
	{ 0 },
};

static void print_commits(const struct apply_result *a)
{
	for (size_t i = 0; i < a->nr; i++)
		out_text("%.12s  %-6s  %s\n", a->commits[i].oid.hex,
			 apply_method_name(a->commits[i].method), a->commits[i].subject);
	for (size_t i = 0; i < a->nr_skipped; i++)
		out_text("%-12s  there   %s\n", "-", a->skipped[i].subject);
	if (a->ref)
		out_text("\nref   %s\nhead  %s\nbase  %s\n", a->ref, a->head.hex,
			 a->base.hex);
}

static int apply_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct apply_cmd_opts *o = opts;
	_cleanup_series_ struct series *s = NULL;
	_cleanup_apply_ struct apply_result *a = NULL;
	struct apply_rules rules;
	struct oid base;
	int r;

	if (cli_rules(&o->rules, &rules, e) < 0 ||
	    cli_threeway(c, &o->rules, &c->threeway, e) < 0)
		return -(int)e->code;
	c->rules = &rules;
	if (cli_series(c, &o->source, args, NULL, NULL, &s, e) < 0 ||
	    cli_base(c, s, o->onto, o->base, &base, e) < 0)
		return -(int)e->code;
	r = cli_apply_to(c, s, &base, &a, e);
	if (!a)
		return r;
	if (!c->json) {
		print_commits(a);
		return r;
	}
	/* A patch that does not apply is a result: its document has failed, not error. */
	if (r < 0)
		out_error(e, false);
	out_json(json_apply(a));
	return r < 0 ? 1 : 0;
}

const struct cmd cmd_apply = {
	.name = "apply",
	.summary = "Put a series on a tree as commits, without a checkout",
	.usage = "SOURCE...",
	.opts = apply_table,
	.opts_size = sizeof(struct apply_cmd_opts),
	.needs = CMD_TREE,
	.min_args = 1,
	.max_args = -1,
	.run = apply_run,
};
