// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"

/* Threads are smaller than this, whole archives larger. */
#define IN_MEMORY ((size_t)4 << 20)

int spool_open(const char *path, struct spool *ret, struct err *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	*ret = (struct spool){ .fd = take_fd(fd),
			       .len = (uint64_t)st.st_size,
			       .seekable = S_ISREG(st.st_mode) };
	return 0;
}

static int to_file(struct spool *s, struct err *e)
{
	const char *dir = getenv("TMPDIR");
	_cleanup_free_ char *name =
		fs_path(dir && *dir ? dir : "/tmp", "kiln-mail.XXXXXX");
	_cleanup_close_ int fd = mkostemp(name, O_CLOEXEC);

	if (fd < 0) {
		err_sys(e, errno, "cannot create '%s'", name);
		return err_hint(e, "set TMPDIR to a folder with room");
	}
	unlink(name);
	if (fs_write_fd(fd, buf_str(&s->mem), s->mem.len, e) < 0)
		return err_wrap(e, "cannot keep the mails in '%s'", name);
	buf_release(&s->mem);
	s->fd = take_fd(fd);
	return 0;
}

int spool_add(struct spool *s, const void *p, size_t n, struct err *e)
{
	if (s->fd < 0 && s->mem.len + n > IN_MEMORY && to_file(s, e) < 0)
		return -(int)e->code;
	if (s->fd < 0)
		buf_add(&s->mem, p, n);
	else if (fs_write_fd(s->fd, p, n, e) < 0)
		return err_hint(e, "set TMPDIR to a folder with room");
	s->len += n;
	return 0;
}

int spool_read(const struct spool *s, uint64_t at, void *p, size_t n, struct err *e)
{
	char *to = p;

	if (s->fd < 0) {
		if (at > s->mem.len || n > s->mem.len - at)
			return err_set(e, ERR_INTERNAL, "no such bytes in the mailbox");
		memcpy(p, buf_str(&s->mem) + at, n);
		return 0;
	}
	while (n) {
		ssize_t got = pread(s->fd, to, n, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(e, errno, "cannot read the mailbox");
		if (!got)
			return err_set(e, ERR_IO,
				       "the mailbox became shorter while it was read");
		to += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}

void spool_release(struct spool *s)
{
	base_closep(&s->fd);
	buf_release(&s->mem);
	*s = (struct spool)SPOOL_INIT;
}
