// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/build-warnings.h"
#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "cli/steps-build.h"
#include "core/base/alloc.h"

struct build_cmd_opts {
	struct cli_build_opts build;
	char *base;
};

static const struct opt build_table[] = {
	{ "base", 0, OPT_STRING, offsetof(struct build_cmd_opts, base), "REV",
	  "build this too, and list the warnings it has not", NULL },
	CLI_BUILD_ROWS(struct build_cmd_opts, build),
	{ 0 },
};

struct builds {
	struct build_record *v;
	size_t nr;
	struct build_record base;	 /* of --base */
	struct build_warnings *warnings; /* one a build; NULL without --base */
};

static void builds_release(struct builds *b)
{
	for (size_t i = 0; i < b->nr; i++)
		build_record_release(&b->v[i]);
	for (size_t i = 0; b->warnings && i < b->nr; i++)
		build_warnings_release(&b->warnings[i]);
	build_record_release(&b->base);
	free(b->warnings);
	free(b->v);
}

static void print_table(const struct builds *b)
{
	static const struct column cols[] = {
		{ "COMMIT", false }, { "TREE", false },	  { "BUILD-ID", false },
		{ "CACHED", false }, { "SECONDS", true }, { "STATUS", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < b->nr; i++) {
		const struct build_record *r = &b->v[i];

		strv_addf(&cells, "%.12s", r->commit.hex);
		strv_addf(&cells, "%.12s", r->tree.hex);
		strv_addf(&cells, "%.12s", r->build_id ? r->build_id : "-");
		strv_add(&cells, r->cached ? "yes" : "no");
		strv_addf(&cells, "%.1f", r->seconds);
		strv_add(&cells, r->status);
	}
	out_table(cols, ARRAY_SIZE(cols), &cells);
	for (size_t i = 0; i < b->nr; i++)
		if (b->v[i].reason)
			out_text("\n%.12s %s: %s\nlog: %s\n", b->v[i].commit.hex,
				 b->v[i].status, b->v[i].reason, b->v[i].log);
}

static void print_text(const struct builds *b)
{
	print_table(b);
	for (size_t i = 0; b->warnings && i < b->nr; i++)
		build_warnings_print(&b->warnings[i], &b->base.commit, &b->v[i].commit);
}

static void print_json(const struct builds *b, const struct run *r)
{
	json_t *list = json_array(), *warnings = b->warnings ? json_array() : json_null();

	for (size_t i = 0; i < b->nr; i++)
		json_array_append_new(list, json_build(&b->v[i]));
	for (size_t i = 0; b->warnings && i < b->nr; i++)
		json_array_append_new(warnings,
				      json_warnings(&b->warnings[i], &b->v[i].commit));
	out_json(json_pack("{s:s, s:o, s:o, s:o}", "run", run_id(r), "builds", list,
			   "base", b->warnings ? json_build(&b->base) : json_null(),
			   "warnings", warnings));
}

/* The base comes first: what follows is compiled over its objects. */
static int build_base(struct ctx *c, struct run *r, const struct build_cmd_opts *o,
		      const struct oid *commit, struct builds *ret, struct err *e)
{
	if (step_build(c, r, commit, &o->build, &ret->base, e) < 0)
		return -(int)e->code;
	if (build_need_ok(&ret->base, e) < 0)
		return err_wrap(e, "nothing to compare warnings with");
	return 0;
}

/* All revisions are resolved before the first build: a typo should not cost an hour. */
static int build_all(struct ctx *c, struct run *r, const struct build_cmd_opts *o,
		     const struct strv *revs, struct builds *ret, struct err *e)
{
	_cleanup_free_ struct oid *commits = xcalloc(revs->nr, sizeof(*commits));
	struct oid base;

	for (size_t i = 0; i < revs->nr; i++)
		if (step_resolve(c, r, revs->v[i], &commits[i], e) < 0)
			return -(int)e->code;
	if (o->base && (step_resolve(c, r, o->base, &base, e) < 0 ||
			build_base(c, r, o, &base, ret, e) < 0))
		return -(int)e->code;
	for (size_t i = 0; i < revs->nr; i++) {
		if (step_build(c, r, &commits[i], &o->build, &ret->v[i], e) < 0)
			return -(int)e->code;
		ret->nr++;
	}
	return 0;
}

static void compare_warnings(struct builds *b)
{
	b->warnings = xcalloc(b->nr, sizeof(*b->warnings));
	for (size_t i = 0; i < b->nr; i++)
		build_warnings_find(&b->base, &b->v[i], &b->warnings[i]);
}

/* Of new warnings nothing is known where the kernel does not build. */
static int exit_code(const struct builds *b)
{
	int code = 0;

	for (size_t i = 0; i < b->nr; i++)
		if (strcmp(b->v[i].status, "ok") != 0)
			return 125;
	for (size_t i = 0; b->warnings && i < b->nr; i++) {
		int own = build_warnings_exit_code(&b->warnings[i]);

		code = own == 1 || !code ? own : code;
	}
	return code;
}

static int build_work(struct ctx *c, struct run *r, const struct build_cmd_opts *o,
		      const struct strv *revs, struct err *e)
{
	_cleanup_(builds_release) struct builds b = { 0 };

	b.v = xcalloc(revs->nr, sizeof(*b.v));
	if (build_all(c, r, o, revs, &b, e) < 0)
		return -(int)e->code;
	if (o->base)
		compare_warnings(&b);
	out_progress_clear();
	if (c->json)
		print_json(&b, r);
	else
		print_text(&b);
	return exit_code(&b);
}

static int build_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	struct run *r;

	if (cli_run(c, &r, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, r, build_work(c, r, opts, args, e), e);
}

const struct cmd cmd_build = {
	.name = "build",
	.summary = "Build kernel images, from the cache when nothing changed",
	.usage = "REV...",
	.opts = build_table,
	.opts_size = sizeof(struct build_cmd_opts),
	.needs = CMD_STORE | CMD_TREE,
	.min_args = 1,
	.max_args = -1,
	.run = build_run,
};
