// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/stop.h"

int fs_read_fd(int fd, const char *name, size_t max, struct buf *ret, struct err *e)
{
	const size_t start = ret->len, chunk = 65536;

	for (;;) {
		ssize_t n = read(fd, buf_room(ret, chunk), chunk);

		if (n < 0 && errno == EINTR) {
			if (stop_check(e) < 0)
				return err_wrap(e, "cannot read '%s'", name);
			continue;
		}
		if (n < 0)
			return err_sys(e, errno, "cannot read '%s'", name);
		if (n == 0)
			return 0;
		buf_grew(ret, (size_t)n);
		if (ret->len - start > max)
			return err_set(e, ERR_TOO_BIG, "'%s' is larger than %zu bytes",
				       name, max);
	}
}

int fs_read(const char *path, size_t max, struct buf *ret, struct err *e)
{
	_cleanup_close_ int fd = -1;

	if (!strcmp(path, "-"))
		return fs_read_fd(STDIN_FILENO, "standard input", max, ret, e);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	return fs_read_fd(fd, path, max, ret, e);
}

int fs_write_fd(int fd, const void *data, size_t len, struct err *e)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(e, errno, "cannot write");
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int fs_temp(const char *path, int *ret_fd, char **ret_temp, struct err *e)
{
	_cleanup_free_ char *name = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, errno, "cannot create a file beside '%s'", path);
	*ret_fd = fd;
	*ret_temp = take_ptr(name);
	return 0;
}

int fs_temp_commit(int fd, const char *temp, const char *path, unsigned int mode,
		   struct err *e)
{
	if (fchmod(fd, mode) == 0 && fsync(fd) == 0 && rename(temp, path) == 0)
		return 0;
	err_sys(e, errno, "cannot write '%s'", path);
	unlink(temp);
	return -(int)e->code;
}

int fs_write(const char *path, const void *data, size_t len, struct err *e)
{
	_cleanup_free_ char *temp = NULL;
	_cleanup_close_ int fd = -1;

	if (fs_temp(path, &fd, &temp, e) < 0)
		return -(int)e->code;
	if (fs_write_fd(fd, data, len, e) < 0) {
		unlink(temp);
		return err_wrap(e, "cannot write '%s'", path);
	}
	return fs_temp_commit(fd, temp, path, 0644, e);
}

int fs_mkdirs(const char *path, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(path);

	if (!*path)
		return err_sys(e, ENOENT, "cannot create folder ''");
	for (char *p = copy + 1;; p++) {
		char c = *p;

		if (c && c != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			return err_sys(e, errno, "cannot create folder '%s'", copy);
		if (!c)
			break;
		*p = c;
	}
	if (!fs_is_dir(path))
		return err_sys(e, ENOTDIR, "cannot create folder '%s'", path);
	return 0;
}

static int copy_bytes(int in, int out, const char *from, struct err *e)
{
	char block[65536];

	for (;;) {
		ssize_t n = read(in, block, sizeof(block));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(e, errno, "cannot read '%s'", from);
		if (n == 0)
			return 0;
		if (fs_write_fd(out, block, (size_t)n, e) < 0)
			return -(int)e->code;
	}
}

int fs_copy(const char *from, const char *to, struct err *e)
{
	_cleanup_close_ int in = open(from, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *temp = NULL;
	_cleanup_close_ int out = -1;
	struct stat st;

	if (in < 0 || fstat(in, &st) < 0)
		return err_sys(e, errno, "cannot open '%s'", from);
	if (fs_temp(to, &out, &temp, e) < 0)
		return -(int)e->code;
	if (copy_bytes(in, out, from, e) < 0) {
		unlink(temp);
		return err_wrap(e, "cannot copy '%s' to '%s'", from, to);
	}
	return fs_temp_commit(out, temp, to, st.st_mode & 0777, e);
}

/* Remove what is inside the folder fd stands for; takes the descriptor over. */
static int remove_inside(int fd)
{
	DIR *dir = fdopendir(fd);
	struct dirent *d;
	int r = 0;

	if (!dir) {
		close(fd);
		return -1;
	}
	while (!r && (d = readdir(dir))) {
		int sub;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		if (!unlinkat(dirfd(dir), d->d_name, 0) || errno == ENOENT)
			continue;
		/* A folder without write permission for us still has to go. */
		fchmodat(dirfd(dir), d->d_name, 0700, 0);
		sub = openat(dirfd(dir), d->d_name,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		r = sub < 0 ? -1 : remove_inside(sub);
		if (!r && unlinkat(dirfd(dir), d->d_name, AT_REMOVEDIR) < 0)
			r = -1;
	}
	closedir(dir);
	return r;
}

int fs_remove_tree(const char *path, struct err *e)
{
	int fd;

	if (!unlink(path) || errno == ENOENT)
		return 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || remove_inside(fd) < 0 || rmdir(path) < 0)
		return err_sys(e, errno, "cannot remove '%s'", path);
	return 0;
}

bool fs_exists(const char *path)
{
	return !access(path, F_OK);
}

bool fs_is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

char *fs_path(const char *dir, const char *name)
{
	return xasprintf("%s/%s", dir, name);
}

char *fs_find_program(const char *name)
{
	/* Debian keeps kexec in sbin, which a user's PATH lacks. */
	_cleanup_free_ char *path =
		xasprintf("%s:/usr/sbin:/sbin", getenv("PATH") ?: "/usr/bin:/bin");
	char *save = NULL;

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : xstrdup(name);
	for (char *dir = strtok_r(path, ":", &save); dir;
	     dir = strtok_r(NULL, ":", &save)) {
		_cleanup_free_ char *full = fs_path(dir, name);

		if (!access(full, X_OK) && !fs_is_dir(full))
			return take_ptr(full);
	}
	return NULL;
}

static char *own_dir(const char *sub, const char *xdg, const char *fallback)
{
	const char *home = getenv("KILN_HOME");

	if (home && *home)
		return fs_path(home, sub);
	home = getenv(xdg);
	if (home && *home == '/')
		return fs_path(home, "kiln");
	return xasprintf("%s/%s/kiln", getenv("HOME") ?: "/root", fallback);
}

/* kbuild remembers absolute paths: a cache reached by two names would be built twice. */
char *fs_cache_dir(void)
{
	_cleanup_free_ char *dir = own_dir("cache", "XDG_CACHE_HOME", ".cache");
	char *real = realpath(dir, NULL);

	return real ? real : take_ptr(dir);
}

char *fs_state_dir(void)
{
	return own_dir("state", "XDG_STATE_HOME", ".local/state");
}

int fs_lock(const char *path, int timeout_ms, int *ret_fd, struct err *e)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	uint64_t deadline = clock_ms() + (uint64_t)timeout_ms;

	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_sys(e, errno, "cannot lock '%s'", path);
		if (stop_check(e) < 0)
			return -(int)e->code;
		if (!clock_left(deadline))
			return err_set(e, ERR_TIMEOUT, "'%s' is locked by another kiln",
				       path);
		poll(NULL, 0, 50); /* flock() has no descriptor to wait on */
	}
	*ret_fd = take_fd(fd);
	return 0;
}
