// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/steps-build.h"

#include <stdlib.h>
#include <string.h>

#include "boot/build/build.h"
#include "cli/cache-room.h"
#include "cli/config-source.h"
#include "cli/json-build.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/git/repo.h"

#define CONFIG_MAX (4 << 20)

struct resolve_ctx {
	struct repo *repo;
	const char *rev;
	struct oid oid;
};

static int resolve_act(void *ctx, struct err *e)
{
	struct resolve_ctx *s = ctx;

	return repo_resolve(s->repo, s->rev, &s->oid, e);
}

static int resolve_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct resolve_ctx *s = ctx;

	(void)r;
	(void)e;
	buf_adds(detail, s->oid.hex);
	return 0;
}

static int resolve_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct resolve_ctx *s = ctx;

	(void)r;
	if (strlen(detail) != sizeof(s->oid.hex) - 1 || !parse_is_hex(detail, 40))
		return err_set(e, ERR_STORE, "the journal's record of '%s' is damaged",
			       s->rev);
	memcpy(s->oid.hex, detail, sizeof(s->oid.hex));
	return 0;
}

int step_resolve(struct ctx *c, struct run *r, const char *rev, struct oid *ret,
		 struct err *e)
{
	static const struct step step = { resolve_act, resolve_save, resolve_load };
	struct resolve_ctx s = { .repo = c->repo, .rev = rev };
	_cleanup_free_ char *name = xasprintf("resolve:%s", rev);

	if (run_step(r, &step, name, &s, e) < 0)
		return -(int)e->code;
	*ret = s.oid;
	return 0;
}

struct build_task {
	char *name;
	struct repo *repo;
	struct oid commit;
	struct build_opts opts;
	char *fragment; /* path, owned, NULL when the user named one */
	struct config_source config;
	char *open_why; /* why the build ran without sandbox, NULL when it did not */
	enum build_sandbox sandbox;
	uint64_t cache_mib;
	struct build_record rec;
};

static int build_act(void *ctx, struct err *e)
{
	struct build_task *s = ctx;
	_cleanup_free_ char *why = NULL;

	if (build_sandbox_decide(s->sandbox, &s->opts.sandbox, &why, e) < 0)
		return -(int)e->code;
	if (build_commit(s->repo, &s->commit, &s->opts, &s->rec, e) < 0)
		return err_wrap(e, "no kernel of commit %.12s", s->commit.hex);
	if (!s->rec.cached)
		s->open_why = take_ptr(why);
	return 0;
}

static int build_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct build_task *s = ctx;
	_cleanup_free_ char *text = json_build_text(&s->rec);

	buf_adds(detail, text);
	return store_add_build(run_store(r), run_id(r), &s->rec, e);
}

static int build_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct build_task *s = ctx;

	(void)r;
	if (json_build_parse(detail, &s->rec, e) < 0)
		return -(int)e->code;
	/* The cache may have been emptied since; the answer is needed with its image. */
	if (s->rec.image && !fs_exists(s->rec.image)) {
		build_record_release(&s->rec);
		s->rec = (struct build_record){ 0 };
		return build_act(ctx, e);
	}
	if (!oid_equal(&s->rec.commit, &s->commit)) {
		s->rec.commit = s->commit;
		s->rec.cached = true;
		s->rec.seconds = 0;
	}
	return 0;
}

static int sandbox_mode(const char *word, enum build_sandbox *ret, struct err *e)
{
	if (!word || !strcmp(word, "auto"))
		*ret = BUILD_SANDBOX_AUTO;
	else if (!strcmp(word, "on"))
		*ret = BUILD_SANDBOX_ON;
	else if (!strcmp(word, "off"))
		*ret = BUILD_SANDBOX_OFF;
	else
		return err_set(e, ERR_USAGE, "kiln.sandbox is auto, on or off, not '%s'",
			       word);
	return 0;
}

static int fill_opts(struct build_task *s, const struct cli_build_opts *o,
		     const char *fragment, struct err *e)
{
	if (o->jobs > 1024)
		return err_set(e, ERR_USAGE, "%llu jobs are too many",
			       (unsigned long long)o->jobs);
	s->opts.base = s->config.target;
	s->opts.base_file = s->config.file;
	s->opts.lsmod = s->config.lsmod;
	s->opts.fragment = o->fragment ? o->fragment : fragment;
	s->opts.overlay = o->overlay;
	s->opts.arch = o->arch;
	s->opts.llvm = o->llvm;
	s->opts.jobs = (unsigned int)o->jobs;
	s->cache_mib = o->cache_mib ? o->cache_mib : CACHE_MIB;
	return sandbox_mode(o->sandbox, &s->sandbox, e);
}

const struct step build_step = { build_act, build_save, build_load };

void build_task_free(struct build_task *s)
{
	if (!s)
		return;
	build_record_release(&s->rec);
	free(s->fragment);
	config_source_release(&s->config);
	free(s->open_why);
	free(s->name);
	free(s);
}

const char *build_task_name(const struct build_task *s)
{
	return s->name;
}

static int add_file(struct buf *b, const char *path, struct err *e)
{
	if (path && fs_read(path, CONFIG_MAX, b, e) < 0)
		return err_wrap(e, "cannot use the config fragment");
	buf_addc(b, '\0');
	return 0;
}

static int add_source(struct buf *b, const char *word, struct err *e)
{
	_cleanup_config_source_ struct config_source s = { 0 };

	if (config_source(word, &s, e) < 0)
		return -(int)e->code;
	buf_adds(b, s.target ?: "");
	return add_file(b, s.file, e) < 0 ? -(int)e->code : add_file(b, s.lsmod, e);
}

/* kiln's own fragment, where the user names no configuration. */
static int own_fragment(const struct cli_build_opts *o, char **ret, struct err *e)
{
	const char *name = build_fragment(o->arch);

	/* an unknown architecture is the build's to refuse */
	return o->fragment || o->config || !name ? 0 : paths_need(name, ret, e);
}

int build_variant(const struct cli_build_opts *o, char **ret, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct oid digest;

	*ret = NULL;
	if (!o->config && !o->fragment && !o->overlay && !o->llvm)
		return 0;
	if (add_file(&b, o->fragment, e) < 0 || add_file(&b, o->overlay, e) < 0 ||
	    (o->config && add_source(&b, o->config, e) < 0))
		return -(int)e->code;
	if (o->llvm)
		buf_adds(&b, "llvm");
	repo_digest(b.data, b.len, &digest);
	*ret = xasprintf("%.12s", digest.hex);
	return 0;
}

int build_task_new(struct ctx *c, const struct oid *commit,
		   const struct cli_build_opts *o, struct build_task **ret, struct err *e)
{
	_cleanup_build_task_ struct build_task *s = xzalloc(sizeof(*s));
	_cleanup_free_ char *variant = NULL;
	struct commit_info info = { 0 };
	struct oid tree;

	s->repo = c->repo;
	s->commit = *commit;
	s->opts.progress = c->progress;
	if (own_fragment(o, &s->fragment, e) < 0 ||
	    (o->config && config_source(o->config, &s->config, e) < 0))
		return -(int)e->code;
	if (fill_opts(s, o, s->fragment, e) < 0 ||
	    repo_commit(c->repo, commit, &info, e) < 0)
		return -(int)e->code;
	tree = info.tree;
	commit_info_release(&info);
	if (build_variant(o, &variant, e) < 0)
		return -(int)e->code;
	s->name = xasprintf("build:%s%s%s", tree.hex, variant ? "+" : "", variant ?: "");
	*ret = take_ptr(s);
	return 0;
}

void build_task_jobs(struct build_task *s, unsigned int jobs)
{
	if (!s->opts.jobs || s->opts.jobs > jobs)
		s->opts.jobs = jobs;
	s->opts.progress = NULL; /* the line belongs to who works in front */
}

static void make_room(const struct build_task *s, const struct ctx *c)
{
	_cleanup_err_ struct err e = { 0 };
	struct cache_trimmed t;

	if (!s->rec.cached && cache_room(c->store, s->cache_mib, &t, &e) < 0 && !c->quiet)
		out_talk("warning: the kernel cache grows: %s",
			 e.nr ? e.frame[0] : err_word(e.code));
}

void build_task_take(struct build_task *s, const struct ctx *c, struct build_record *ret)
{
	make_room(s, c);
	if (s->open_why && !c->quiet)
		out_talk("warning: %.12s was built without sandbox: %s", s->commit.hex,
			 s->open_why);
	*ret = s->rec;
	s->rec = (struct build_record){ 0 };
}

int build_task_opts(struct build_task *s, const struct build_opts **ret, struct err *e)
{
	_cleanup_free_ char *why = NULL;

	if (build_sandbox_decide(s->sandbox, &s->opts.sandbox, &why, e) < 0)
		return -(int)e->code;
	*ret = &s->opts;
	return 0;
}

int step_build(struct ctx *c, struct run *r, const struct oid *commit,
	       const struct cli_build_opts *o, struct build_record *ret, struct err *e)
{
	_cleanup_build_task_ struct build_task *s = NULL;

	if (build_task_new(c, commit, o, &s, e) < 0 ||
	    run_step(r, &build_step, s->name, s, e) < 0)
		return -(int)e->code;
	build_task_take(s, c, ret);
	return 0;
}

int build_cached_commits(struct ctx *c, const struct oid *commits, size_t nr,
			 const struct cli_build_opts *o, bool *ret, struct err *e)
{
	_cleanup_build_task_ struct build_task *s = NULL;
	const struct build_opts *opts = NULL;

	if (!nr)
		return 0;
	if (build_task_new(c, &commits[0], o, &s, e) < 0 ||
	    build_task_opts(s, &opts, e) < 0)
		return -(int)e->code;
	return build_cached(c->repo, commits, nr, opts, ret, e);
}

int build_need_ok(const struct build_record *b, struct err *e)
{
	if (!strcmp(b->status, "ok"))
		return 0;
	err_set(e, !strcmp(b->status, "config-lost") ? ERR_CONFIG_LOST : ERR_BUILD, "%s",
		b->reason ? b->reason : b->status);
	err_hint(e, "the whole log is '%s'", b->log);
	return err_wrap(e, "commit %.12s gives no kernel", b->commit.hex);
}
