// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/image.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/build/elf.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define CHUNK 65536

static bool read_at(int fd, uint64_t at, void *ret, size_t n)
{
	return pread(fd, ret, n, (off_t)at) == (ssize_t)n;
}

static bool equals(int image, const struct payload *p, int packed)
{
	unsigned char a[CHUNK], b[CHUNK];

	for (uint64_t at = 0; at < p->len;) {
		size_t n = p->len - at < CHUNK ? (size_t)(p->len - at) : CHUNK;

		if (!read_at(image, p->at + at, a, n) || !read_at(packed, at, b, n) ||
		    memcmp(a, b, n))
			return false;
		at += n;
	}
	return true;
}

static bool is_older(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec < b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

/* A packed kernel of another configuration may lie beside the one that is meant. */
static int is_packed_as(const struct built *b, const char *suffix,
			const struct payload *p, bool *ret, struct err *e)
{
	_cleanup_free_ char *path = xasprintf("%s.%s", b->arch->packed, suffix);
	_cleanup_close_ int packed = -1;
	_cleanup_err_ struct err none = { 0 };
	struct stat st, of;

	if (worktree_open_out(b->wt, path, &packed, &none) < 0) {
		if (none.code == ERR_NO_FILE)
			return 0;
		*e = none;
		none = (struct err){ 0 };
		return -(int)e->code;
	}
	if (fstat(packed, &st) < 0 || fstat(b->vmlinux_fd, &of) < 0)
		return err_sys(e, errno, "cannot look at '%s'", path);
	*ret = p->len && (uint64_t)st.st_size == p->len && !is_older(&st, &of) &&
	       equals(b->image_fd, p, packed);
	return 0;
}

int image_is_whole(const struct built *b, bool *ret, struct err *e)
{
	static const char *const suffixes[] = { "lz4", "gz",  "zst", "xz",
						"bz2", "lzo", "lzma" };
	_cleanup_err_ struct err no_id = { 0 };
	_cleanup_free_ char *id = NULL;
	char magic[SELFMAG] = { 0 };
	struct payload p;

	if (b->arch->payload && b->arch->payload(b->image_fd, &p)) {
		*ret = false;
		for (size_t i = 0; !*ret && i < ARRAY_SIZE(suffixes); i++)
			if (is_packed_as(b, suffixes[i], &p, ret, e) < 0)
				return -(int)e->code;
		return 0;
	}
	*ret = !read_at(b->image_fd, 0, magic, SELFMAG) ||
	       memcmp(magic, ELFMAG, SELFMAG) ||
	       (elf_build_id(b->image_fd, "image", &id, &no_id) == 0 &&
		!strcmp(id, b->build_id));
	return 0;
}
