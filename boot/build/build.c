// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/build/cache.h"
#include "boot/build/code.h"
#include "boot/build/configure.h"
#include "boot/build/elf.h"
#include "boot/build/image.h"
#include "boot/build/inputs.h"
#include "boot/build/modules.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"

#define DEFAULT_TIMEOUT_S (2 * 60 * 60)

/* Whether the cache has the answer; fills the record from it. */
static bool job_cached(struct build_job *j)
{
	struct build_record hit = { 0 };

	if (!cache_load(&j->key, &hit))
		return false;
	hit.commit = j->rec.commit;
	hit.cached = true;
	build_record_release(&j->rec);
	j->rec = hit;
	return true;
}

static int open_log(struct build_job *j, struct err *e)
{
	j->log_fd =
		open(j->wt->log, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	if (j->log_fd < 0)
		return err_sys(e, errno, "cannot write '%s'", j->wt->log);
	return 0;
}

/* In the sandbox the folders have names of our choice; a kernel's Makefile takes not all.
 */
static int check_path(const struct build_job *j, struct err *e)
{
	if (j->opts->sandbox || !strpbrk(j->wt->root, " \t:"))
		return 0;
	err_set(e, ERR_CONFIG, "make cannot work in '%s': blanks or colons in its name",
		j->wt->root);
	return err_hint(e, "build in the sandbox, or set KILN_HOME or XDG_CACHE_HOME to "
			   "another folder");
}

int job_open(struct build_job *j, struct repo *r, struct err *e)
{
	uint64_t limit = j->opts->timeout_s ? j->opts->timeout_s : DEFAULT_TIMEOUT_S;
	uint64_t ms = limit > INT32_MAX / 1000 ? INT32_MAX : limit * 1000;

	if (worktree_open(repo_common_dir(r), j->variant, (int)ms, &j->wt, e) < 0 ||
	    check_path(j, e) < 0 || open_log(j, e) < 0 ||
	    (j->ccache && fs_mkdirs(j->ccache, e) < 0))
		return -(int)e->code;
	j->box.src = j->wt->src;
	j->box.out = j->wt->out;
	j->box.ccache = j->ccache;
	j->make = (struct make_job){
		.box = &j->box,
		.arch = j->arch,
		.llvm = j->opts->llvm,
		.what = j->what,
		.jobs = j->opts->jobs,
		.started_ms = clock_ms(),
		.deadline_ms = clock_ms() + ms,
		.log_fd = j->log_fd,
		.progress = j->opts->progress,
	};
	return 0;
}

static int open_results(struct build_job *j, int *ret_vmlinux, struct err *e)
{
	if (worktree_open_out(j->wt, "vmlinux", ret_vmlinux, e) < 0 ||
	    elf_check_machine(*ret_vmlinux, "vmlinux", j->arch->elf, e) < 0 ||
	    elf_build_id(*ret_vmlinux, "vmlinux", &j->rec.build_id, e) < 0)
		return -(int)e->code;
	return worktree_open_out(j->wt, j->arch->image, &j->image_fd, e);
}

static int is_whole(struct build_job *j, int vmlinux_fd, bool *ret, struct err *e)
{
	const struct built b = {
		.arch = j->arch,
		.wt = j->wt,
		.image_fd = j->image_fd,
		.vmlinux_fd = vmlinux_fd,
		.build_id = j->rec.build_id,
	};

	_cleanup_buf_ struct buf modules = BUF_INIT;

	if (image_is_whole(&b, ret, e) < 0 || !*ret ||
	    modules_collect(j, &modules, &j->nr_modules, e) < 0)
		return -(int)e->code;
	return code_digest(&b, &modules, &j->rec.code, e);
}

/* What make left: the image and the build-id; a build without them has failed. */
static int job_collect(struct build_job *j, struct err *e)
{
	_cleanup_close_ int vmlinux = -1;
	_cleanup_err_ struct err why = { 0 };
	bool whole = false;

	if (open_results(j, &vmlinux, &why) == 0 &&
	    is_whole(j, vmlinux, &whole, &why) == 0) {
		if (whole) {
			j->rec.status = xstrdup("ok");
			return 0;
		}
		if (j->fresh)
			return err_set(e, ERR_TOOL_FAILED,
				       "'%s' does not hold the vmlinux made with it",
				       j->arch->image);
		err_set(&why, ERR_NOT_FOUND, "'%s' holds another vmlinux",
			j->arch->image);
	}
	if (why.code != ERR_NO_FILE && why.code != ERR_NOT_FOUND &&
	    why.code != ERR_TRUNCATED) {
		*e = why;
		why = (struct err){ 0 };
		return -(int)e->code;
	}
	free(take_ptr(j->rec.build_id));
	free(take_ptr(j->rec.code));
	base_closep(&j->image_fd);
	j->image_fd = -1;
	j->vague = true;
	job_answer(j, "failed", xstrdup(why.frame[0]));
	return 0;
}

static int make_once(struct build_job *j, struct err *e)
{
	int r;

	if (configure(j, e) < 0)
		return -(int)e->code;
	if (j->rec.status) /* the configuration is the answer */
		return 0;
	r = job_target(j, j->arch->target, e);
	if (r > 0)
		r = modules_make(j, e);
	return r <= 0 ? r : job_collect(j, e);
}

/* Forget an answer, for another try from an empty output folder. */
static int job_restart(struct build_job *j, struct err *e)
{
	free(take_ptr(j->rec.status));
	free(take_ptr(j->rec.reason));
	buf_clear(&j->config);
	j->box.ccache_off = j->vague = false;
	j->fresh = true;
	return worktree_reset_out(j->wt, e);
}

static int job_make(struct build_job *j, struct err *e)
{
	_cleanup_free_ char *config = fs_path(j->wt->out, ".config");

	j->fresh = !fs_exists(config);
	if (worktree_checkout(j->wt, &j->rec.tree, e) < 0 ||
	    worktree_make_begins(j->wt, e) < 0 || make_once(j, e) < 0)
		return -(int)e->code;
	/* A failure without a cause may be the work of an earlier build in this folder.
	 */
	if (!j->vague || j->fresh)
		return 0;
	return job_restart(j, e) < 0 ? -(int)e->code : make_once(j, e);
}

static int job_build(struct build_job *j, struct repo *r, struct err *e)
{
	_cleanup_buf_ struct buf warnings = BUF_INIT;
	struct cache_files f = { .image_fd = -1, .warnings = &warnings };
	struct oid config;

	if (job_open(j, r, e) < 0)
		return -(int)e->code;
	if (job_cached(j)) /* who held the lock built the same */
		return 0;
	if (job_make(j, e) < 0) {
		err_wrap(e, "cannot build tree %.12s; log in '%s'", j->rec.tree.hex,
			 j->wt->log);
		return -(int)e->code;
	}
	if (job_warnings(j, &warnings, e) < 0)
		return -(int)e->code;
	repo_digest(j->config.data, j->config.len, &config);
	j->rec.config = xstrdup(config.hex);
	f.config = buf_str(&j->config);
	f.config_len = j->config.len;
	f.image_fd = j->image_fd;
	f.log = j->wt->log;
	f.modules = j->nr_modules && j->rec.build_id ? j->wt->modules : NULL;
	if (cache_store(&j->key, &f, &j->rec, e) < 0)
		return -(int)e->code;
	if (!strcmp(j->rec.status, "ok") && worktree_linked(j->wt, e) < 0)
		return -(int)e->code;
	if (!j->vague) /* else the next build starts from an empty folder too */
		worktree_make_ended(j->wt);
	return 0;
}

void job_release(struct build_job *j)
{
	build_record_release(&j->rec);
	buf_release(&j->base);
	buf_release(&j->fragment);
	buf_release(&j->overlay);
	buf_release(&j->require);
	buf_release(&j->config);
	base_closep(&j->log_fd);
	base_closep(&j->image_fd);
	worktree_free(j->wt);
	free(j->ccache);
	free(j->variant);
	free(j->what);
}

int build_commit(struct repo *r, const struct oid *commit, const struct build_opts *o,
		 struct build_record *ret, struct err *e)
{
	_cleanup_(job_release) struct build_job j = { .opts = o,
						      .log_fd = -1,
						      .image_fd = -1 };
	uint64_t started = clock_ms();

	if (inputs_read(&j, r, commit, e) < 0)
		return -(int)e->code;
	if (!job_cached(&j) && job_build(&j, r, e) < 0)
		return -(int)e->code;
	j.rec.seconds = (double)(clock_ms() - started) / 1000;
	*ret = j.rec;
	j.rec = (struct build_record){ 0 };
	return 0;
}

/* The inputs but for the tree are the same for all, and asking a toolchain takes time. */
int build_cached(struct repo *r, const struct oid *commits, size_t nr,
		 const struct build_opts *o, bool *ret, struct err *e)
{
	_cleanup_(job_release) struct build_job j = { .opts = o,
						      .log_fd = -1,
						      .image_fd = -1 };

	if (!nr)
		return 0;
	if (inputs_read(&j, r, &commits[0], e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		struct build_record hit = { 0 };
		struct commit_info info = { 0 };

		if (repo_commit(r, &commits[i], &info, e) < 0)
			return -(int)e->code;
		j.rec.tree = info.tree;
		commit_info_release(&info);
		inputs_key(&j);
		ret[i] = cache_load(&j.key, &hit);
		build_record_release(&hit);
	}
	return 0;
}
