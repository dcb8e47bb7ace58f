// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"
#include "mail/text.h"

/* The rule of git mailsplit: digits by value, anything else byte by byte. */
static int compare_names(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	while (*x && *y) {
		size_t n, m;
		int r;

		if (!isdigit((unsigned char)*x) || !isdigit((unsigned char)*y)) {
			if (*x != *y)
				return (unsigned char)*x - (unsigned char)*y;
			x++;
			y++;
			continue;
		}
		x += strspn(x, "0");
		y += strspn(y, "0");
		n = strspn(x, "0123456789");
		m = strspn(y, "0123456789");
		if (n != m)
			return n < m ? -1 : 1;
		r = memcmp(x, y, n);
		if (r)
			return r;
		x += n;
		y += m;
	}
	return (unsigned char)*x - (unsigned char)*y;
}

static bool is_any(const char *name)
{
	return *name != '.';
}

static bool is_number(const char *name)
{
	return *name && !name[strspn(name, "0123456789")];
}

static bool is_mail_name(const char *name)
{
	static const char *const ends[] = { ".patch", ".diff", ".eml" };
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t m = strlen(ends[i]);

		if (n > m && *name != '.' && !strcmp(name + n - m, ends[i]))
			return true;
	}
	return false;
}

/* Names of dir that the rule wants, as "DIR/NAME"; a folder that is absent has none. */
static int list(const char *dir, bool (*wanted)(const char *name), struct strv *ret,
		struct err *e)
{
	size_t first = ret->nr;
	DIR *d = opendir(dir);
	struct dirent *en;

	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return err_sys(e, errno, "cannot read folder '%s'", dir);
	while ((en = readdir(d))) {
		_cleanup_free_ char *path = fs_path(dir, en->d_name);

		if (wanted(en->d_name) && !fs_is_dir(path))
			strv_take(ret, take_ptr(path));
	}
	closedir(d);
	if (ret->nr > first)
		qsort(ret->v + first, ret->nr - first, sizeof(*ret->v), compare_names);
	return 0;
}

static int list_maildir(const char *path, struct strv *ret, struct err *e)
{
	_cleanup_free_ char *cur = fs_path(path, "cur"), *new = fs_path(path, "new");

	if (list(cur, is_any, ret, e) < 0 || list(new, is_any, ret, e) < 0)
		return -(int)e->code;
	return 0;
}

int folder_list(const char *path, struct strv *ret, struct err *e)
{
	_cleanup_free_ char *cur = fs_path(path, "cur"), *new = fs_path(path, "new");
	_cleanup_strv_ struct strv found = STRV_INIT;
	int r;

	if (fs_is_dir(cur) || fs_is_dir(new))
		r = list_maildir(path, &found, e);
	else
		r = list(path, is_mail_name, &found, e);
	if (r == 0 && !found.nr)
		r = list(path, is_number, &found, e);
	if (r < 0)
		return r;
	if (!found.nr) {
		err_set(e, ERR_USAGE, "folder '%s' holds no mails", path);
		return err_hint(e,
				"name a maildir, an MH folder, a quilt queue, a folder "
				"of .patch or .eml files, or one file");
	}
	for (size_t i = 0; i < found.nr; i++)
		strv_take(ret, take_ptr(found.v[i]));
	found.nr = 0;
	return 0;
}
