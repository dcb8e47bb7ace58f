// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Repositories for the tests of the upstream index, made by git fast-import. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/stable/lookup.h"

static char *home, *dir;

/* git in the repository; out without the newline at its end. */
static inline void git_in(const char *in, struct buf *out, const char *first, ...)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	va_list ap;

	strv_addl(&argv, "git", "-C", dir, NULL);
	va_start(ap, first);
	for (const char *a = first; a; a = va_arg(ap, const char *))
		strv_add(&argv, a);
	va_end(ap);
	if (spawn_check(&(struct spawn){ .argv = &argv,
					 .timeout_ms = 120000,
					 .in = in,
					 .in_len = in ? strlen(in) : 0,
					 .out = out },
			&e) < 0)
		fail_msg("git %s: %s", argv.v[3], e.frame[0]);
	while (out && out->len && out->data[out->len - 1] == '\n')
		out->data[--out->len] = '\0';
}

static inline int stable_setup(void **state)
{
	char template[] = "/tmp/kiln-stable-XXXXXX";

	(void)state;
	home = xstrdup(mkdtemp(template));
	dir = fs_path(home, "repo");
	setenv("KILN_HOME", home, 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	if (mkdir(dir, 0700) < 0)
		return -1;
	git_in(NULL, NULL, "init", "-q", "-b", "main", NULL);
	return 0;
}

static inline int stable_teardown(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (fs_remove_tree(home, &e) < 0)
		return -1;
	free(home);
	free(dir);
	return 0;
}

/* One commit on a branch as fast-import reads it, a second after the one before. */
struct commit_spec {
	const char *branch, *message;
	const char *from, *merge; /* NULL = the branch as it is, none */
	const char *path, *text;  /* one file that it writes, may be NULL */
	int authored;		  /* 0 = when it was committed */
};

static inline void add_spec(struct buf *b, const struct commit_spec *c)
{
	static int now = 1700000000;

	now++;
	buf_addf(b,
		 "commit refs/heads/%s\nauthor A U <a@example.org> %d +0100\n"
		 "committer C O <c@example.org> %d +0000\ndata %zu\n%s\n",
		 c->branch, c->authored ? c->authored : now, now, strlen(c->message),
		 c->message);
	if (c->from)
		buf_addf(b, "from %s\n", c->from);
	if (c->merge)
		buf_addf(b, "merge %s\n", c->merge);
	if (c->path)
		buf_addf(b, "M 100644 inline %s\ndata %zu\n%s\n", c->path,
			 strlen(c->text), c->text);
	buf_addc(b, '\n');
}

/* Make it at once, and its id. */
static inline struct oid commit_now(const struct commit_spec *c)
{
	_cleanup_buf_ struct buf b = BUF_INIT, out = BUF_INIT;
	_cleanup_free_ char *ref = xasprintf("refs/heads/%s", c->branch);
	struct commit_spec own = *c;
	_cleanup_free_ char *from = xasprintf("%s^0", ref);
	_cleanup_buf_ struct buf have = BUF_INIT;
	struct oid id = { 0 };

	git_in(NULL, &have, "for-each-ref", ref, NULL);
	if (have.len && !own.from)
		own.from = from;
	add_spec(&b, &own);
	git_in(buf_str(&b), NULL, "fast-import", "--quiet", "--force", NULL);
	git_in(NULL, &out, "rev-parse", ref, NULL);
	memcpy(id.hex, buf_str(&out), 41);
	return id;
}

static inline struct repo *open_repo(const char *path)
{
	_cleanup_err_ struct err e = { 0 };
	struct repo *r = NULL;

	if (repo_open(path, &r, &e) < 0)
		fail_msg("%s", e.frame[0]);
	return r;
}

static inline struct stable_index *open_index(struct repo *r, const char *rev,
					      struct stable_index *mainline)
{
	const struct stable_index_opts o = { .rev = rev, .mainline = mainline };
	_cleanup_err_ struct err e = { 0 };
	struct stable_index *ix = NULL;

	if (stable_index_open(r, &o, &ix, &e) < 0)
		fail_msg("%s: %s", rev, e.frame[0]);
	return ix;
}
