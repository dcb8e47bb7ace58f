// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/http-cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/git/sha1.h"

#define MAGIC "kiln-http 1"
#define MAX_FILE ((size_t)300 << 20)
#define MAX_FILES 500
#define MAX_TOTAL ((uint64_t)1 << 30)

static char *cache_dir(void)
{
	_cleanup_free_ char *top = fs_cache_dir();

	return fs_path(top, "http");
}

/* Named by hash: a message-id may hold anything. */
static char *cache_path(const char *url, const char *post)
{
	_cleanup_free_ char *dir = cache_dir(), *name = NULL;
	_cleanup_sha1_ struct sha1 *s = sha1_new();

	sha1_add(s, url, strlen(url) + 1);
	if (post)
		sha1_add(s, post, strlen(post));
	name = sha1_end_hex(s);
	return fs_path(dir, name);
}

/* Take one line of the head off *at; NULL at the end. Owned by the caller. */
static char *head_line(const char **at, const char *end)
{
	const char *p = *at, *nl = memchr(p, '\n', (size_t)(end - p));

	if (!nl)
		return NULL;
	*at = nl + 1;
	return xstrndup(p, (size_t)(nl - p));
}

static char *none_if_empty(char *s)
{
	if (s && *s)
		return s;
	free(s);
	return NULL;
}

/* Head: magic, URL, ETag, Last-Modified, one line each; then the body. */
static bool parse(const struct buf *file, const char *url, struct http_answer *ret)
{
	const char *at = buf_str(file), *end = at + file->len;
	_cleanup_free_ char *magic = head_line(&at, end), *of = head_line(&at, end);
	_cleanup_free_ char *etag = head_line(&at, end), *modified = head_line(&at, end);

	if (!modified || strcmp(magic, MAGIC) || strcmp(of, url))
		return false;
	ret->status = 200;
	ret->url = xstrdup(url);
	ret->etag = none_if_empty(take_ptr(etag));
	ret->modified = none_if_empty(take_ptr(modified));
	buf_add(&ret->body, at, (size_t)(end - at));
	return true;
}

bool http_cache_get(const char *url, const char *post, struct http_answer *ret,
		    uint64_t *ret_age_s)
{
	_cleanup_free_ char *path = cache_path(url, post);
	_cleanup_buf_ struct buf file = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct stat st;
	int64_t age;

	if (stat(path, &st) < 0 || fs_read(path, MAX_FILE, &file, &e) < 0)
		return false;
	/* A file of the future comes from a clock set back; it is as old as can be. */
	age = clock_epoch() - st.st_mtim.tv_sec;
	*ret_age_s = age >= 0 ? (uint64_t)age : UINT64_MAX;
	return parse(&file, url, ret);
}

struct kept {
	char *path;
	int64_t time;
	uint64_t size;
};

static int newest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->time < y->time) - (x->time > y->time);
}

static struct kept *list(const char *dir, size_t *ret_nr)
{
	DIR *d = opendir(dir);
	struct kept *v = NULL;
	struct dirent *de;
	struct stat st;

	*ret_nr = 0;
	while (d && (de = readdir(d))) {
		if (fstatat(dirfd(d), de->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		*array_push(v, *ret_nr) = (struct kept){
			fs_path(dir, de->d_name),
			st.st_mtim.tv_sec,
			(uint64_t)st.st_size,
		};
	}
	if (d)
		closedir(d);
	return v;
}

static void prune(const char *dir)
{
	size_t nr;
	struct kept *v = list(dir, &nr);
	uint64_t total = 0;

	if (nr)
		qsort(v, nr, sizeof(*v), newest_first);
	for (size_t i = 0; i < nr; i++) {
		total += v[i].size;
		if (i >= MAX_FILES || total > MAX_TOTAL)
			unlink(v[i].path);
		free(v[i].path);
	}
	free(v);
}

void http_cache_put(const char *url, const char *post, const struct http_answer *a)
{
	_cleanup_free_ char *path = cache_path(url, post), *dir = cache_dir();
	_cleanup_buf_ struct buf file = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_addf(&file, "%s\n%s\n%s\n%s\n", MAGIC, url, a->etag ?: "", a->modified ?: "");
	buf_add(&file, buf_str(&a->body), a->body.len);
	if (fs_mkdirs(dir, &e) < 0 || fs_write(path, file.data, file.len, &e) < 0) {
		log_debug("the answer is not kept: %s", e.nr ? e.frame[0] : "");
		return;
	}
	prune(dir);
}

void http_cache_renew(const char *url, const char *post)
{
	_cleanup_free_ char *path = cache_path(url, post);

	if (utimensat(AT_FDCWD, path, NULL, 0) < 0)
		log_debug("cannot renew '%s'", path);
}
