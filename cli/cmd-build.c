// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/build-warnings.h"
#include "cli/cache-room.h"
#include "cli/cmd.h"
#include "cli/each.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"
#include "cli/steps-build.h"
#include "core/base/alloc.h"

struct build_cmd_opts {
	struct stage_opts stage;
	struct each_opts each;
	char *against;
	bool gc;
};

/* clang-format off */
#define AT(m) offsetof(struct build_cmd_opts, m)
static const struct opt build_table[] = {
	{ "against", 0, OPT_STRING, AT(against), "REV",
	  "build this too, and list the warnings it has not", NULL },
	{ "each", 0, OPT_FLAG, AT(each.each), NULL,
	  "every patch of a series or range A..B", NULL },
	{ "boot", 0, OPT_FLAG, AT(each.boot), NULL,
	  "with --each: boot each of them", "kiln.eachBoot" },
	{ "stop", 0, OPT_FLAG, AT(each.stop), NULL,
	  "with --each: stop at the first that is broken", "kiln.eachStop" },
	{ "gc", 0, OPT_FLAG, AT(gc), NULL,
	  "bring the kernel cache to its limit, build nothing", NULL },
	STAGE_MACHINE_ROWS(struct build_cmd_opts, stage),
	BASE_OPTS(struct build_cmd_opts, each.base),
	SOURCE_OPTS(struct build_cmd_opts, each.source),
	{ 0 },
};
/* clang-format on */

struct builds {
	struct build_record *v;
	size_t nr;
	struct build_record base;	 /* of --against */
	struct build_warnings *warnings; /* one a build; NULL without --against */
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
	if (step_build(c, r, commit, &o->stage.build, &ret->base, e) < 0)
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
	if (o->against && (step_resolve(c, r, o->against, &base, e) < 0 ||
			   build_base(c, r, o, &base, ret, e) < 0))
		return -(int)e->code;
	for (size_t i = 0; i < revs->nr; i++) {
		if (step_build(c, r, &commits[i], &o->stage.build, &ret->v[i], e) < 0)
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
	if (o->against)
		compare_warnings(&b);
	out_progress_clear();
	if (c->json)
		print_json(&b, r);
	else
		print_text(&b);
	return exit_code(&b);
}

static int each_work(struct ctx *c, struct run *r, const struct build_cmd_opts *o,
		     const struct strv *args, struct err *e)
{
	_cleanup_(each_release) struct each each = { 0 };
	struct stage_opts stage = o->stage; /* its strings stay where they are */
	const struct each_query q = {
		.c = c,
		.run = r,
		.o = &o->each,
		.stage = &stage,
		.what = args->v[0],
	};

	if (each_run(&q, &each, e) < 0)
		return -(int)e->code;
	out_progress_clear();
	(c->json ? each_print_json : each_print)(&each, run_id(r));
	return each_exit_code(&each);
}

static int collect(struct ctx *c, const struct build_cmd_opts *o, struct err *e)
{
	struct cache_trimmed t;

	if (cache_room(c->store,
		       o->stage.build.cache_mib ? o->stage.build.cache_mib : CACHE_MIB,
		       &t, e) < 0)
		return -(int)e->code;
	if (c->json)
		out_json(json_pack("{s:I, s:I, s:I, s:I}", "removed",
				   (json_int_t)t.removed, "freed", (json_int_t)t.freed,
				   "entries", (json_int_t)t.entries, "bytes",
				   (json_int_t)t.bytes));
	else
		out_text("removed %zu builds, %llu MiB; %zu are left, %llu MiB\n",
			 t.removed, (unsigned long long)(t.freed >> 20), t.entries,
			 (unsigned long long)(t.bytes >> 20));
	return 0;
}

static int check_args(const struct ctx *c, const struct build_cmd_opts *o,
		      const struct strv *args, struct err *e)
{
	if (o->gc && args->nr)
		return err_set(e, ERR_USAGE, "--gc builds nothing");
	if (o->each.each && (o->gc || args->nr != 1)) {
		err_set(e, ERR_USAGE, "--each takes one series or range");
		return err_hint(e, "kiln build --each A..B");
	}
	if (!o->gc && !args->nr) {
		err_set(e, ERR_USAGE, "too few arguments for 'build'");
		return err_hint(e, "name the revisions to build");
	}
	if (!o->gc && !c->repo) {
		err_set(e, ERR_NO_TREE, "no repository here");
		return err_hint(e, "name a kernel repository with --tree DIR");
	}
	return 0;
}

static int build_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct build_cmd_opts *o = opts;
	struct run *r;

	if (check_args(c, o, args, e) < 0)
		return -(int)e->code;
	if (o->gc)
		return collect(c, o, e);
	if (cli_run(c, &r, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, r,
			   (o->each.each ? each_work : build_work)(c, r, o, args, e), e);
}

const struct cmd cmd_build = {
	.name = "build",
	.summary = "Build kernel images, from the cache when nothing changed",
	.usage = "REV... | --each SERIES|A..B | --gc",
	.opts = build_table,
	.opts_size = sizeof(struct build_cmd_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.max_args = -1,
	.run = build_run,
};
