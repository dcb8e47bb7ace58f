// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/modules.h"

#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/build/config.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define INSTALLED "kiln-modules" /* below the output folder */
#define MODULE_MAX (256u << 20)
#define MODULES_MAX 20000

static bool has_modules(const struct build_job *j)
{
	_cleanup_free_ char *value = config_value(buf_str(&j->config), "CONFIG_MODULES");

	return !strcmp(value, "y");
}

int modules_make(struct build_job *j, struct err *e)
{
	_cleanup_free_ char *path = fs_path(j->wt->out, INSTALLED);
	_cleanup_free_ char *where =
		xasprintf("INSTALL_MOD_PATH=%s/" INSTALLED, sandbox_out(&j->box));
	int r;

	if (fs_remove_tree(path, e) < 0 || fs_remove_tree(j->wt->modules, e) < 0)
		return -(int)e->code;
	if (!has_modules(j))
		return 1;
	r = job_target(j, "modules", e);
	if (r <= 0)
		return r;
	j->make.extra[0] = where;
	j->make.extra[1] = "INSTALL_MOD_STRIP=1";
	/* Packed ones are for a disk: the agent loads them as they are. */
	j->make.extra[2] = "CONFIG_MODULE_COMPRESS_GZIP=";
	j->make.extra[3] = "CONFIG_MODULE_COMPRESS_XZ=";
	j->make.extra[4] = "CONFIG_MODULE_COMPRESS_ZSTD=";
	r = job_target(j, "modules_install", e);
	memset(j->make.extra, 0, sizeof(j->make.extra));
	return r;
}

static bool is_module(const char *name)
{
	size_t n = strlen(name);

	return n > 3 && n < 128 && !strcmp(name + n - 3, ".ko") && name[0] != '.';
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths below the output folder, in one order everywhere. Links are not followed: what
 * they lead to is opened by nobody. */
static void list_modules(const struct build_job *j, struct strv *ret)
{
	_cleanup_free_ char *root = fs_path(j->wt->out, INSTALLED);
	char *const roots[] = { root, NULL };
	size_t skip = strlen(j->wt->out) + 1;
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *f;

	while (fts && ret->nr < MODULES_MAX && (f = fts_read(fts)))
		if (f->fts_info == FTS_F && is_module(f->fts_name))
			strv_add(ret, f->fts_path + skip);
	if (fts)
		fts_close(fts);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
}

static int copy_module(struct build_job *j, const char *path, struct buf *code,
		       struct err *e)
{
	const char *name = strrchr(path, '/') + 1;
	_cleanup_free_ char *to = fs_path(j->wt->modules, name);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_close_ int fd = -1;
	struct oid digest;

	if (worktree_open_out(j->wt, path, &fd, e) < 0 ||
	    fs_read_fd(fd, path, MODULE_MAX, &b, e) < 0 ||
	    fs_write(to, b.data, b.len, e) < 0)
		return -(int)e->code;
	repo_digest(b.data, b.len, &digest);
	buf_addf(code, "module %s %s\n", name, digest.hex);
	return 0;
}

int modules_collect(struct build_job *j, struct buf *code, size_t *ret_nr, struct err *e)
{
	_cleanup_strv_ struct strv paths = STRV_INIT;

	list_modules(j, &paths);
	if (paths.nr && fs_mkdirs(j->wt->modules, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < paths.nr; i++)
		if (copy_module(j, paths.v[i], code, e) < 0)
			return err_wrap(e, "cannot keep the module '%s'", paths.v[i]);
	*ret_nr = paths.nr;
	return 0;
}
