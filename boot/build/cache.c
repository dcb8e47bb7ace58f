// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/build/warnings.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/base/parse.h"

#define META_MAX 65536
#define WARNINGS_MAX ((size_t)256 << 20)
#define LOCK_MS 60000
#define FIRST_LINE "kiln-build 3"

static char *entry_path(const struct oid *key)
{
	_cleanup_free_ char *cache = fs_cache_dir();

	return xasprintf("%s/builds/%s", cache, key->hex);
}

static void add_field(struct buf *b, const char *name, const char *value)
{
	if (value)
		buf_addf(b, "%s %s\n", name, value);
}

void cache_meta_write(const struct build_record *rec, uint64_t image_size,
		      struct buf *ret)
{
	buf_addf(ret, FIRST_LINE "\n");
	add_field(ret, "status", rec->status);
	add_field(ret, "tree", rec->tree.hex);
	add_field(ret, "config", rec->config);
	add_field(ret, "toolchain", rec->toolchain);
	add_field(ret, "arch", rec->arch);
	add_field(ret, "build-id", rec->build_id);
	add_field(ret, "code", rec->code);
	add_field(ret, "reason", rec->reason);
	add_field(ret, "modules", rec->modules ? "modules" : NULL);
	buf_addf(ret, "image-size %llu\nend\n", (unsigned long long)image_size);
}

/* The value of a field, owned by the caller; NULL when absent. */
static char *get_field(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; p && *p;) {
		if (!strncmp(p, name, n) && p[n] == ' ')
			return xstrndup(p + n + 1, strcspn(p + n + 1, "\n"));
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

static bool is_known_status(const char *s)
{
	return s &&
	       (!strcmp(s, "ok") || !strcmp(s, "failed") || !strcmp(s, "config-lost"));
}

bool cache_meta_read(const char *text, struct build_record *ret, uint64_t *ret_image_size)
{
	_cleanup_free_ char *tree = NULL, *size = NULL;
	const size_t len = strlen(text);
	struct build_record rec = { 0 };
	bool ok;

	if (strncmp(text, FIRST_LINE "\n", strlen(FIRST_LINE) + 1) || len < 5 ||
	    strcmp(text + len - 5, "\nend\n"))
		return false;
	tree = get_field(text, "tree");
	size = get_field(text, "image-size");
	rec.status = get_field(text, "status");
	rec.config = get_field(text, "config");
	rec.toolchain = get_field(text, "toolchain");
	rec.arch = get_field(text, "arch");
	rec.build_id = get_field(text, "build-id");
	rec.code = get_field(text, "code");
	rec.reason = get_field(text, "reason");
	rec.modules = get_field(text, "modules");
	ok = is_known_status(rec.status) && tree && strlen(tree) == 40 &&
	     parse_is_hex(tree, 40) && rec.config && rec.toolchain && rec.arch && size &&
	     parse_u64(size, ret_image_size) &&
	     (!strcmp(rec.status, "ok") ? rec.build_id && rec.code : rec.reason != NULL);
	if (!ok) {
		build_record_release(&rec);
		return false;
	}
	memcpy(rec.tree.hex, tree, sizeof(rec.tree.hex));
	*ret = rec;
	return true;
}

int cache_lock(int *ret_fd, struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(),
			    *path = fs_path(cache, "builds.lock");

	return fs_lock(path, LOCK_MS, ret_fd, e);
}

/* Whether it is still there. A cache that cannot be written to is not trimmed either. */
static bool mark_used(const char *meta)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_close_ int lock = -1;

	if (cache_lock(&lock, &e) < 0)
		log_debug("the cache cannot be locked: %s", e.frame[0]);
	return !utimensat(AT_FDCWD, meta, NULL, 0) || errno != ENOENT;
}

/* The folder has one name; false when it is gone. */
static bool place_modules(const char *entry, struct build_record *rec)
{
	if (!rec->modules)
		return true;
	free(rec->modules);
	rec->modules = fs_path(entry, "modules");
	return fs_is_dir(rec->modules);
}

int cache_load(const struct oid *key, struct build_record *ret)
{
	_cleanup_free_ char *entry = entry_path(key), *meta = fs_path(entry, "meta");
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct build_record rec = { 0 };
	uint64_t size;
	struct stat st;

	if (fs_read(meta, META_MAX, &text, &e) < 0)
		return 0;
	if (!cache_meta_read(buf_str(&text), &rec, &size)) {
		log_debug("cache entry %s is damaged", entry);
		return 0;
	}
	rec.log = fs_path(entry, "log");
	if (!strcmp(rec.status, "ok")) {
		rec.image = fs_path(entry, "bzImage");
		if (!place_modules(entry, &rec) || stat(rec.image, &st) < 0 ||
		    (uint64_t)st.st_size != size) {
			log_debug("cache entry %s lost its image", entry);
			build_record_release(&rec);
			return 0;
		}
	}
	if (!mark_used(meta)) {
		build_record_release(&rec);
		return 0;
	}
	*ret = rec;
	return 1;
}

int cache_load_warnings(const struct build_record *rec, struct warnings *ret)
{
	const char *slash = rec->log ? strrchr(rec->log, '/') : NULL;
	_cleanup_free_ char *entry =
		slash ? xstrndup(rec->log, (size_t)(slash - rec->log)) : NULL;
	_cleanup_free_ char *path = entry ? fs_path(entry, "warnings") : NULL;
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	if (!path || fs_read(path, WARNINGS_MAX, &text, &e) < 0)
		return 0;
	return warnings_read(buf_str(&text), ret);
}

static int store_image(int fd, const char *path, uint64_t *ret_size, struct err *e)
{
	/* By descriptor: the name may lead elsewhere by now. */
	_cleanup_free_ char *from = xasprintf("/proc/self/fd/%d", fd);
	struct stat st;

	if (fs_copy(from, path, e) < 0)
		return -(int)e->code;
	*ret_size = stat(path, &st) < 0 ? 0 : (uint64_t)st.st_size;
	return 0;
}

static int move_folder(const char *from, const char *to, struct err *e)
{
	return rename(from, to) < 0 ? err_sys(e, errno, "cannot move '%s'", from) : 0;
}

int cache_store(const struct oid *key, const struct cache_files *f,
		struct build_record *rec, struct err *e)
{
	_cleanup_free_ char *entry = entry_path(key), *meta = fs_path(entry, "meta"),
			    *config = fs_path(entry, "config"),
			    *log = fs_path(entry, "log"),
			    *image = fs_path(entry, "bzImage"),
			    *warnings = fs_path(entry, "warnings"),
			    *modules = fs_path(entry, "modules");
	_cleanup_buf_ struct buf text = BUF_INIT;
	uint64_t size = 0;

	if (fs_mkdirs(entry, e) < 0 || fs_remove_tree(meta, e) < 0 ||
	    fs_write(config, f->config, f->config_len, e) < 0 ||
	    fs_copy(f->log, log, e) < 0 ||
	    fs_write(warnings, f->warnings->data, f->warnings->len, e) < 0 ||
	    fs_remove_tree(modules, e) < 0 ||
	    (f->modules && move_folder(f->modules, modules, e) < 0) ||
	    (f->image_fd >= 0 && store_image(f->image_fd, image, &size, e) < 0))
		return err_wrap(e, "cannot keep the build in '%s'", entry);
	if (f->modules)
		rec->modules = take_ptr(modules);
	cache_meta_write(rec, size, &text);
	if (fs_write(meta, text.data, text.len, e) < 0)
		return err_wrap(e, "cannot keep the build in '%s'", entry);
	rec->log = take_ptr(log);
	if (f->image_fd >= 0)
		rec->image = take_ptr(image);
	return 0;
}
