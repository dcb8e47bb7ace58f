// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/objects.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/build/configure.h"
#include "boot/build/inputs.h"
#include "boot/build/job.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

/* With more, a whole build is about as quick. */
#define OBJECTS_MAX 64
#define CMD_MAX (4 << 20)

struct objects {
	struct build_job *job;
	struct strv names;    /* "drivers/net/a.o" */
	struct strv included; /* changed files whose includers are to be found */
	char *why;
};

void objects_record_release(struct objects_record *r)
{
	free(r->why);
	*r = (struct objects_record){ 0 };
}

static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n > k && !strcmp(s + n - k, suffix);
}

/* No part of any kernel. */
static bool is_text(const char *path)
{
	return has_prefix(path, "Documentation/") || !strcmp(path, "MAINTAINERS") ||
	       !strcmp(path, "CREDITS") || has_suffix(path, ".rst") ||
	       has_suffix(path, "/.gitignore");
}

static bool is_source(const char *path)
{
	return has_suffix(path, ".c") ||
	       (has_suffix(path, ".S") && !has_suffix(path, ".lds.S"));
}

/* Programs that take part in builds are not asked about by object. */
static bool is_of_the_host(const char *path)
{
	return has_prefix(path, "scripts/") || has_prefix(path, "tools/");
}

/* A name that make and the shell take for nothing but a name. */
static bool is_plain(const char *path)
{
	static const char others[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789_./+,-";

	return path[0] != '-' && !path[strspn(path, others)];
}

static void give_up(struct objects *o, char *why)
{
	free(o->why);
	o->why = why;
}

static void add_name(struct objects *o, const char *name)
{
	if (!is_plain(name))
		give_up(o, xasprintf("'%s' is no name for make", name));
	else if (!strv_has(&o->names, name))
		strv_add(&o->names, name);
	if (o->names.nr > OBJECTS_MAX)
		give_up(o, xasprintf("it touches more than %d objects", OBJECTS_MAX));
}

/* "drivers/net/.a.o.cmd": what make wrote when it compiled drivers/net/a.o. */
static char *cmd_of(const char *object)
{
	const char *slash = strrchr(object, '/');
	int n = slash ? (int)(slash + 1 - object) : 0;

	return xasprintf("%.*s.%s.cmd", n, object, object + n);
}

static bool was_made(struct objects *o, const char *object)
{
	_cleanup_free_ char *cmd = cmd_of(object);
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_close_ int fd = -1;

	return worktree_open_out(o->job->wt, cmd, &fd, &ignored) == 0;
}

/* What a path that the commit changes asks for. */
static void add_path(struct objects *o, const char *path)
{
	_cleanup_free_ char *object = NULL;

	if (is_text(path))
		return;
	if (is_of_the_host(path) || (!is_source(path) && !has_suffix(path, ".h"))) {
		give_up(o, xasprintf("'%s' is more than the source of objects", path));
		return;
	}
	if (is_source(path)) {
		object = xasprintf("%.*s.o", (int)strlen(path) - 2, path);
		if (was_made(o, object)) {
			add_name(o, object);
			return;
		}
	}
	strv_add(&o->included, path);
}

/* Whether a list of dependencies has the path: "/src/include/a.h \". */
static bool depends(const struct buf *cmd, const char *path)
{
	_cleanup_free_ char *want = xasprintf("/%s", path);
	const size_t n = strlen(want);

	for (const char *p = buf_str(cmd); (p = strstr(p, want)); p += n)
		if (strchr(" \t\n\\)", p[n])) /* the end of the text too */
			return true;
	return false;
}

static void scan_cmd(struct objects *o, const char *path)
{
	const char *name = strrchr(path, '/');
	const size_t dir = name ? (size_t)(name + 1 - path) : 0;
	_cleanup_free_ char *object = xasprintf(
		"%.*s%.*s", (int)dir, path,
		(int)(strlen(path + dir) - strlen(".") - strlen(".cmd")), path + dir + 1);
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err why = { 0 };
	_cleanup_close_ int fd = -1;

	if (worktree_open_out(o->job->wt, path, &fd, &why) < 0 ||
	    fs_read_fd(fd, path, CMD_MAX, &text, &why) < 0) {
		give_up(o, xasprintf("'%s' cannot be read", path));
		return;
	}
	for (size_t i = 0; i < o->included.nr && !o->why; i++)
		if (depends(&text, o->included.v[i]))
			add_name(o, object);
}

/* All objects that include one of the files. Links are not followed. */
static void add_includers(struct objects *o)
{
	char *roots[] = { o->job->wt->out, NULL };
	const size_t skip = strlen(o->job->wt->out) + 1;
	FTS *tree = o->included.nr ? fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT, NULL)
				   : NULL;
	FTSENT *f;

	while (tree && !o->why && (f = fts_read(tree)))
		if (f->fts_info != FTS_D && f->fts_info != FTS_DP &&
		    f->fts_name[0] == '.' && has_suffix(f->fts_name, ".o.cmd"))
			scan_cmd(o, f->fts_path + skip);
	if (tree)
		fts_close(tree);
}

static bool changes_rules(const struct buf *paths)
{
	for (size_t at = 0; at < paths->len; at += strlen(paths->data + at) + 1) {
		const char *path = paths->data + at, *slash = strrchr(path, '/');

		if (worktree_is_makefile(slash ? slash + 1 : path) ||
		    is_of_the_host(path))
			return true;
	}
	return false;
}

/* The objects to make; or why the whole kernel is. */
static int find_objects(struct objects *o, const struct oid *before, struct err *e)
{
	_cleanup_buf_ struct buf since = BUF_INIT, paths = BUF_INIT;
	int r;

	if (!fs_exists(o->job->wt->linked)) {
		give_up(o, xstrdup("no kernel was linked in the output folder"));
		return 0;
	}
	r = configure_keep(o->job, &since, e);
	if (r < 0)
		return r;
	if (!r || changes_rules(&since)) {
		give_up(o, xstrdup("what is compiled, or how, may have changed"));
		return 0;
	}
	if (worktree_changed(o->job->wt, before, &o->job->rec.tree, &paths, e) < 0)
		return -(int)e->code;
	for (size_t at = 0; at < paths.len && !o->why; at += strlen(paths.data + at) + 1)
		add_path(o, paths.data + at);
	if (!o->why)
		add_includers(o);
	return 0;
}

/* Between worktree_make_begins() and its end. */
static int make_objects(struct objects *o, struct err *e)
{
	_cleanup_free_ char *targets = strv_join(&o->names, " ");
	_cleanup_buf_ struct buf warnings = BUF_INIT;
	int r = job_target(o->job, targets, e);

	if (r < 0)
		return r;
	if (!r)
		give_up(o, xstrdup(o->job->rec.reason));
	if (job_warnings(o->job, &warnings, e) < 0)
		return -(int)e->code;
	return r ? worktree_linked(o->job->wt, e) : 0;
}

static int run(struct objects *o, const struct oid *before, struct err *e)
{
	struct worktree *w = o->job->wt;

	if (find_objects(o, before, e) < 0)
		return -(int)e->code;
	if (o->why || !o->names.nr)
		return 0;
	if (worktree_checkout(w, &o->job->rec.tree, e) < 0 ||
	    worktree_make_begins(w, e) < 0 || configure_kept(o->job, e) < 0 ||
	    make_objects(o, e) < 0)
		return err_wrap(e, "cannot compile objects of tree %.12s; log in '%s'",
				o->job->rec.tree.hex, w->log);
	worktree_make_ended(w);
	return 0;
}

static int tree_of(struct repo *r, const struct oid *commit, struct oid *ret,
		   struct err *e)
{
	struct commit_info info = { 0 };

	if (repo_commit(r, commit, &info, e) < 0)
		return -(int)e->code;
	*ret = info.tree;
	commit_info_release(&info);
	return 0;
}

int build_objects_key(struct repo *r, const struct oid *before, const struct oid *commit,
		      const struct build_opts *opts, struct oid *ret, struct err *e)
{
	_cleanup_(job_release) struct build_job j = { .opts = opts,
						      .log_fd = -1,
						      .image_fd = -1 };
	_cleanup_free_ char *text = NULL;
	struct oid tree;

	if (tree_of(r, before, &tree, e) < 0 || inputs_read(&j, r, commit, e) < 0)
		return -(int)e->code;
	text = xasprintf("kiln-objects 1\nbefore %s\nbuild %s\n", tree.hex, j.key.hex);
	repo_digest(text, strlen(text), ret);
	return 0;
}

int build_objects(struct repo *r, const struct oid *before, const struct oid *commit,
		  const struct build_opts *opts, struct objects_record *ret,
		  struct err *e)
{
	_cleanup_(job_release) struct build_job j = { .opts = opts,
						      .log_fd = -1,
						      .image_fd = -1 };
	struct objects o = { .job = &j };
	struct oid tree;
	int rc = tree_of(r, before, &tree, e);

	if (rc == 0)
		rc = inputs_read(&j, r, commit, e);
	if (rc == 0)
		rc = job_open(&j, r, e);
	if (rc == 0)
		rc = run(&o, &tree, e);
	if (rc == 0)
		*ret = (struct objects_record){
			.answer = o.why ? OBJECTS_WHOLE : OBJECTS_COMPILE,
			.nr = o.names.nr,
			.why = take_ptr(o.why),
		};
	strv_release(&o.names);
	strv_release(&o.included);
	free(o.why);
	return rc;
}
