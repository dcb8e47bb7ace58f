// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/write.h"

#define MAX_SLUG 52 /* as git format-patch cuts it */

static int check_empty(const char *dir, struct err *e)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	int nr = 0;

	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return err_sys(e, errno, "cannot read '%s'", dir);
	while ((entry = readdir(d)))
		nr += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(d);
	if (!nr)
		return 0;
	err_set(e, ERR_USAGE, "there is something in '%s'", dir);
	return err_hint(e, "name a folder that is empty or not there yet");
}

static int write_file(const char *dir, const char *name, const struct buf *b,
		      struct err *e)
{
	_cleanup_free_ char *path = fs_path(dir, name);

	return fs_write(path, b->data, b->len, e);
}

int series_to_maildir(const struct series *s, const char *dir, struct err *e)
{
	static const char *const folders[] = { "cur", "new", "tmp" };
	_cleanup_free_ char *new = fs_path(dir, "new");

	if (check_empty(dir, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_free_ char *path = fs_path(dir, folders[i]);

		if (fs_mkdirs(path, e) < 0)
			return -(int)e->code;
	}
	for (size_t i = 0; i < s->nr_patches; i++) {
		_cleanup_free_ char *name = xasprintf("%04zu.kiln", i + 1);
		_cleanup_buf_ struct buf b = BUF_INIT;

		patch_to_mail(s, &s->patches[i], &b);
		if (write_file(new, name, &b, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* A title as file name: letters, digits, '_' and '.'; other runs become one '-'. */
static char *file_name(size_t nr, const char *title)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "%04zu-", nr);
	for (const char *p = title; *p && b.len < MAX_SLUG + 5; p++) {
		if (isalnum((unsigned char)*p) || *p == '_' || *p == '.')
			buf_addc(&b, *p);
		else if (b.data[b.len - 1] != '-')
			buf_addc(&b, '-');
	}
	while (b.len > 5 && strchr("-.", b.data[b.len - 1]))
		b.data[--b.len] = '\0';
	buf_adds(&b, ".patch");
	return buf_take(&b);
}

int series_to_quilt(const struct series *s, const char *dir, struct err *e)
{
	_cleanup_buf_ struct buf list = BUF_INIT;

	if (check_empty(dir, e) < 0 || fs_mkdirs(dir, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < s->nr_patches; i++) {
		_cleanup_free_ char *name = file_name(i + 1, s->patches[i].subject);
		_cleanup_buf_ struct buf b = BUF_INIT;

		patch_to_quilt(&s->patches[i], &b);
		if (write_file(dir, name, &b, e) < 0)
			return -(int)e->code;
		buf_addf(&list, "%s\n", name);
	}
	return write_file(dir, "series", &list, e);
}
