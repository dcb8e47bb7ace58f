// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/conflict-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"

#define GIT_TIMEOUT_MS (30 * 60 * 1000)
#define GITFILE_MAX 8192

void conflict_tree_release(struct conflict_tree *t)
{
	free(t->dir);
	free(t->git_dir);
	*t = (struct conflict_tree){ 0 };
}

/* git with nothing of the user's that changes what is checked out, committed or run. */
static void git_argv(const char *git_dir, struct strv *v)
{
	static const char *const settings[] = {
		"core.hooksPath=/dev/null",  "core.autocrlf=false",
		"core.safecrlf=false",	     "core.fsmonitor=false",
		"core.sparseCheckout=false", "submodule.recurse=false",
		"commit.gpgSign=false",	     "advice.detachedHead=false",
		"checkout.guess=false",
	};

	/* The caller's may name the user's own worktree. */
	strv_addl(v, "env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u",
		  "GIT_COMMON_DIR", "-u", "GIT_OBJECT_DIRECTORY", "-u", "GIT_NAMESPACE",
		  "git", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		strv_addl(v, "-c", settings[i], NULL);
	strv_addf(v, "--git-dir=%s", git_dir);
}

static int run(const struct strv *argv, const struct buf *in, struct buf *out,
	       const char *index, struct err *e)
{
	_cleanup_strv_ struct strv env = STRV_INIT;
	struct spawn s = {
		.argv = argv, .env = &env, .timeout_ms = GIT_TIMEOUT_MS, .out = out
	};

	strv_addl(&env, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL);
	strv_addf(&env, "GIT_INDEX_FILE=%s", index);
	if (in) {
		s.in = buf_str(in);
		s.in_len = in->len;
	}
	return spawn_check(&s, e);
}

/*
 * Held while git works on the tree, and not empty then: who finds it so has come after a
 * kiln that was killed, whose git died with it and left its locks. Without it they are
 * the user's.
 */
static int begin_work(const struct conflict_tree *t, int *ret_fd, struct err *e)
{
	static const char *const locks[] = { "index.lock", "HEAD.lock" };
	_cleanup_free_ char *path = fs_path(t->git_dir, "kiln-at-work");
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	struct stat st;

	if (fd < 0 || flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
		return err_sys(e, errno, "cannot lock '%s'", path);
	for (size_t i = 0; st.st_size && i < ARRAY_SIZE(locks); i++) {
		_cleanup_free_ char *left = fs_path(t->git_dir, locks[i]);

		unlink(left);
	}
	if (fs_write_fd(fd, "1", 1, e) < 0)
		return -(int)e->code;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static int end_work(int fd, struct err *e)
{
	int r = ftruncate(fd, 0);

	close(fd);
	return r < 0 ? err_sys(e, errno, "cannot write to the worktree's folder") : 0;
}

/* git on the worktree, with the words behind the NULL-terminated list. */
static int on_tree(const struct conflict_tree *t, const struct strv *words,
		   const struct buf *in, struct buf *out, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_free_ char *index = fs_path(t->git_dir, "index");
	struct err ignored = { 0 };
	int fd = -1, r;

	git_argv(t->git_dir, &argv);
	strv_addf(&argv, "--work-tree=%s", t->dir);
	for (size_t i = 0; i < words->nr; i++)
		strv_add(&argv, words->v[i]);
	if (begin_work(t, &fd, e) < 0)
		return -(int)e->code;
	r = run(&argv, in, out, index, e);
	if (end_work(fd, r < 0 ? &ignored : e) < 0 && r == 0)
		r = -(int)e->code;
	err_release(&ignored);
	return r;
}

static int on_repo(struct repo *r, const struct strv *words, struct err *e)
{
	_cleanup_free_ char *index = fs_path(repo_common_dir(r), "index");
	_cleanup_strv_ struct strv argv = STRV_INIT;

	git_argv(repo_common_dir(r), &argv);
	for (size_t i = 0; i < words->nr; i++)
		strv_add(&argv, words->v[i]);
	return run(&argv, NULL, NULL, index, e);
}

/* The git directory that DIR/.git names, NULL when it does not name one. */
static char *read_gitfile(const char *dir)
{
	_cleanup_free_ char *path = fs_path(dir, ".git");
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	const char *s;

	if (fs_is_dir(path) || !fs_exists(path) ||
	    fs_read(path, GITFILE_MAX, &text, &ignored) < 0)
		return NULL;
	s = buf_str(&text);
	if (strncmp(s, "gitdir: ", 8))
		return NULL;
	return xstrndup(s + 8, strcspn(s + 8, "\r\n"));
}

int conflict_tree_open(struct repo *r, const char *dir, struct conflict_tree *ret,
		       struct err *e)
{
	_cleanup_conflict_tree_ struct conflict_tree t = { .dir = realpath(dir, NULL) };
	_cleanup_free_ char *named = t.dir ? read_gitfile(t.dir) : NULL;
	size_t n = strlen(repo_common_dir(r));

	t.git_dir = named ? realpath(named, NULL) : NULL;
	if (!t.git_dir || strncmp(t.git_dir, repo_common_dir(r), n) ||
	    strncmp(t.git_dir + n, "/worktrees/", 11))
		return err_set(e, ERR_NOT_FOUND,
			       "'%s' is no linked worktree of the repository", dir);
	*ret = t;
	t = (struct conflict_tree){ 0 };
	return 0;
}

int conflict_tree_add(struct repo *r, const char *dir, const struct oid *head,
		      struct conflict_tree *ret, struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	if (fs_exists(dir)) {
		err_set(e, ERR_EXISTS, "'%s' is there already", dir);
		return err_hint(e, "name a folder that is not there; `git worktree list` "
				   "shows what is left of earlier ones");
	}
	strv_addl(&words, "worktree", "add", "--quiet", "--detach", "--no-checkout", dir,
		  head->hex, NULL);
	if (on_repo(r, &words, e) < 0)
		return err_wrap(e, "cannot make a worktree at '%s'", dir);
	return conflict_tree_open(r, dir, ret, e);
}

static void add_stage(struct buf *b, const struct merge_side *s, int stage,
		      const char *path)
{
	if (s->mode)
		buf_addf(b, "%o %s %d\t%s", s->mode, s->oid.hex, stage, path);
	else
		return;
	buf_addc(b, '\0');
}

/* Lines for git update-index -z --index-info: stage 0 goes, stages 1 to 3 come. */
static void stages(const struct conflicts *c, struct buf *ret)
{
	static const char zero[] = "0000000000000000000000000000000000000000";

	for (size_t i = 0; i < c->nr; i++) {
		const struct conflict *k = &c->v[i];

		buf_addf(ret, "0 %s\t%s", zero, k->path);
		buf_addc(ret, '\0');
		add_stage(ret, &k->base, 1, k->path);
		add_stage(ret, &k->ours, 2, k->path);
		add_stage(ret, &k->theirs, 3, k->path);
	}
}

int conflict_tree_lay(const struct conflict_tree *t, const struct oid *head,
		      const struct oid *tree, const struct conflicts *c, struct err *e)
{
	_cleanup_strv_ struct strv ref = STRV_INIT, read = STRV_INIT, index = STRV_INIT;
	_cleanup_buf_ struct buf info = BUF_INIT;

	strv_addl(&ref, "update-ref", "--no-deref", "-m", "kiln apply: next patch",
		  "HEAD", head->hex, NULL);
	strv_addl(&read, "read-tree", "--reset", "-u", tree->hex, NULL);
	strv_addl(&index, "update-index", "-z", "--index-info", NULL);
	stages(c, &info);
	if (on_tree(t, &ref, NULL, NULL, e) < 0 || on_tree(t, &read, NULL, NULL, e) < 0 ||
	    (info.len && on_tree(t, &index, &info, NULL, e) < 0))
		return err_wrap(e, "cannot lay out the conflict in '%s'", t->dir);
	return 0;
}

/* Names of "ls-files -u -z", each once, for the error. */
static int check_resolved(const struct conflict_tree *t, struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT, paths = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_free_ char *list = NULL;
	const char *p;

	strv_addl(&words, "ls-files", "--unmerged", "-z", NULL);
	if (on_tree(t, &words, NULL, &out, e) < 0)
		return -(int)e->code;
	for (p = buf_str(&out); p < buf_str(&out) + out.len; p += strlen(p) + 1) {
		const char *tab = strchr(p, '\t');

		if (tab && !strv_has(&paths, tab + 1))
			strv_add(&paths, tab + 1);
	}
	if (!paths.nr)
		return 0;
	list = strv_join(&paths, ", ");
	err_set(e, ERR_CONFLICT, "not resolved yet in '%s': %s", t->dir, list);
	return err_hint(e, "edit the files, `git add` or `git rm` them there, then "
			   "continue");
}

static int one_line(const struct conflict_tree *t, const struct strv *words,
		    struct oid *ret, struct err *e)
{
	_cleanup_buf_ struct buf out = BUF_INIT;

	if (on_tree(t, words, NULL, &out, e) < 0)
		return -(int)e->code;
	if (out.len < 40 || !parse_is_hex(buf_str(&out), 40))
		return err_set(e, ERR_TOOL_FAILED, "git printed no object id");
	memcpy(ret->hex, buf_str(&out), 40);
	ret->hex[40] = '\0';
	return 0;
}

static int check_head(const struct conflict_tree *t, const struct oid *head,
		      struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	struct oid now;

	strv_addl(&words, "rev-parse", "HEAD", NULL);
	if (one_line(t, &words, &now, e) < 0)
		return -(int)e->code;
	if (oid_equal(&now, head))
		return 0;
	err_set(e, ERR_USAGE, "HEAD of '%s' has moved from '%.12s'", t->dir, head->hex);
	return err_hint(e, "kiln makes the commit: `git -C %s reset --soft %.12s`",
			t->dir, head->hex);
}

/* The user's settings may have changed line ends when the files were added. */
static int add_as_they_are(const struct conflict_tree *t, const struct strv *paths,
			   struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	size_t nr = 0;

	strv_addl(&words, "--literal-pathspecs", "add", "--renormalize", "--", NULL);
	for (size_t i = 0; i < paths->nr; i++) {
		_cleanup_free_ char *path = fs_path(t->dir, paths->v[i]);

		if (fs_exists(path) && ++nr)
			strv_add(&words, paths->v[i]);
	}
	return nr ? on_tree(t, &words, NULL, NULL, e) : 0;
}

int conflict_tree_result(const struct conflict_tree *t, const struct oid *head,
			 const struct strv *paths, struct oid *ret, struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	if (check_head(t, head, e) < 0 || check_resolved(t, e) < 0 ||
	    add_as_they_are(t, paths, e) < 0)
		return -(int)e->code;
	strv_add(&words, "write-tree");
	return one_line(t, &words, ret, e);
}

int conflict_tree_remove(struct repo *r, const struct conflict_tree *t, struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_addl(&words, "worktree", "remove", "--force", t->dir, NULL);
	if (on_repo(r, &words, e) < 0)
		return err_wrap(e, "cannot remove the worktree '%s'", t->dir);
	return 0;
}
