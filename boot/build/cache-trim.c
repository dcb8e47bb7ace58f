// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/cache-trim.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "boot/build/cache.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"

#define GRACE_S 3600
#define TRASH "trash-"

struct entry {
	char *path;
	const char *key; /* within path */
	int64_t used;	 /* time of meta, of the folder without one */
	uint64_t bytes;
};

struct entries {
	struct entry *v;
	size_t nr;
};

static void entries_release(struct entries *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].path);
	free(l->v);
}

static uint64_t bytes_below(char *path)
{
	char *const roots[] = { path, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	uint64_t sum = 0;
	FTSENT *f;

	while (fts && (f = fts_read(fts)))
		if (f->fts_info == FTS_F)
			sum += (uint64_t)f->fts_statp->st_blocks * 512;
	if (fts)
		fts_close(fts);
	return sum;
}

static int64_t last_use(const char *entry)
{
	_cleanup_free_ char *meta = fs_path(entry, "meta");
	struct stat st;

	if (stat(meta, &st) < 0 && stat(entry, &st) < 0)
		return 0;
	return st.st_mtim.tv_sec;
}

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* What an earlier one was killed over goes at once. */
static int take_name(const char *dir, const char *name, struct entries *l, struct err *e)
{
	_cleanup_free_ char *path = fs_path(dir, name);
	struct entry *n;

	if (!strncmp(name, TRASH, strlen(TRASH)))
		return fs_remove_tree(path, e);
	if (strlen(name) != sizeof(((struct oid *)0)->hex) - 1 || !parse_is_hex(name, 40))
		return 0;
	n = array_push(l->v, l->nr);
	n->used = last_use(path);
	n->bytes = bytes_below(path);
	n->path = take_ptr(path);
	n->key = strrchr(n->path, '/') + 1;
	return 0;
}

static int list_entries(const char *dir, struct entries *l, struct err *e)
{
	DIR *d = opendir(dir);
	struct dirent *name;
	int r = 0;

	if (!d)
		return errno == ENOENT ? 0 : err_sys(e, errno, "cannot read '%s'", dir);
	while (!r && (name = readdir(d)))
		r = take_name(dir, name->d_name, l, e);
	closedir(d);
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), by_use);
	return r;
}

/* Out of sight first and in one step, so that nobody finds half of it. */
static int remove_entry(const char *dir, const struct entry *n, bool *ret, struct err *e)
{
	_cleanup_free_ char *trash = xasprintf("%s/" TRASH "%s", dir, n->key);
	_cleanup_close_ int lock = -1;

	if (cache_lock(&lock, e) < 0)
		return -(int)e->code;
	*ret = last_use(n->path) == n->used; /* else somebody wants it */
	if (!*ret)
		return 0;
	if (rename(n->path, trash) < 0)
		return err_sys(e, errno, "cannot remove '%s'", n->path);
	base_closep(&lock);
	lock = -1;
	return fs_remove_tree(trash, e);
}

static bool may_go(const struct entry *n, const struct strv *keep)
{
	return !strv_has(keep, n->key) && n->used + GRACE_S < (int64_t)time(NULL);
}

int cache_trim(uint64_t limit, const struct strv *keep, struct cache_trimmed *ret,
	       struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "builds");
	_cleanup_(entries_release) struct entries l = { 0 };
	struct cache_trimmed t = { 0 };

	if (list_entries(dir, &l, e) < 0)
		return -(int)e->code;
	t.entries = l.nr;
	for (size_t i = 0; i < l.nr; i++)
		t.bytes += l.v[i].bytes;
	for (size_t i = 0; i < l.nr && t.bytes > limit; i++) {
		bool gone = false;

		if (!may_go(&l.v[i], keep))
			continue;
		if (remove_entry(dir, &l.v[i], &gone, e) < 0)
			return err_wrap(e, "cannot make room in the cache");
		t.bytes -= gone ? l.v[i].bytes : 0;
		t.freed += gone ? l.v[i].bytes : 0;
		t.removed += gone;
		t.entries -= gone;
	}
	*ret = t;
	return 0;
}
