// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "mail/epochs.h"

/* mirror/LIST/git/N.git */
#define MAX_DEPTH 3
#define MAX_EPOCHS 10000

static bool is_repository(const char *dir)
{
	_cleanup_free_ char *objects = fs_path(dir, "objects"),
			    *head = fs_path(dir, "HEAD");

	return fs_is_dir(objects) && fs_exists(head);
}

/* Lists by name, epochs by number. */
static int compare(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	const char *p = strrchr(x, '/'), *q = strrchr(y, '/');
	size_t n = p ? (size_t)(p - x) : 0, m = q ? (size_t)(q - y) : 0;
	int r = strncmp(x, y, n < m ? n : m);

	if (r || n != m)
		return r ? r : n < m ? -1 : 1;
	n = strlen(x);
	m = strlen(y);
	return n != m ? (n < m ? -1 : 1) : strcmp(x, y);
}

static char *join(const char *dir, const char *name)
{
	return *dir ? fs_path(dir, name) : xstrdup(name);
}

static void walk(const char *root, const char *below, int depth, struct strv *ret)
{
	_cleanup_free_ char *dir = fs_path(root, below);
	DIR *d = opendir(dir);
	struct dirent *en;

	while (d && (en = readdir(d)) && ret->nr < MAX_EPOCHS) {
		_cleanup_free_ char *name = join(below, en->d_name);
		_cleanup_free_ char *path = fs_path(root, name);
		size_t n = strlen(en->d_name);

		/* all.git has the objects of the others, and no history. */
		if (en->d_name[0] == '.' || !strcmp(en->d_name, "all.git") ||
		    !fs_is_dir(path))
			continue;
		if (n > 4 && !strcmp(en->d_name + n - 4, ".git") && is_repository(path))
			strv_take(ret, take_ptr(name));
		else if (depth > 1)
			walk(root, name, depth - 1, ret);
	}
	if (d)
		closedir(d);
}

void epochs_find(const char *path, struct strv *ret)
{
	_cleanup_free_ char *beside = fs_path(path, "../git");
	size_t n = strlen(path);

	while (n && path[n - 1] == '/')
		n--;
	if (n >= 7 && !strncmp(path + n - 7, "all.git", 7) && fs_is_dir(beside)) {
		walk(path, "../git", 1, ret);
	} else if (is_repository(path)) {
		strv_add(ret, ".");
		return;
	} else {
		walk(path, "", MAX_DEPTH, ret);
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), compare);
}
