// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A pack onto the disk. Its files get their names when all is written; the index comes
 * last, as git looks for indexes.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/git/pack-internal.h"
#include "core/git/sha1.h"

static int by_id(const void *va, const void *vb)
{
	const struct packed *const *a = va, *const *b = vb;

	return memcmp((*a)->id, (*b)->id, 20);
}

static void add_u32(struct buf *b, size_t n)
{
	uint32_t v = htonl((uint32_t)n);

	buf_add(b, &v, sizeof(v));
}

/* Append the digest of all that is in b. */
static void add_digest(struct buf *b)
{
	_cleanup_sha1_ struct sha1 *s = sha1_new();
	unsigned char digest[20];

	sha1_add(s, b->data, b->len);
	sha1_end(s, digest);
	buf_add(b, digest, sizeof(digest));
}

static void make_index(const struct pack *p, struct buf *ret)
{
	_cleanup_free_ const struct packed **v = xcalloc(p->nr, sizeof(*v));
	size_t below = 0;

	for (size_t i = 0; i < p->nr; i++)
		v[i] = &p->v[i];
	qsort(v, p->nr, sizeof(*v), by_id);
	buf_add(ret, "\377tOc\0\0\0\2", 8);
	for (unsigned int first = 0; first < 256; first++) {
		while (below < p->nr && v[below]->id[0] <= first)
			below++;
		add_u32(ret, below);
	}
	for (size_t i = 0; i < p->nr; i++)
		buf_add(ret, v[i]->id, 20);
	for (size_t i = 0; i < p->nr; i++)
		add_u32(ret, v[i]->crc);
	for (size_t i = 0; i < p->nr; i++)
		add_u32(ret, v[i]->offset);
	buf_add(ret, p->bytes.data + p->bytes.len - 20, 20);
	add_digest(ret);
}

/* A file that has no name yet, or, where the filesystem cannot do that, one of its own. */
struct temp {
	int fd;
	char *path; /* NULL without a name */
};

static void temp_release(struct temp *t)
{
	if (t->fd > 0)
		close(t->fd);
	if (t->path)
		unlink(t->path);
	free(t->path);
}
#define _cleanup_temp_ _cleanup_(temp_release)

/*
 * `git gc --prune=now` takes every tmp_ file away, those of running processes too, so none
 * has a name that can be helped; and then a process that is killed leaves nothing.
 */
static int open_temp(const char *dir, struct temp *t, struct err *e)
{
	t->fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0444);
	if (t->fd >= 0)
		return 0;
	t->path = xasprintf("%s/tmp_kiln_XXXXXX", dir);
	t->fd = mkostemp(t->path, O_CLOEXEC);
	if (t->fd < 0) {
		free(t->path);
		t->path = NULL;
		return err_sys(e, errno, "cannot create a file in '%s'", dir);
	}
	return 0;
}

/* As in git, data is on the disk before the name; the name itself is as durable as the ref
 * that is written later. */
static int write_temp(const char *dir, const struct buf *b, struct temp *t, struct err *e)
{
	if (open_temp(dir, t, e) < 0)
		return -(int)e->code;
	if (fs_write_fd(t->fd, b->data, b->len, e) < 0)
		return err_wrap(e, "cannot write a file in '%s'", dir);
	if (fsync(t->fd) < 0 || fchmod(t->fd, 0444) < 0)
		return err_sys(e, errno, "cannot write a file in '%s'", dir);
	return 0;
}

static int name_temp(struct temp *t, const char *to, struct err *e)
{
	_cleanup_free_ char *fd = xasprintf("/proc/self/fd/%d", t->fd);

	if (t->path ? rename(t->path, to) == 0
		    : linkat(AT_FDCWD, fd, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	return err_sys(e, errno, "cannot make '%s'", to);
}

/* Both files under their names. */
static int install(const char *base, struct temp *pack, struct temp *index, struct err *e)
{
	_cleanup_free_ char *pack_name = xasprintf("%s.pack", base);
	_cleanup_free_ char *index_name = xasprintf("%s.idx", base);

	if (name_temp(pack, pack_name, e) < 0)
		return -(int)e->code;
	if (name_temp(index, index_name, e) == 0)
		return 0;
	unlink(pack_name);
	return -(int)e->code;
}

#define KEEP_WORD "kiln "

/* Whether a .keep file is from a kiln on this machine that is no more. */
static bool is_stale(const char *path)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct utsname host;
	const char *name;
	int pid;

	if (uname(&host) < 0 || fs_read(path, 1000, &text, &e) < 0 ||
	    strncmp(buf_str(&text), KEEP_WORD, strlen(KEEP_WORD)))
		return false;
	name = strchr(buf_str(&text) + strlen(KEEP_WORD), ' ');
	if (!name || strcmp(name + 1, host.nodename))
		return false;
	text.data[name - text.data] = '\0';
	return parse_int(text.data + strlen(KEEP_WORD), 1, INT_MAX, &pid) &&
	       kill(pid, 0) < 0 && errno == ESRCH;
}

/* What killed processes left would hold gc off for ever. */
static void remove_stale(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		size_t n = strlen(entry->d_name);
		_cleanup_free_ char *path = fs_path(dir, entry->d_name);

		if (n > 5 && !strcmp(entry->d_name + n - 5, ".keep") && is_stale(path))
			unlink(path);
	}
	if (d)
		closedir(d);
}

/* It only has to last until the process ends. */
static int write_keep(const char *path, struct err *e)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
	_cleanup_free_ char *text = NULL;
	struct utsname host;

	if (fd < 0 || uname(&host) < 0)
		return err_sys(e, errno, "cannot create '%s'", path);
	text = xasprintf(KEEP_WORD "%ld %s", (long)getpid(), host.nodename);
	return fs_write_fd(fd, text, strlen(text), e);
}

/*
 * A name nobody else has: a gc that began before may be about to remove a pack of the same
 * objects, and another kiln that has just made them holds it by a file of the same name.
 */
static char *pack_base(const char *dir, const struct pack *p)
{
	_cleanup_free_ char *seed = xasprintf("%ld %llu %p", (long)getpid(),
					      (unsigned long long)clock_ms(),
					      (const void *)p);
	_cleanup_sha1_ struct sha1 *s = sha1_new();
	_cleanup_free_ char *id = NULL;

	sha1_add(s, p->bytes.data + p->bytes.len - 20, 20);
	sha1_add(s, seed, strlen(seed));
	id = sha1_end_hex(s);
	return xasprintf("%s/pack-%s", dir, id);
}

static int write_files(struct pack *p, const char *folder, char **ret_keep, struct err *e)
{
	_cleanup_free_ char *base = pack_base(folder, p);
	_cleanup_free_ char *keep = xasprintf("%s.keep", base);
	_cleanup_temp_ struct temp pack = { 0 };
	_cleanup_temp_ struct temp index = { 0 };
	_cleanup_buf_ struct buf idx = BUF_INIT;

	make_index(p, &idx);
	if (write_temp(folder, &p->bytes, &pack, e) < 0 ||
	    write_temp(folder, &idx, &index, e) < 0 || write_keep(keep, e) < 0)
		return -(int)e->code;
	if (install(base, &pack, &index, e) < 0) {
		unlink(keep);
		return -(int)e->code;
	}
	*ret_keep = take_ptr(keep);
	return 0;
}

int pack_write(struct pack *p, const char *dir, char **ret_keep, struct err *e)
{
	_cleanup_free_ char *folder = fs_path(dir, "pack");
	uint32_t count = htonl((uint32_t)p->nr);

	pthread_mutex_lock(&p->lock);
	pack_drain(p, 0);
	pthread_mutex_unlock(&p->lock);
	pack_stop(p);
	if (p->bytes.len > INT32_MAX)
		return err_set(e, ERR_TOO_BIG, "the objects of one patch exceed 2 GiB");
	memcpy(p->bytes.data + 8, &count, sizeof(count));
	add_digest(&p->bytes);
	if (fs_mkdirs(folder, e) < 0)
		return -(int)e->code;
	remove_stale(folder);
	return write_files(p, folder, ret_keep, e);
}
