// SPDX-License-Identifier: GPL-3.0-or-later
/* Start: global options, then the command from the table. Knows no command by name. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/git/repo.h"
#include "core/store/run.h"

struct common_opts {
	bool help, json, quiet;
	bool verbose;
	char *tree;
};

static const struct opt common_table[] = {
	{ "tree", 0, OPT_STRING, offsetof(struct common_opts, tree), "DIR",
	  "repository to work on; default: around the working folder", "kiln.tree" },
	{ "json", 0, OPT_FLAG, offsetof(struct common_opts, json), NULL,
	  "one JSON document on standard output", "kiln.json" },
	{ "quiet", 'q', OPT_FLAG, offsetof(struct common_opts, quiet), NULL,
	  "no progress, no talk", "kiln.quiet" },
	{ "verbose", 'v', OPT_FLAG, offsetof(struct common_opts, verbose), NULL,
	  "say what is run", "kiln.verbose" },
	{ "help", 'h', OPT_FLAG, offsetof(struct common_opts, help), NULL, "this text",
	  NULL },
	{ 0 },
};

static void print_help(const struct cmd *cmd)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "kiln %s [OPTIONS] %s\n%s\n\n", cmd->name, cmd->usage, cmd->summary);
	opt_help(cmd->opts, &b);
	opt_help(common_table, &b);
	out_text("%s", buf_str(&b));
}

static int check_args(const struct cmd *cmd, const struct strv *args, struct err *e)
{
	if ((int)args->nr >= cmd->min_args &&
	    (cmd->max_args < 0 || (int)args->nr <= cmd->max_args))
		return 0;
	err_set(e, ERR_USAGE, "%s arguments for 'kiln %s %s'",
		(int)args->nr < cmd->min_args ? "too few" : "too many", cmd->name,
		cmd->usage);
	return err_hint(e, "see `kiln help %s`", cmd->name);
}

static int open_needs(const struct cmd *cmd, const struct common_opts *o, struct ctx *c,
		      struct err *e)
{
	const char *tree = o->tree ? o->tree : ".";

	/* A resumed command works in its run's store: one connection, one transaction. */
	if (c->resume)
		c->store = run_store(c->resume);
	else if (cmd->needs & CMD_STORE && store_open(&c->store, e) < 0)
		return -(int)e->code;
	if (!(cmd->needs & (CMD_TREE | CMD_MAYBE_TREE)))
		return 0;
	if (repo_open(tree, &c->repo, e) == 0)
		return 0;
	if (cmd->needs & CMD_MAYBE_TREE && !o->tree) {
		err_release(e);
		return 0;
	}
	return err_hint(e, "name a kernel repository with --tree DIR");
}

static int run_command(const struct cmd *cmd, const struct common_opts *o,
		       const void *opts, const struct strv *args, struct ctx *c,
		       struct err *e)
{
	int r;

	if (check_args(cmd, args, e) < 0)
		return -(int)e->code;
	if (o->verbose)
		log_set_level(1);
	c->json = o->json;
	c->quiet = o->quiet;
	c->progress = o->quiet ? NULL : out_progress();
	r = open_needs(cmd, o, c, e);
	if (r == 0)
		r = cmd->run(c, opts, args, e);
	out_progress_clear();
	repo_free(c->repo);
	if (!c->resume)
		store_free(c->store);
	return r;
}

/* The tree decides which repository's settings count, so it is looked for before parsing.
 */
static const char *early_tree(const struct strv *argv)
{
	for (size_t i = 1; i < argv->nr; i++) {
		if (!strcmp(argv->v[i], "--tree") && i + 1 < argv->nr)
			return argv->v[i + 1];
		if (!strncmp(argv->v[i], "--tree=", 7))
			return argv->v[i] + 7;
	}
	return ".";
}

static bool wants_json(const struct strv *argv)
{
	return strv_has(argv, "--json");
}

int cmd_dispatch(const struct strv *argv, const struct strv *overrides,
		 struct run *resume, struct err *e)
{
	const struct cmd *cmd = cmd_find(argv->v[0]);
	_cleanup_cfg_ struct cfg *cfg = NULL;
	_cleanup_free_ void *opts = NULL;
	_cleanup_strv_ struct strv args = STRV_INIT;
	struct common_opts common = { 0 };
	struct ctx c = { .resume = resume, .argv = argv, .overrides = overrides };
	int r;

	if (!cmd) {
		err_set(e, ERR_USAGE, "'%s' is not a kiln command", argv->v[0]);
		return err_hint(e, "see `kiln help`");
	}
	if (cfg_open(early_tree(argv), overrides, &cfg, e) < 0)
		return -(int)e->code;
	opts = xzalloc(cmd->opts_size);
	c.command = cmd->name;
	c.cfg = cfg;
	r = opt_defaults(cmd->opts, opts, cfg, e);
	if (r == 0)
		r = opt_defaults(common_table, &common, cfg, e);
	if (r == 0)
		r = opt_parse(&(struct opt_tables){ cmd->opts, common_table, opts,
						    &common },
			      argv, &args, e);
	if (r < 0 && e->code == ERR_USAGE)
		err_hint(e, "see `kiln help %s`", cmd->name);
	if (r == 0 && common.help)
		print_help(cmd);
	else if (r == 0)
		r = run_command(cmd, &common, opts, &args, &c, e);
	opt_release(cmd->opts, opts);
	opt_release(common_table, &common);
	return r;
}

/* Global options stand before the command: --version, --help, -c key=value. */
static int global_options(const struct strv *all, size_t *first, struct strv *overrides,
			  struct err *e)
{
	size_t i = 1;

	for (; i < all->nr && all->v[i][0] == '-'; i++) {
		const char *w = all->v[i];

		if (!strcmp(w, "-c") && i + 1 < all->nr) {
			strv_add(overrides, all->v[++i]);
		} else if (!strcmp(w, "--version") || !strcmp(w, "-V")) {
			out_text("kiln %s\n", KILN_VERSION);
			*first = all->nr;
			return 1;
		} else if (!strcmp(w, "--help") || !strcmp(w, "-h")) {
			break;
		} else {
			err_set(e, ERR_USAGE, "unknown option '%s'", w);
			return err_hint(e, "see `kiln help`");
		}
	}
	*first = i;
	return 0;
}

static int start(const struct strv *all, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT, overrides = STRV_INIT;
	size_t first = all->nr;
	int r = global_options(all, &first, &overrides, e);

	if (r)
		return r < 0 ? r : 0;
	for (size_t i = first; i < all->nr; i++)
		strv_add(&argv, all->v[i]);
	if (!argv.nr || argv.v[0][0] == '-') {
		strv_release(&argv);
		strv_add(&argv, "help");
	}
	return cmd_dispatch(&argv, &overrides, NULL, e);
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv all = STRV_INIT;
	int r;

	setlocale(LC_CTYPE, "C.UTF-8"); /* column widths; numbers stay in the C locale */
	stop_install();
	for (int i = 0; i < argc; i++)
		strv_add(&all, argv[i]);
	r = start(&all, &e);
	if (r >= 0 && out_flush(&e) < 0)
		r = -(int)e.code;
	if (r >= 0)
		return r;
	out_error(&e, wants_json(&all));
	return err_exit_code(e.code);
}
