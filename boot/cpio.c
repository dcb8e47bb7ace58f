// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/cpio.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fs.h"

#define FILE_MAX ((size_t)512 << 20)

struct entry {
	const char *name;
	unsigned int mode, major, minor;
	const void *data;
	size_t len;
};

static void align4(struct buf *b)
{
	while (b->len & 3)
		buf_addc(b, '\0');
}

static void put(struct cpio *c, const struct entry *t)
{
	size_t name_len = strlen(t->name) + 1;

	buf_addf(&c->out, "070701%08X%08X%08X%08X%08X%08X%08X", c->inode, t->mode, 0, 0,
		 S_ISDIR(t->mode) ? 2 : 1, 0, (unsigned int)t->len);
	/* device of the file, device it is, length of the name, no checksum in newc */
	buf_addf(&c->out, "%08X%08X%08X%08X%08X%08X", 0, 0, t->major, t->minor,
		 (unsigned int)name_len, 0);
	buf_add(&c->out, t->name, name_len);
	align4(&c->out);
	if (t->len)
		buf_add(&c->out, t->data, t->len);
	align4(&c->out);
	c->inode++;
}

static int add(struct cpio *c, const struct entry *t, struct err *e)
{
	if (strlen(t->name) >= PATH_MAX || t->len > FILE_MAX)
		return err_set(e, ERR_TOO_BIG, "'%s' is too big for an initramfs",
			       t->name);
	put(c, t);
	return 0;
}

int cpio_dir(struct cpio *c, const char *name, struct err *e)
{
	return add(c, &(struct entry){ .name = name, .mode = S_IFDIR | 0755 }, e);
}

int cpio_data(struct cpio *c, const char *name, unsigned int mode, const struct buf *data,
	      struct err *e)
{
	struct entry t = { .name = name,
			   .mode = S_IFREG | (mode & 0777),
			   .data = data->data,
			   .len = data->len };

	return add(c, &t, e);
}

int cpio_link(struct cpio *c, const char *name, const char *target, struct err *e)
{
	struct entry t = { .name = name,
			   .mode = S_IFLNK | 0777,
			   .data = target,
			   .len = strlen(target) };

	return add(c, &t, e);
}

int cpio_chardev(struct cpio *c, const char *name, unsigned int major, unsigned int minor,
		 struct err *e)
{
	struct entry t = {
		.name = name, .mode = S_IFCHR | 0600, .major = major, .minor = minor
	};

	return add(c, &t, e);
}

int cpio_file(struct cpio *c, const char *name, const char *path, struct err *e)
{
	_cleanup_buf_ struct buf data = BUF_INIT;
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(e, errno, "cannot read '%s'", path);
	if (fs_read(path, FILE_MAX, &data, e) < 0)
		return err_wrap(e, "cannot put '%s' into an initramfs", path);
	return cpio_data(c, name, st.st_mode, &data, e);
}

void cpio_finish(struct cpio *c)
{
	c->inode = 0;
	put(c, &(struct entry){ .name = "TRAILER!!!" });
}

void cpio_release(struct cpio *c)
{
	buf_release(&c->out);
	*c = (struct cpio)CPIO_INIT;
}
