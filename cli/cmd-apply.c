// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stddef.h>

#include "cli/apply-step.h"
#include "cli/base-step.h"
#include "cli/cmd.h"
#include "cli/json-apply.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/resolve.h"
#include "cli/rules.h"
#include "cli/source.h"
#include "cli/why-step.h"
#include "core/base/fs.h"
#include "core/git/apply.h"

struct apply_cmd_opts {
	struct cli_source_opts source;
	struct cli_base_opts base;
	struct cli_rules_opts rules;
	char *resolve, *go_on, *abort;
};

static const struct opt apply_table[] = {
	SOURCE_OPTS(struct apply_cmd_opts, source),
	BASE_OPTS(struct apply_cmd_opts, base),
	RULES_OPTS(struct apply_cmd_opts, rules),
	{ "resolve", 0, OPT_STRING, offsetof(struct apply_cmd_opts, resolve), "DIR",
	  "where a patch stops, make a worktree to resolve it in", NULL },
	{ "continue", 0, OPT_STRING, offsetof(struct apply_cmd_opts, go_on), "DIR",
	  "go on from what was resolved in DIR", NULL },
	{ "abort", 0, OPT_STRING, offsetof(struct apply_cmd_opts, abort), "DIR",
	  "remove that worktree, and forget its series", NULL },
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

/* The error of the patch stays, unless there is a worse one. */
static int stop_to_resolve(struct ctx *c, const struct series *s,
			   const struct apply_result *a, const char *dir, struct err *e)
{
	struct err worse = { 0 };

	if (resolve_start(c, s, a, dir, &worse) == 0)
		return 0;
	err_release(e);
	*e = worse;
	return -(int)e->code;
}

/* --continue and --abort take their series from the worktree. */
static int check_args(const struct apply_cmd_opts *o, const struct strv *args,
		      struct err *e)
{
	bool no_source = o->go_on || o->abort;

	if ((o->go_on != NULL) + (o->abort != NULL) + (o->resolve != NULL) > 1)
		return err_set(e, ERR_USAGE,
			       "--resolve, --continue and --abort exclude one another");
	if (no_source && args->nr)
		return err_set(e, ERR_USAGE,
			       "'%s' beside --%s: the series is in the "
			       "worktree",
			       args->v[0], o->go_on ? "continue" : "abort");
	if (!no_source && !args->nr)
		return err_set(e, ERR_USAGE, "apply needs SOURCE");
	if (o->resolve && fs_exists(o->resolve)) {
		err_set(e, ERR_EXISTS, "'%s' is there already", o->resolve);
		return err_hint(e, "name a folder for the worktree that is not there");
	}
	return 0;
}

static void print_failure(const struct cli_why *w, const struct series *s,
			  const struct apply_result *a)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	cli_why_text(w, s, a, &text);
	out_text("%s", buf_str(&text));
}

/* A patch that does not apply is a result: its document has failed, not error. */
static void print_json(const struct cli_why *w, const struct series *s,
		       const struct apply_result *a, const struct cli_base *base)
{
	json_t *doc = json_apply(a, &base->choice);

	cli_why_json(w, s, a, doc);
	out_json(doc);
}

static int apply_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct apply_cmd_opts *o = opts;
	_cleanup_series_ struct series *s = NULL;
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_cli_base_ struct cli_base base = { 0 };
	_cleanup_cli_why_ struct cli_why why = { 0 };
	struct cli_base_query q = { .source = &o->source, .opts = &o->base };
	struct apply_rules rules;
	int r;

	if (check_args(o, args, e) < 0)
		return -(int)e->code;
	if (o->abort)
		return resolve_abort(c, o->abort, e);
	if (cli_rules(&o->rules, &rules, e) < 0 ||
	    cli_threeway(c, &o->rules, &c->threeway, e) < 0)
		return -(int)e->code;
	c->rules = &rules;
	c->threeway = c->threeway || o->resolve || o->go_on;
	if (o->go_on)
		return resolve_continue(c, o->go_on, e);
	if (cli_series(c, &o->source, args, NULL, NULL, &s, e) < 0)
		return -(int)e->code;
	q.series = s;
	if (cli_base(c, &q, &base, e) < 0)
		return -(int)e->code;
	r = cli_apply_to(c, s, &base.onto, &a, e);
	if (!a)
		return r;
	if (a->failed && o->resolve && stop_to_resolve(c, s, a, o->resolve, e) < 0)
		return -(int)e->code;
	base.choice.applies = !a->failed;
	if (a->failed)
		cli_why(c, &q, &base, a, &why);
	if (c->json) {
		if (r < 0)
			out_error(e, false);
		print_json(&why, s, a, &base);
		return r < 0 ? 1 : 0;
	}
	if (a->failed)
		print_failure(&why, s, a);
	else
		print_commits(a);
	return r;
}

const struct cmd cmd_apply = {
	.name = "apply",
	.summary = "Put a series on a tree as commits, without a checkout",
	.usage = "SOURCE... | --continue DIR | --abort DIR",
	.opts = apply_table,
	.opts_size = sizeof(struct apply_cmd_opts),
	.needs = CMD_TREE,
	.min_args = 0,
	.max_args = -1,
	.run = apply_run,
};
