// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/configure.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/log.h"

#define CONFIG_MAX (4 << 20)
#define STATE_MAX 4096

/* 1: read, 0: there is none, negative: cannot be read. */
static int read_config(struct build_job *j, struct buf *ret, struct timespec *ret_mtime,
		       struct err *e)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (worktree_open_out(j->wt, ".config", &fd, e) < 0) {
		if (e->code != ERR_NO_FILE)
			return -(int)e->code;
		err_release(e);
		return 0;
	}
	if (fs_read_fd(fd, ".config", CONFIG_MAX, ret, e) < 0)
		return -(int)e->code;
	if (ret_mtime && !fstat(fd, &st))
		*ret_mtime = st.st_mtim;
	return 1;
}

static void state_text(const struct build_job *j, const struct oid *tree, struct buf *ret)
{
	struct oid config;

	repo_digest(j->config.data, j->config.len, &config);
	buf_addf(ret, "tree %s\ninputs %s\nconfig %s\n", tree->hex, j->inputs.hex,
		 config.hex);
}

/* The tree .config was made for, when all else that made it is as it is now. */
static bool state_tree(struct build_job *j, struct oid *ret)
{
	_cleanup_buf_ struct buf have = BUF_INIT, want = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct oid tree = { 0 };

	if (fs_read(j->wt->state, STATE_MAX, &have, &e) < 0 || have.len < 5 + 40 ||
	    strncmp(have.data, "tree ", 5))
		return false;
	memcpy(tree.hex, have.data + 5, 40);
	state_text(j, &tree, &want);
	if (strcmp(buf_str(&have), buf_str(&want)) != 0)
		return false;
	*ret = tree;
	return true;
}

int configure_kept(struct build_job *j, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	state_text(j, &j->rec.tree, &b);
	return fs_write(j->wt->state, b.data, b.len, e);
}

/* A bisection changes code, hardly ever Kconfig: running it again costs seconds a step.
 */
static bool may_keep(struct build_job *j, struct buf *ret_paths)
{
	_cleanup_err_ struct err e = { 0 };
	struct oid tree;

	if (!state_tree(j, &tree))
		return false;
	if (worktree_changed(j->wt, &tree, &j->rec.tree, ret_paths, &e) < 0)
		return false;
	return config_unaffected(buf_str(ret_paths), ret_paths->len);
}

int configure_keep(struct build_job *j, struct buf *ret, struct err *e)
{
	int had = read_config(j, &j->config, NULL, e);

	return had <= 0 ? had : may_keep(j, ret);
}

/* The configuration all else goes over: a file, or what a target of make leaves. */
static int base_make(struct build_job *j, struct buf *ret, struct err *e)
{
	int r;

	if (j->opts->base_file) {
		buf_add(ret, j->base.data, j->base.len);
		return 1;
	}
	r = job_target(j, j->opts->base ? j->opts->base : "tinyconfig", e);
	return r <= 0 ? r : read_config(j, ret, NULL, e);
}

/*
 * Drop what is a module and not loaded. The target asks about symbols that come into
 * sight, so the tree's defaults are settled first and taken for the rest.
 */
static int trim_modules(struct build_job *j, struct err *e)
{
	_cleanup_free_ char *path = fs_path(j->wt->out, "kiln-lsmod");
	_cleanup_free_ char *word =
		xasprintf("LSMOD=%s/kiln-lsmod", sandbox_out(&j->box));
	static const char answers[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
	int r = job_target(j, "olddefconfig", e);

	if (r <= 0)
		return r;
	if (fs_write(path, j->lsmod.data, j->lsmod.len, e) < 0)
		return -(int)e->code;
	j->make.extra[0] = word;
	j->make.answers = answers;
	r = job_target(j, "localmodconfig", e);
	j->make.extra[0] = j->make.answers = NULL;
	return r;
}

static int config_write(struct build_job *j, const struct buf *base, struct err *e)
{
	_cleanup_free_ char *path = fs_path(j->wt->out, ".config");
	const struct buf *const over[] = { &j->fragment, &j->overlay };
	_cleanup_buf_ struct buf all = BUF_INIT;

	buf_add(&all, base->data, base->len);
	/* In a .config a later line overrides an earlier one. */
	for (size_t i = 0; i < ARRAY_SIZE(over); i++) {
		buf_addc(&all, '\n');
		buf_add(&all, over[i]->data, over[i]->len);
	}
	return fs_write(path, all.data, all.len, e);
}

static int config_make(struct build_job *j, struct err *e)
{
	_cleanup_buf_ struct buf base = BUF_INIT;
	int r = base_make(j, &base, e);

	if (r <= 0)
		return r;
	if (config_write(j, &base, e) < 0)
		return -(int)e->code;
	r = j->opts->lsmod ? trim_modules(j, e) : 1;
	if (r > 0)
		r = job_target(j, "olddefconfig", e);
	if (r <= 0)
		return r;
	buf_clear(&j->config);
	r = read_config(j, &j->config, NULL, e);
	if (r == 0)
		job_answer(j, "failed", xstrdup("olddefconfig left no .config"));
	return r;
}

/* A configuration for another machine than the architecture's. */
static void config_refuse(struct build_job *j)
{
	_cleanup_free_ char *set = NULL;
	struct config_lost lost = { 0 };

	if (!j->arch->refused)
		return;
	set = xasprintf("CONFIG_%s=n\n", j->arch->refused);
	if (config_check(set, buf_str(&j->config), &lost))
		job_answer(j, "config-lost",
			   xasprintf("%s=%s: %s", lost.symbol, lost.now,
				     j->arch->refused_why));
	config_lost_release(&lost);
}

static int config_judge(struct build_job *j, const struct buf *fragment, struct err *e)
{
	struct config_lost lost = { 0 };
	bool known;
	int r;

	if (!config_check(buf_str(fragment), buf_str(&j->config), &lost))
		return 0;
	r = worktree_has_symbol(j->wt, &j->rec.tree, lost.symbol, &known, e);
	if (r == 0)
		job_answer(
			j, "config-lost",
			xasprintf(known ? "%s=%s became %s: a dependency is not met"
					: "%s=%s became %s: this tree has no such symbol",
				  lost.symbol, lost.wanted, lost.now));
	config_lost_release(&lost);
	return r;
}

/* An unchanged .config keeps its age, or make would look at every object again. */
static void restore_age(struct build_job *j, const struct buf *old,
			const struct timespec *mtime)
{
	_cleanup_free_ char *path = fs_path(j->wt->out, ".config");
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, *mtime };

	if (old->len != j->config.len || memcmp(old->data, j->config.data, old->len) != 0)
		return;
	if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) < 0)
		log_debug("cannot set the time of %s", path);
}

int configure(struct build_job *j, struct err *e)
{
	_cleanup_buf_ struct buf old = BUF_INIT, paths = BUF_INIT;
	struct timespec mtime = { 0 };
	int had = read_config(j, &old, &mtime, e), r;

	if (had < 0)
		return had;
	buf_add(&j->config, old.data, old.len);
	if (had && may_keep(j, &paths))
		return configure_kept(j, e);
	buf_clear(&j->config);
	r = config_make(j, e);
	if (r <= 0)
		return r;
	config_refuse(j);
	if (!j->rec.status && !j->opts->overlay && config_judge(j, &j->fragment, e) < 0)
		return -(int)e->code;
	if (!j->rec.status && config_judge(j, &j->require, e) < 0)
		return -(int)e->code;
	if (j->rec.status)
		return 0;
	if (had)
		restore_age(j, &old, &mtime);
	return configure_kept(j, e);
}
