// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/queue-files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/stable/version.h"
#include "mail/queue-list.h"
#include "mail/queue-siblings.h"

#define MAX_BYTES ((size_t)256 << 20)
#define MAX_LIST ((size_t)16 << 20)

void queue_files_release(struct queue_files *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		free(f->v[i].name);
		buf_release(&f->v[i].text);
	}
	free(f->v);
	free(f->folder);
	*f = (struct queue_files){ 0 };
}

static int by_file(const void *a, const void *b)
{
	return strcmp(((const struct queue_file *)a)->name,
		      ((const struct queue_file *)b)->name);
}

static void sort(struct queue_files *f)
{
	if (f->nr)
		qsort(f->v, f->nr, sizeof(*f->v), by_file);
}

const struct buf *queue_files_find(const struct queue_files *f, const char *name)
{
	const struct queue_file key = { .name = (char *)name };
	const struct queue_file *found =
		f->nr ? bsearch(&key, f->v, f->nr, sizeof(*f->v), by_file) : NULL;

	return found ? &found->text : NULL;
}

struct buf *queue_files_add(struct queue_files *f, const char *name)
{
	struct queue_file *q = array_push(f->v, f->nr);

	*q = (struct queue_file){ .name = xstrdup(name) };
	return &q->text;
}

/* Hidden files, quilt's own folder and what editors leave are nobody's patches. */
static bool may_be_patch(const char *name)
{
	size_t n = strlen(name);

	return name[0] != '.' && name[n - 1] != '~' && strcmp(name, "series");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int queue_files_list(const char *folder, struct strv *ret, struct err *e)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;

	if (!d)
		return err_set(e, ERR_NOT_FOUND, "no folder '%s'", folder);
	while ((entry = readdir(d)) && ret->nr < QUEUE_MAX_FILES)
		strv_add(ret, entry->d_name);
	closedir(d);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
	return 0;
}

static int read_file(struct queue_files *f, const char *name, size_t *left, struct err *e)
{
	_cleanup_free_ char *path = fs_path(f->folder, name);
	struct buf *text;

	if (!fs_exists(path) || fs_is_dir(path))
		return 0;
	text = queue_files_add(f, name);
	if (fs_read(path, *left, text, e) < 0)
		return -(int)e->code;
	*left -= text->len;
	return 0;
}

/* What the series names, which may lie in folders below, and what else is in the folder. */
static int read_patches(struct queue_files *f, const struct buf *series, struct err *e)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_quilt_list_ struct quilt_list list = { 0 };
	size_t left = MAX_BYTES, at = 0;

	if (queue_files_list(f->folder, &names, e) < 0)
		return -(int)e->code;
	queue_list_read(series, &list, NULL);
	for (size_t i = 0; i < list.nr && list.nr < QUEUE_MAX_FILES; i++)
		if (strchr(list.v[i].name, '/'))
			strv_add(&names, list.v[i].name);
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), by_name);
	for (size_t i = 0; i < names.nr; i++) {
		if (!may_be_patch(names.v[i]) || (i && !strcmp(names.v[at], names.v[i])))
			continue;
		at = i;
		if (read_file(f, names.v[i], &left, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* Beside the queue folders, or among the scripts. */
static int read_list(struct queue_files *f, const char *name, struct err *e)
{
	_cleanup_free_ char *here = xasprintf("%s/../%s", f->folder, name);
	_cleanup_free_ char *scripts = xasprintf("%s/../scripts/%s", f->folder, name);
	_cleanup_free_ char *key = xasprintf("../%s", name);
	const char *path = fs_exists(scripts) ? scripts : here;

	if (!fs_exists(path) || fs_is_dir(path))
		return 0;
	return fs_read(path, MAX_LIST, queue_files_add(f, key), e);
}

int queue_files_read(const char *folder, struct queue_files *ret, struct err *e)
{
	_cleanup_queue_files_ struct queue_files f = { 0 };
	_cleanup_free_ char *series = fs_path(folder, "series");
	_cleanup_free_ char *below = fs_path(folder, "patches/series");
	bool here = fs_exists(series) && !fs_is_dir(series);
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (!here && !fs_exists(below)) {
		err_set(e, ERR_NOT_FOUND, "no series file in '%s'", folder);
		return err_hint(e, "name a quilt folder, or a version with --queue DIR");
	}
	f.folder = here ? xstrdup(folder) : fs_path(folder, "patches");
	if (fs_read(here ? series : below, MAX_LIST, &text, e) < 0 ||
	    read_patches(&f, &text, e) < 0 || read_list(&f, "dropped_commits", e) < 0 ||
	    read_list(&f, "ignore_list", e) < 0 ||
	    read_list(&f, "active_kernel_versions", e) < 0 ||
	    queue_siblings_read(&f, e) < 0)
		return -(int)e->code;
	*queue_files_add(&f, "series") = text;
	text = (struct buf)BUF_INIT;
	sort(&f);
	*ret = f;
	f = (struct queue_files){ 0 };
	return 0;
}

static int by_version(const void *a, const void *b)
{
	return version_compare(*(char *const *)a, *(char *const *)b);
}

int queue_files_folder(const char *dir, const char *version, char **ret, struct err *e)
{
	_cleanup_free_ char *folder = xasprintf("%s/queue-%s", dir, version);
	_cleanup_strv_ struct strv names = STRV_INIT, versions = STRV_INIT;
	_cleanup_free_ char *list = NULL;

	if (fs_is_dir(folder)) {
		*ret = take_ptr(folder);
		return 0;
	}
	if (queue_files_list(dir, &names, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < names.nr; i++)
		if (!strncmp(names.v[i], "queue-", 6) && version_is(names.v[i] + 6))
			strv_add(&versions, names.v[i] + 6);
	err_set(e, ERR_NOT_FOUND, "no folder 'queue-%s' in '%s'", version, dir);
	if (!versions.nr)
		return err_hint(e,
				"name a checkout of the stable queue with --queue DIR");
	qsort(versions.v, versions.nr, sizeof(*versions.v), by_version);
	list = strv_join(&versions, ", ");
	return err_hint(e, "there are queues for %s", list);
}

static void pack_one(const char *name, const void *p, size_t n, struct buf *ret)
{
	buf_addf(ret, "%zu %zu\n%s", strlen(name), n, name);
	buf_add(ret, p, n);
}

void queue_files_pack(const struct queue_files *f, struct buf *ret)
{
	pack_one(f->folder, "", 0, ret);
	for (size_t i = 0; i < f->nr; i++)
		pack_one(f->v[i].name, buf_str(&f->v[i].text), f->v[i].text.len, ret);
}

/* A number up to c, which is passed. */
static bool number(const char **at, const char *end, char c, size_t *ret)
{
	const char *stop = memchr(*at, c, (size_t)(end - *at));
	_cleanup_free_ char *digits = NULL;
	uint64_t n;

	if (!stop || stop - *at > 12)
		return false;
	digits = xstrndup(*at, (size_t)(stop - *at));
	if (!parse_u64(digits, &n))
		return false;
	*ret = (size_t)n;
	*at = stop + 1;
	return true;
}

int queue_files_unpack(const struct buf *text, struct queue_files *ret, struct err *e)
{
	_cleanup_queue_files_ struct queue_files f = { 0 };
	const char *at = buf_str(text), *end = at + text->len;

	while (at < end) {
		_cleanup_free_ char *name = NULL;
		size_t len, bytes, left;

		if (!number(&at, end, ' ', &len) || !number(&at, end, '\n', &bytes))
			break;
		left = (size_t)(end - at);
		if (len > left || bytes > left - len)
			break;
		name = xstrndup(at, len);
		if (f.folder)
			buf_add(queue_files_add(&f, name), at + len, bytes);
		else
			f.folder = take_ptr(name);
		at += len + bytes;
	}
	if (at < end || !f.folder)
		return err_set(e, ERR_STORE, "the kept files of the queue are damaged");
	sort(&f);
	*ret = f;
	f = (struct queue_files){ 0 };
	return 0;
}
