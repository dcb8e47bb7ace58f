// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/share.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "boot/target/program.h"
#include "core/arch/arch.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"
#include "core/git/sha1.h"

#define FILE_LIMIT ((off_t)256 << 20)
#define LOCK_MS (5 * 60 * 1000)

/* What L1's QEMU reads before its kernel runs. */
static const char *const firmware[] = { "bios-256k.bin", "linuxboot_dma.bin",
					"kvmvapic.bin" };

/* Files of a folder to be: from[i] becomes to[i]. */
struct plan {
	struct strv from, to;
	struct buf manifest; /* a line a file: what would change when its contents do */
};

static void plan_release(struct plan *p)
{
	strv_release(&p->from);
	strv_release(&p->to);
	buf_release(&p->manifest);
}

/*
 * A file is known by what stat() says of it: reading fifty megabytes for every boot would
 * cost more than the boot's own preparation, and no package is upgraded without a trace
 * here.
 */
static int plan_add(struct plan *p, const char *from, const char *to, struct err *e)
{
	struct stat st;

	if (stat(from, &st) < 0)
		return err_sys(e, errno, "cannot read '%s'", from);
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_LIMIT)
		return err_set(e, ERR_TOO_BIG, "'%s' is no file to share", from);
	strv_add(&p->from, from);
	strv_add(&p->to, to);
	buf_addf(&p->manifest, "%s %s %lld %lld.%09ld %llu\n", to, from,
		 (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
		 (unsigned long long)st.st_ino);
	return 0;
}

/* The folders QEMU looks for firmware in, as it says itself. */
static int firmware_dirs(const char *qemu, struct strv *ret, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = 60000, .out = &out };
	char *rest;

	strv_addl(&argv, qemu, "-L", "help", NULL);
	if (spawn_check(&s, e) < 0)
		return err_wrap(e, "cannot ask '%s' for its firmware", qemu);
	rest = out.len ? out.data : NULL;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line == '/')
			strv_add(ret, line);
	return 0;
}

static int plan_firmware(struct plan *p, const char *name, const struct strv *dirs,
			 struct err *e)
{
	_cleanup_free_ char *to = xasprintf("fw/%s", name);

	for (size_t i = 0; i < dirs->nr; i++) {
		_cleanup_free_ char *from = fs_path(dirs->v[i], name);

		if (fs_exists(from))
			return plan_add(p, from, to, e);
	}
	err_set(e, ERR_TOOL_MISSING, "QEMU's firmware '%s' not found", name);
	return err_hint(e, "install the packages with QEMU's data files and SeaBIOS");
}

static int plan_tools(struct plan *p, struct err *e)
{
	_cleanup_program_ struct program qemu = { 0 };
	_cleanup_strv_ struct strv dirs = STRV_INIT;

	if (program_resolve(arch_find(NULL)->qemu->program, &qemu, e) < 0)
		return -(int)e->code;
	if (!qemu.loader)
		return err_set(e, ERR_TOOL_FAILED,
			       "'%s' is static, which is not supported", qemu.path);
	if (firmware_dirs(qemu.path, &dirs, e) < 0 ||
	    plan_add(p, qemu.path, "qemu", e) < 0 ||
	    plan_add(p, qemu.loader, "ld.so", e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < qemu.libs.nr; i++) {
		_cleanup_free_ char *to =
			xasprintf("lib/%s", strrchr(qemu.libs.v[i], '/') + 1);

		if (plan_add(p, qemu.libs.v[i], to, e) < 0)
			return -(int)e->code;
	}
	for (size_t i = 0; i < ARRAY_SIZE(firmware); i++)
		if (plan_firmware(p, firmware[i], &dirs, e) < 0)
			return -(int)e->code;
	return 0;
}

/* What the folder holds, by content: where it came from does not matter. */
static int write_digest(const struct plan *p, const char *dir, struct err *e)
{
	_cleanup_free_ char *file = fs_path(dir, "digest"), *hex = NULL;
	_cleanup_sha1_ struct sha1 *sha1 = sha1_new();

	for (size_t i = 0; i < p->to.nr; i++) {
		_cleanup_free_ char *path = fs_path(dir, p->to.v[i]);
		_cleanup_buf_ struct buf b = BUF_INIT;

		if (fs_read(path, (size_t)FILE_LIMIT, &b, e) < 0)
			return -(int)e->code;
		sha1_add(sha1, p->to.v[i], strlen(p->to.v[i]) + 1);
		sha1_add(sha1, b.data, b.len);
	}
	hex = sha1_end_hex(sha1);
	return fs_write(file, hex, strlen(hex), e);
}

static int plan_carry_out(const struct plan *p, const char *dir, struct err *e)
{
	_cleanup_free_ char *lib = fs_path(dir, "lib"), *fw = fs_path(dir, "fw");
	_cleanup_free_ char *manifest = fs_path(dir, "manifest");

	if (fs_remove_tree(dir, e) < 0 || fs_mkdirs(lib, e) < 0 || fs_mkdirs(fw, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < p->from.nr; i++) {
		_cleanup_free_ char *to = fs_path(dir, p->to.v[i]);

		if (fs_copy(p->from.v[i], to, e) < 0)
			return -(int)e->code;
	}
	if (write_digest(p, dir, e) < 0)
		return -(int)e->code;
	return fs_write(manifest, p->manifest.data, p->manifest.len, e);
}

/* Whether the folder is there and was made from the same files. */
static bool plan_done(const struct plan *p, const char *dir)
{
	_cleanup_free_ char *path = fs_path(dir, "manifest");
	_cleanup_free_ char *digest = fs_path(dir, "digest");
	_cleanup_buf_ struct buf have = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	return fs_read(path, 1 << 20, &have, &e) == 0 && have.len == p->manifest.len &&
	       !memcmp(have.data, p->manifest.data, have.len) && fs_exists(digest);
}

static int read_digest(const char *dir, char **ret, struct err *e)
{
	_cleanup_free_ char *path = fs_path(dir, "digest");
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (fs_read(path, 64, &b, e) < 0)
		return err_wrap(e, "the tools for L1 have no digest");
	/* it becomes part of a path, on other machines too */
	if (b.len != 40 || !parse_is_hex(b.data, 40)) {
		err_set(e, ERR_IO, "the digest in '%s' is damaged", path);
		return err_hint(e, "remove '%s'", dir);
	}
	*ret = buf_take(&b);
	return 0;
}

int share_tools(char **ret, char **ret_digest, struct err *e)
{
	_cleanup_(plan_release) struct plan plan = { 0 };
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = NULL, *lock = NULL,
			    *temp = NULL;
	_cleanup_close_ int fd = -1;

	if (plan_tools(&plan, e) < 0)
		return err_wrap(e, "cannot assemble the tools for L1");
	dir = xasprintf("%s/tools-%08lx", cache,
			crc32_z(0, (unsigned char *)plan.manifest.data,
				plan.manifest.len));
	lock = xasprintf("%s/tools.lock", cache);
	temp = xasprintf("%s.new", dir);
	if (fs_mkdirs(cache, e) < 0 || fs_lock(lock, LOCK_MS, &fd, e) < 0)
		return err_wrap(e, "cannot assemble the tools for L1");
	if (!plan_done(&plan, dir)) {
		if (fs_remove_tree(dir, e) < 0 || plan_carry_out(&plan, temp, e) < 0)
			return err_wrap(e, "cannot assemble the tools for L1");
		if (rename(temp, dir) < 0)
			return err_sys(e, errno, "cannot create '%s'", dir);
	}
	if (read_digest(dir, ret_digest, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(dir);
	return 0;
}

/* Remove the folders under dir that nobody holds a lock on; dir itself is locked. */
static void sweep(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *t;

	while (d && (t = readdir(d))) {
		_cleanup_free_ char *path = fs_path(dir, t->d_name);
		_cleanup_err_ struct err ignored = { 0 };
		_cleanup_close_ int fd = -1;

		if (t->d_name[0] == '.' || !fs_is_dir(path))
			continue;
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		    fs_remove_tree(path, &ignored) < 0)
			continue; /* no harm: the next boot tries again */
	}
	if (d)
		closedir(d);
}

int share_boot_make(struct share_boot *ret, struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *boots = fs_path(cache, "boots");
	_cleanup_free_ char *lock = fs_path(cache, "boots.lock");
	_cleanup_free_ char *dir = xasprintf("%s/XXXXXX", boots);
	_cleanup_close_ int all = -1, own = -1;

	if (fs_mkdirs(boots, e) < 0 || fs_lock(lock, LOCK_MS, &all, e) < 0)
		return -(int)e->code;
	sweep(boots);
	if (!mkdtemp(dir))
		return err_sys(e, errno, "cannot create a folder in '%s'", boots);
	own = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (own < 0 || flock(own, LOCK_EX | LOCK_NB) < 0)
		return err_sys(e, errno, "cannot lock '%s'", dir);
	ret->dir = take_ptr(dir);
	ret->lock = take_fd(own);
	return 0;
}

void share_boot_release(struct share_boot *b)
{
	_cleanup_err_ struct err ignored = { 0 };

	/* what cannot be removed now is swept by a later boot */
	if (b->dir && fs_remove_tree(b->dir, &ignored) < 0)
		err_release(&ignored);
	if (b->lock > 0)
		close(b->lock);
	free(b->dir);
	*b = (struct share_boot){ 0 };
}

int share_add(const char *dir, const char *name, const char *from, struct err *e)
{
	_cleanup_free_ char *to = fs_path(dir, name);

	/* what a symbolic link names, as the machine does not see the rest of the host */
	if (linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (fs_copy(from, to, e) < 0)
		return err_wrap(e, "cannot share '%s'", from);
	return 0;
}
