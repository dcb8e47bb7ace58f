// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A pack onto the disk. Names begin with tmp_ until all is there, so that `git gc` removes
 * what a killed process left; the index comes last, as git looks for indexes.
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

/*
 * The bytes in a new read-only file DIR/NAME..., its path in *ret. As in git, data is on
 * the disk before the name; the name itself is as durable as the ref that is written
 * later.
 */
static int write_temp(const char *dir, const char *name, const struct buf *b, char **ret,
		      struct err *e)
{
	_cleanup_free_ char *path = xasprintf("%s/%s_XXXXXX", dir, name);
	_cleanup_close_ int fd = mkostemp(path, O_CLOEXEC);
	int r;

	if (fd < 0)
		return err_sys(e, errno, "cannot create a file in '%s'", dir);
	r = fs_write_fd(fd, b->data, b->len, e);
	if (r == 0 && (fsync(fd) < 0 || fchmod(fd, 0444) < 0))
		r = err_sys(e, errno, "cannot write");
	if (r < 0) {
		unlink(path);
		return err_wrap(e, "cannot write '%s'", path);
	}
	*ret = take_ptr(path);
	return 0;
}

static int move(const char *from, const char *to, struct err *e)
{
	if (rename(from, to) == 0)
		return 0;
	return err_sys(e, errno, "cannot rename '%s' to '%s'", from, to);
}

/* Both files under their names. */
static int install(const char *base, char *const temps[2], struct err *e)
{
	_cleanup_free_ char *pack = xasprintf("%s.pack", base);
	_cleanup_free_ char *index = xasprintf("%s.idx", base);

	if (move(temps[0], pack, e) < 0)
		return -(int)e->code;
	return move(temps[1], index, e);
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

static char *pack_base(const char *dir, const struct pack *p)
{
	const unsigned char *id = (unsigned char *)p->bytes.data + p->bytes.len - 20;
	_cleanup_buf_ struct buf name = BUF_INIT;

	buf_addf(&name, "%s/pack-", dir);
	for (int i = 0; i < 20; i++)
		buf_addf(&name, "%02x", id[i]);
	return buf_take(&name);
}

int pack_write(struct pack *p, const char *dir, char **ret_keep, struct err *e)
{
	_cleanup_free_ char *folder = fs_path(dir, "pack"), *base = NULL, *keep = NULL;
	_cleanup_free_ char *pack = NULL, *index = NULL;
	_cleanup_buf_ struct buf idx = BUF_INIT;
	uint32_t count = htonl((uint32_t)p->nr);
	int r;

	pthread_mutex_lock(&p->lock);
	pack_drain(p, 0);
	pthread_mutex_unlock(&p->lock);
	pack_stop(p);
	if (p->bytes.len > INT32_MAX)
		return err_set(e, ERR_TOO_BIG, "the objects of one patch exceed 2 GiB");
	memcpy(p->bytes.data + 8, &count, sizeof(count));
	add_digest(&p->bytes);
	make_index(p, &idx);
	base = pack_base(folder, p);
	keep = xasprintf("%s.keep", base);
	if (fs_mkdirs(folder, e) < 0 ||
	    write_temp(folder, "tmp_pack", &p->bytes, &pack, e) < 0)
		return -(int)e->code;
	remove_stale(folder);
	r = write_temp(folder, "tmp_idx", &idx, &index, e);
	if (r == 0)
		r = write_keep(keep, e);
	if (r == 0)
		r = install(base, (char *[]){ pack, index }, e);
	if (r < 0) {
		unlink(pack);
		if (index)
			unlink(index);
		unlink(keep);
		return r;
	}
	*ret_keep = take_ptr(keep);
	return 0;
}
