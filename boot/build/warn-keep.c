// SPDX-License-Identifier: GPL-3.0-or-later
/* The warnings of the objects in a worktree's output folder, from build to build. */
#include <string.h>
#include <unistd.h>

#include "boot/build/job.h"
#include "boot/build/warnings.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"

#define KEPT_MAX ((size_t)256 << 20)

static void begin_anew(struct build_job *j, struct warnings *ret)
{
	_cleanup_free_ char *seed = xasprintf("%s\n%llu\n%d", j->key.hex,
					      (unsigned long long)clock_ms(),
					      (int)getpid());

	*ret = (struct warnings){ .whole = j->fresh };
	repo_digest(seed, strlen(seed), &ret->id);
}

static void load(struct build_job *j, struct warnings *ret)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	if (!fs_exists(j->wt->warnings)) {
		begin_anew(j, ret);
		return;
	}
	if (fs_read(j->wt->warnings, KEPT_MAX, &text, &e) == 0 &&
	    warnings_read(buf_str(&text), ret))
		return;
	log_debug("'%s' is damaged", j->wt->warnings);
	begin_anew(j, ret);
	ret->whole = false;
}

static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool is_source(const char *path)
{
	size_t n = strlen(path);

	return n > 2 && (!strcmp(path + n - 2, ".c") || !strcmp(path + n - 2, ".S"));
}

/* What of the changed paths matters to objects that were not made. */
struct changes {
	struct strv makefiles, gone; /* sources that are no longer there */
};

static void changes_release(struct changes *c)
{
	strv_release(&c->makefiles);
	strv_release(&c->gone);
}

static int changes_since(struct build_job *j, const struct oid *tree, struct changes *ret,
			 struct err *e)
{
	_cleanup_buf_ struct buf paths = BUF_INIT;

	if (oid_is_none(tree) || oid_equal(tree, &j->rec.tree))
		return 0;
	if (worktree_changed(j->wt, tree, &j->rec.tree, &paths, e) < 0)
		return -(int)e->code;
	for (size_t at = 0; at < paths.len;) {
		const char *path = paths.data + at;
		_cleanup_free_ char *full = fs_path(j->wt->src, path);

		if (worktree_is_makefile(path + dir_len(path)))
			strv_add(&ret->makefiles, path);
		else if (is_source(path) && !fs_exists(full))
			strv_add(&ret->gone, path);
		at += strlen(path) + 1;
	}
	return 0;
}

static bool is_gone(const struct changes *c, const char *object)
{
	size_t n = strlen(object);

	if (n < 3 || strcmp(object + n - 2, ".o") != 0)
		return false;
	for (size_t i = 0; i < c->gone.nr; i++)
		if (strlen(c->gone.v[i]) == n && !strncmp(c->gone.v[i], object, n - 1))
			return true;
	return false;
}

/* A Makefile speaks of the objects at or below its folder. */
static bool is_doubtful(const struct changes *c, const char *object)
{
	for (size_t i = 0; i < c->makefiles.nr; i++)
		if (!strncmp(c->makefiles.v[i], object, dir_len(c->makefiles.v[i])))
			return true;
	return false;
}

/* Before the log is merged in: what of the old is still to be believed. */
static int age(struct build_job *j, struct warnings *w, struct err *e)
{
	_cleanup_(changes_release) struct changes c = { 0 };
	struct oid config;
	size_t kept = 0;

	repo_digest(j->config.data, j->config.len, &config);
	if (changes_since(j, &w->tree, &c, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < w->nr; i++) {
		struct warned_object *o = &w->v[i];

		if (is_gone(&c, o->name)) {
			warned_object_release(o);
			continue;
		}
		o->doubtful |= !oid_equal(&w->config, &config) ||
			       is_doubtful(&c, o->name);
		w->v[kept++] = *o;
	}
	w->nr = kept;
	w->tree = j->rec.tree;
	w->config = config;
	return 0;
}

int job_warnings(struct build_job *j, struct buf *ret, struct err *e)
{
	_cleanup_warnings_ struct warnings w = { 0 }, fresh = { 0 };
	_cleanup_buf_ struct buf log = BUF_INIT;

	load(j, &w);
	if (age(j, &w, e) < 0)
		return err_wrap(e, "cannot keep the warnings of the build");
	if (!job_log(j, &log)) {
		warnings_release(&w);
		begin_anew(j, &w);
		w.whole = false;
		w.tree = j->rec.tree;
	}
	warnings_read_log(buf_str(&log), sandbox_src(&j->box), &fresh);
	warnings_merge(&w, &fresh);
	buf_clear(ret);
	warnings_write(&w, ret);
	return fs_write(j->wt->warnings, ret->data, ret->len, e);
}
