// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/target/check.h"
#include "boot/target/power.h"
#include "boot/target/target.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/spawn.h"

#define GIT_MS 30000
#define CONSOLE_MS (24 * 3600 * 1000) /* a day; interrupt it to end it */

struct target_opts {
	bool none;
};

static const struct opt target_table[] = { { 0 } };

/* What a target is, in a few words. Owned. */
static char *describe(const struct target *t)
{
	if (t->kind == TARGET_SSH)
		return xasprintf("%s%s%s%s", t->host, t->console ? ", console" : "",
				 t->power ? ", power" : "",
				 t->watchdog_s ? ", watchdog" : "");
	if (t->kind == TARGET_LOCAL)
		return xstrdup(t->reboot ? "may be rebooted" : "may not be rebooted");
	return xasprintf("accelerator %s, %llu MiB, %llu processors", t->accel ?: "auto",
			 (unsigned long long)(t->memory_mib ?: 1024),
			 (unsigned long long)(t->smp ?: 1));
}

static void list_one(struct ctx *c, const char *name, struct strv *cells, json_t *doc)
{
	_cleanup_target_ struct target *t = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *what = NULL;
	const char *kind = "-";

	/* one bad section must not hide the others */
	if (target_read(c->cfg, name, &t, &e) < 0) {
		what = xasprintf("error: %s", e.frame[0]);
	} else {
		kind = target_kind_word(t->kind);
		what = describe(t);
	}
	strv_addl(cells, name, kind, what, NULL);
	json_array_append_new(doc,
			      json_pack("{s:s, s:s?, s:s?, s:s?}", "name", name, "kind",
					t ? kind : NULL, "description", t ? what : NULL,
					"error", t ? NULL : e.frame[0]));
}

static int list(struct ctx *c, const struct strv *args, struct err *e)
{
	static const struct column cols[] = { { "NAME", false },
					      { "KIND", false },
					      { "WHAT", false } };
	_cleanup_strv_ struct strv names = STRV_INIT, cells = STRV_INIT;
	json_t *doc = json_array();

	(void)args;
	(void)e;
	target_names(c->cfg, &names);
	for (size_t i = 0; i < names.nr; i++)
		list_one(c, names.v[i], &cells, doc);
	if (c->json) {
		out_json(json_pack("{s:o}", "targets", doc));
		return 0;
	}
	json_decref(doc);
	out_table(cols, ARRAY_SIZE(cols), &cells);
	return 0;
}

static int git_config(const char *a, const char *b, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = GIT_MS };

	strv_addl(&argv, "git", "config", "--global", a, b, NULL);
	return spawn_check(&s, e);
}

/* Whether the section would do, before anything is written. */
static int try_section(const char *name, const struct strv *args, struct err *e)
{
	_cleanup_strv_ struct strv settings = STRV_INIT;
	_cleanup_target_ struct target *t = NULL;
	_cleanup_cfg_ struct cfg *cfg = NULL;

	for (size_t i = 2; i < args->nr; i++) {
		if (!strchr(args->v[i], '='))
			return err_set(e, ERR_USAGE, "'%s' is not of the form KEY=VALUE",
				       args->v[i]);
		strv_addf(&settings, "target.%s.%s", name, args->v[i]);
	}
	if (cfg_open(NULL, &settings, &cfg, e) < 0)
		return -(int)e->code;
	return target_read(cfg, name, &t, e);
}

static int add(struct ctx *c, const struct strv *args, struct err *e)
{
	const char *name = args->v[1], *why = target_name_check(name);
	_cleanup_strv_ struct strv names = STRV_INIT;

	if (why)
		return err_set(e, ERR_USAGE, "'%s' cannot be a target's name: %s", name,
			       why);
	cfg_names(c->cfg, "target", &names);
	if (strv_has(&names, name)) {
		err_set(e, ERR_USAGE, "there is a target '%s' already", name);
		return err_hint(e, "change it with `git config --global target.%s.KEY`",
				name);
	}
	if (args->nr < 3)
		return err_set(e, ERR_USAGE, "target '%s' needs KEY=VALUE", name);
	if (try_section(name, args, e) < 0)
		return err_wrap(e, "target '%s' is not added", name);
	for (size_t i = 2; i < args->nr; i++) {
		const char *eq = strchr(args->v[i], '=');
		_cleanup_free_ char *key = xasprintf("target.%s.%.*s", name,
						     (int)(eq - args->v[i]), args->v[i]);

		if (git_config(key, eq + 1, e) < 0)
			return err_wrap(e, "target '%s' is not added", name);
	}
	if (!c->quiet)
		out_talk("target '%s' added; see what it lacks with `kiln target check "
			 "%s`",
			 name, name);
	return 0;
}

static int remove_section(struct ctx *c, const struct strv *args, struct err *e)
{
	_cleanup_free_ char *section = xasprintf("target.%s", args->v[1]);
	_cleanup_strv_ struct strv names = STRV_INIT;

	cfg_names(c->cfg, "target", &names);
	if (!strv_has(&names, args->v[1])) {
		err_set(e, ERR_USAGE, "no target '%s' in the settings", args->v[1]);
		return err_hint(e, "see `kiln target list`");
	}
	if (git_config("--remove-section", section, e) < 0)
		return err_hint(e, "it may stand in another file: `git config --list "
				   "--show-origin`");
	return 0;
}

static const char *const levels[] = {
	[FINDING_OK] = "ok", [FINDING_WARN] = "warning", [FINDING_ERROR] = "error"
};

static void print_findings(struct ctx *c, const struct target *t,
			   const struct target_findings *f)
{
	json_t *doc = json_array();

	for (size_t i = 0; i < f->nr; i++) {
		const struct target_finding *v = &f->v[i];

		json_array_append_new(doc, json_pack("{s:s, s:s, s:s, s:s?}", "level",
						     levels[v->level], "what", v->what,
						     "text", v->text, "fix", v->fix));
		if (c->json)
			continue;
		out_text("%-8s %-12s %s\n", levels[v->level], v->what, v->text);
		if (v->fix)
			out_text("%-8s %-12s fix: %s\n", "", "", v->fix);
	}
	if (c->json)
		out_json(json_pack("{s:s, s:o}", "target", t->name, "findings", doc));
	else
		json_decref(doc);
}

static int check(struct ctx *c, const struct strv *args, struct err *e)
{
	_cleanup_target_ struct target *t = NULL;
	_cleanup_target_findings_ struct target_findings f = { 0 };
	bool bad = false;

	if (target_read(c->cfg, args->v[1], &t, e) < 0 || target_check(t, &f, e) < 0)
		return -(int)e->code;
	print_findings(c, t, &f);
	for (size_t i = 0; i < f.nr; i++)
		bad |= f.v[i].level == FINDING_ERROR;
	return bad;
}

static int power(struct ctx *c, const struct strv *args, struct err *e)
{
	_cleanup_target_ struct target *t = NULL;
	const char *what = args->v[2];

	if (target_read(c->cfg, args->v[1], &t, e) < 0)
		return -(int)e->code;
	if (strcmp(what, "on") != 0 && strcmp(what, "off") != 0 &&
	    strcmp(what, "reset") != 0)
		return err_set(e, ERR_USAGE, "power is on, off or reset, not '%s'", what);
	return power_do(t, what, e);
}

static void console_line(void *ctx, const char *line)
{
	(void)ctx;
	out_text("%s\n", line);
	fflush(stdout);
}

static int console(struct ctx *c, const struct strv *args, struct err *e)
{
	_cleanup_target_ struct target *t = NULL;
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv,
			   .timeout_ms = CONSOLE_MS,
			   .line = console_line };

	if (target_read(c->cfg, args->v[1], &t, e) < 0)
		return -(int)e->code;
	if (!t->console) {
		err_set(e, ERR_CONFIG, "target '%s' has no console command", t->name);
		return err_hint(e, "name one with `git config target.%s.console COMMAND`",
				t->name);
	}
	strv_addl(&argv, "/bin/sh", "-c", t->console, NULL);
	return spawn_check(&s, e);
}

static const struct verb {
	const char *name;
	int min, max; /* words behind it, -1: any number */
	int (*run)(struct ctx *c, const struct strv *args, struct err *e);
} verbs[] = {
	{ "list", 0, 0, list },
	{ "add", 1, -1, add },
	{ "remove", 1, 1, remove_section },
	{ "check", 1, 1, check },
	{ "power", 2, 2, power },
	{ "console", 1, 1, console },
};

static int target_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	int words = (int)args->nr - 1;

	(void)opts;
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct verb *v = &verbs[i];

		if (strcmp(v->name, args->v[0]) != 0)
			continue;
		if (words >= v->min && (v->max < 0 || words <= v->max))
			return v->run(c, args, e);
		err_set(e, ERR_USAGE, "target %s: too %s words", v->name,
			words < v->min ? "few" : "many");
		return err_hint(e, "see `kiln help target`");
	}
	err_set(e, ERR_USAGE, "'%s' is nothing to do with a target", args->v[0]);
	return err_hint(e, "see `kiln help target`");
}

const struct cmd cmd_target = {
	.name = "target",
	.summary = "Describe, check and control the machines kernels are tried on",
	.usage = "list | add NAME KEY=VALUE... | remove NAME | check NAME | "
		 "power NAME on|off|reset | console NAME",
	.opts = target_table,
	.opts_size = sizeof(struct target_opts),
	.min_args = 1,
	.max_args = -1,
	.run = target_run,
};
