// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/worktree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boot/build/diagnose.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/git/repo.h"

#define GIT_TIMEOUT_MS (30 * 60 * 1000)

/* git on our own directory, without the caller's GIT_* variables and configuration. */
static void git_argv(const struct worktree *w, struct strv *v)
{
	strv_addl(v, "env", "-i", "LC_ALL=C", "HOME=/nonexistent",
		  "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		  "GIT_NO_REPLACE_OBJECTS=1", NULL);
	strv_addf(v, "PATH=%s", getenv("PATH") ?: "/usr/bin:/bin");
	strv_add(v, "git");
	strv_addf(v, "--git-dir=%s", w->git);
	strv_addf(v, "--work-tree=%s", w->src);
}

static int git_run(const struct strv *argv, struct buf *out, int *ret_status,
		   struct err *e)
{
	_cleanup_buf_ struct buf tail = BUF_INIT;
	_cleanup_diagnosis_ struct diagnosis d = { 0 };
	struct spawn s = { .argv = argv, .timeout_ms = GIT_TIMEOUT_MS, .out = out };

	if (spawn_run(&s, ret_status, &tail, e) < 0)
		return -(int)e->code;
	if (!*ret_status || *ret_status == 1)
		return 0;
	if (*ret_status == 127)
		return err_set(e, ERR_TOOL_MISSING, "program 'git' not found");
	diagnose_log(buf_str(&tail), NULL, &d);
	if (d.code) {
		err_set(e, d.code, "git: %s", d.reason);
		return d.hint ? err_hint(e, "%s", d.hint) : -(int)e->code;
	}
	return err_set(e, ERR_TOOL_FAILED, "git ended with status %d: %.*s", *ret_status,
		       (int)strcspn(buf_str(&tail), "\n"), buf_str(&tail));
}

/* As git_run(), for commands that have no use for status 1. */
static int git_check(const struct strv *argv, struct buf *out, struct err *e)
{
	int status = 0;

	if (git_run(argv, out, &status, e) < 0)
		return -(int)e->code;
	return status ? err_set(e, ERR_TOOL_FAILED, "git ended with status %d", status)
		      : 0;
}

static int write_text(const char *dir, const char *name, const char *text, struct err *e)
{
	_cleanup_free_ char *path = fs_path(dir, name);

	return fs_write(path, text, strlen(text), e);
}

static int make_dir(const char *dir, const char *name, struct err *e)
{
	_cleanup_free_ char *path = fs_path(dir, name);

	return fs_mkdirs(path, e);
}

/* Objects come from the repository; attributes of the tree have no say. */
static int git_dir_create(struct worktree *w, const char *common_dir, struct err *e)
{
	_cleanup_free_ char *alternates = xasprintf("%s/objects\n", common_dir);
	_cleanup_free_ char *head = fs_path(w->git, "HEAD");

	if (fs_exists(head))
		return 0;
	if (strchr(common_dir, '\n'))
		return err_set(e, ERR_NO_TREE, "path of the repository has a line break");
	if (make_dir(w->git, "refs", e) < 0 || make_dir(w->git, "info", e) < 0 ||
	    make_dir(w->git, "objects/info", e) < 0 ||
	    write_text(w->git, "objects/info/alternates", alternates, e) < 0 ||
	    write_text(w->git, "info/attributes",
		       "* -text -ident !eol !filter !working-tree-encoding\n", e) < 0 ||
	    write_text(w->git, "config",
		       "[core]\n\trepositoryformatversion = 0\n\tautocrlf = false\n"
		       "\tsymlinks = true\n\tfileMode = true\n\tfsmonitor = false\n"
		       "\thooksPath = /dev/null\n[submodule]\n\trecurse = false\n",
		       e) < 0)
		return -(int)e->code;
	return write_text(w->git, "HEAD", "ref: refs/heads/none\n", e);
}

int worktree_reset_out(struct worktree *w, struct err *e)
{
	if (fs_remove_tree(w->out, e) < 0 || fs_remove_tree(w->state, e) < 0 ||
	    fs_remove_tree(w->warnings, e) < 0 || fs_remove_tree(w->linked, e) < 0)
		return -(int)e->code;
	return fs_mkdirs(w->out, e);
}

static int out_recover(struct worktree *w, struct err *e)
{
	if (!fs_exists(w->dirty))
		return fs_mkdirs(w->out, e);
	if (worktree_reset_out(w, e) < 0)
		return -(int)e->code;
	return fs_remove_tree(w->dirty, e);
}

/* "out" or "out-VARIANT" */
static char *variant_path(const struct worktree *w, const char *name, const char *variant)
{
	return xasprintf("%s/%s%s%s", w->root, name, variant ? "-" : "", variant ?: "");
}

static struct worktree *worktree_new(const char *common_dir, const char *variant)
{
	_cleanup_free_ char *cache = fs_cache_dir();
	struct worktree *w = xzalloc(sizeof(*w));
	struct oid id;

	repo_digest(common_dir, strlen(common_dir), &id);
	w->lock = -1;
	w->root = xasprintf("%s/worktrees/%.16s", cache, id.hex);
	w->git = fs_path(w->root, "git");
	w->src = fs_path(w->root, "src");
	w->out = variant_path(w, "out", variant);
	w->log = fs_path(w->root, "log");
	w->warnings = variant_path(w, "warnings", variant);
	w->linked = variant_path(w, "linked", variant);
	w->modules = fs_path(w->root, "modules");
	w->state = variant_path(w, "state", variant);
	w->dirty = variant_path(w, "dirty", variant);
	return w;
}

int worktree_open(const char *common_dir, const char *variant, int timeout_ms,
		  struct worktree **ret, struct err *e)
{
	_cleanup_worktree_ struct worktree *w = worktree_new(common_dir, variant);
	_cleanup_free_ char *lock = fs_path(w->root, "lock");

	if (fs_mkdirs(w->src, e) < 0 || fs_lock(lock, timeout_ms, &w->lock, e) < 0 ||
	    git_dir_create(w, common_dir, e) < 0 || out_recover(w, e) < 0)
		return err_wrap(e, "cannot prepare '%s'", w->root);
	*ret = take_ptr(w);
	return 0;
}

static int read_tree(struct worktree *w, const struct oid *tree, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT, clean = STRV_INIT;
	_cleanup_free_ char *lock = fs_path(w->git, "index.lock");

	/* Ours alone, under our lock: left by a git that was killed. */
	if (fs_remove_tree(lock, e) < 0)
		return -(int)e->code;
	git_argv(w, &argv);
	strv_addl(&argv, "read-tree", "--reset", "-u", tree->hex, NULL);
	if (git_check(&argv, NULL, e) < 0)
		return -(int)e->code;
	/* A build outside the sandbox can leave files among the sources. */
	git_argv(w, &clean);
	strv_addl(&clean, "clean", "-ffdxq", NULL);
	return git_check(&clean, NULL, e);
}

int worktree_checkout(struct worktree *w, const struct oid *tree, struct err *e)
{
	_cleanup_free_ char *index = fs_path(w->git, "index");
	_cleanup_err_ struct err first = { 0 };

	if (read_tree(w, tree, &first) == 0)
		return 0;
	/* A damaged index or a source tree somebody meddled with: once more from nothing.
	 */
	if (first.code == ERR_TOOL_FAILED && fs_exists(index)) {
		if (fs_remove_tree(index, e) < 0 || fs_remove_tree(w->src, e) < 0 ||
		    fs_mkdirs(w->src, e) < 0)
			return -(int)e->code;
		return read_tree(w, tree, e);
	}
	*e = first;
	first = (struct err){ 0 };
	return err_wrap(e, "cannot unpack tree %.12s into '%s'", tree->hex, w->src);
}

int worktree_changed(struct worktree *w, const struct oid *a, const struct oid *b,
		     struct buf *ret, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;

	git_argv(w, &argv);
	strv_addl(&argv, "diff-tree", "-r", "--no-renames", "--name-only", "-z", a->hex,
		  b->hex, NULL);
	return git_check(&argv, ret, e);
}

int worktree_has_symbol(struct worktree *w, const struct oid *tree, const char *symbol,
			bool *ret, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int status;

	git_argv(w, &argv);
	strv_addl(&argv, "grep", "-q", "-E", NULL);
	strv_addf(&argv, "^[[:space:]]*(menu)?config[[:space:]]+%s[[:space:]]*$",
		  symbol + strlen("CONFIG_"));
	strv_addl(&argv, tree->hex, "--", "*Kconfig*", NULL);
	if (git_run(&argv, NULL, &status, e) < 0)
		return -(int)e->code;
	*ret = !status;
	return 0;
}

bool worktree_is_makefile(const char *name)
{
	return !strncmp(name, "Makefile", 8) || !strncmp(name, "Kbuild", 6);
}

int worktree_make_begins(struct worktree *w, struct err *e)
{
	if (fs_write(w->dirty, "", 0, e) < 0)
		return -(int)e->code;
	return fs_remove_tree(w->linked, e);
}

int worktree_linked(struct worktree *w, struct err *e)
{
	return fs_write(w->linked, "", 0, e);
}

void worktree_make_ended(struct worktree *w)
{
	unlink(w->dirty);
}

int worktree_open_out(struct worktree *w, const char *path, int *ret_fd, struct err *e)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	_cleanup_close_ int dir = open(w->out, O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (dir < 0)
		return err_sys(e, errno, "cannot open '%s'", w->out);
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return err_set(e, ERR_NO_FILE, "the build left no file '%s'", path);
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(e, errno, "cannot open '%s' of the build", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_NO_FILE, "'%s' of the build is no regular file",
			       path);
	*ret_fd = take_fd(fd);
	return 0;
}

void worktree_free(struct worktree *w)
{
	if (!w)
		return;
	if (w->lock >= 0)
		close(w->lock);
	free(w->root);
	free(w->git);
	free(w->src);
	free(w->out);
	free(w->log);
	free(w->modules);
	free(w->state);
	free(w->warnings);
	free(w->linked);
	free(w->dirty);
	free(w);
}
